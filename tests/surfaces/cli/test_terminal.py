"""What reaches a terminal, and what does not."""

from __future__ import annotations

import io
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.surfaces.cli.terminal import (
    Screen,
    columns,
    first_line,
    fitted,
    pieces,
    quoted,
    safe,
    screen_of,
    visible,
    wrapped,
)

# Everything that a terminal obeys, or that hides or turns text around.
HOSTILE = (
    [chr(code) for code in (*range(0x20), 0x7F, *range(0x80, 0xA0))]
    + [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)]
    + [chr(code) for code in (0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x2028, 0x2029, 0xAD, 0xA0, 0x3000)]
    + [chr(code) for code in (0xD800, 0xDFFF, 0xDC80, 0xE0041, 0xE0101, 0xFE00, 0x3164, 0x2800, 0x180E)]
)


@pytest.mark.parametrize("char", HOSTILE, ids=lambda char: f"U+{ord(char):04X}")
def test_what_does_not_print_is_shown_by_name(char: str) -> None:
    shown = visible(f"a{char}b")
    assert char not in shown
    assert shown.startswith("a")
    assert shown.endswith("b")
    assert shown.isprintable()
    assert shown.isascii()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("two\nlines", "two\\nlines"),
        ("a\tb\r", "a\\tb\\r"),
        ("admin\u202etxt.exe", "admin<U+202E>txt.exe"),
        ("\x9b31m", "<U+009B>31m"),
        # A name with a byte that is not UTF-8, as Python keeps it.
        ("caf\udce9", "caf\\xe9"),
        ("\ud800", "<U+D800>"),
        ("\U000e0041", "<U+E0041>"),
        ("plain", "plain"),
        ("Grüße, 世界, ❤️ and 👍", "Grüße, 世界, ❤️ and 👍"),
    ],
)
def test_how_it_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_tabs_stay_where_they_are_wanted() -> None:
    assert visible("a\tb\x1b", tabs=True) == "a\tb\\x1b"
    assert visible("\tü\t", tabs=True) == "\tü\t"


@given(st.text())
def test_nothing_gets_through_that_is_not_printable(text: str) -> None:
    assert visible(text).isprintable()
    assert visible(text, tabs=True).replace("\t", "").isprintable()


@given(st.text())
def test_pieces_are_the_same_text(text: str) -> None:
    assert "".join(piece for piece, _ in pieces(text, tabs=False)) == visible(text)
    for piece, unprintable in pieces(text, tabs=False):
        assert unprintable or piece in text


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20))
def test_a_quoted_word_is_what_the_shell_reads(word: str) -> None:
    typed = quoted(word)
    assert typed.isprintable()
    done = subprocess.run(["bash", "--norc", "-c", f"printf %s {typed}"], capture_output=True, check=True)
    assert done.stdout == word.encode()


def test_a_quoted_word_may_hold_bytes_that_are_not_utf_8() -> None:
    typed = quoted("caf\udce9")
    done = subprocess.run(["bash", "-c", f"printf %s {typed}"], capture_output=True, check=True)
    assert done.stdout == b"caf\xe9"
    assert quoted("\ud800") == "$'?'"


def test_safe_takes_any_value() -> None:
    assert (safe(None), safe(3), safe("\x07")) == ("", "3", "\\x07")


def test_the_first_line_says_when_there_is_more() -> None:
    assert first_line("\n  one \n") == "one"
    assert first_line("one\ntwo") == "one …"
    assert first_line(" \n ") == ""


def test_wide_characters_take_two_columns() -> None:
    assert columns("abc") == 3
    assert columns("世界") == 4
    assert columns("e\u0301") == 1
    assert fitted("世界人", 5) == "世界…"
    assert fitted("abcdef", 4) == "abc…"
    assert fitted("abc", 3) == "abc"
    assert fitted("abc", 0) == ""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "wish", "environ", "colour"),
    [
        (Terminal(), "auto", {}, True),
        (Terminal(), "auto", {"NO_COLOR": "1"}, False),
        (Terminal(), "auto", {"NO_COLOR": ""}, True),
        (Terminal(), "auto", {"TERM": "dumb"}, False),
        (Terminal(), "never", {}, False),
        (Terminal(), "always", {"NO_COLOR": "1"}, True),
        (io.StringIO(), "auto", {}, False),
        (io.StringIO(), "always", {}, True),
        (None, "auto", {}, False),
    ],
)
def test_when_there_is_colour(
    stream: io.StringIO | None, wish: str, environ: dict[str, str], colour: bool
) -> None:
    assert screen_of(stream, wish, environ).colour is colour


def test_the_width_is_the_terminals_or_what_was_wished_for() -> None:
    assert screen_of(io.StringIO(), "auto", {}).width == 100
    assert screen_of(io.StringIO(), "auto", {"COLUMNS": "72"}).width == 72
    assert screen_of(io.StringIO(), "auto", {"COLUMNS": "1"}).width == 40
    assert screen_of(io.StringIO(), "auto", {"COLUMNS": "wide"}).width == 100


def test_paint_is_the_only_source_of_escapes() -> None:
    assert Screen(colour=True).paint("x", "bad") == "\x1b[1;31mx\x1b[0m"
    assert Screen(colour=True).paint("x", "") == "x"
    assert Screen(colour=True).paint("", "bad") == ""
    assert Screen(colour=False).paint("x", "bad") == "x"


def test_sentences_are_broken_between_words() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("a wordthatislonger b", 6) == ["a", "wordthatislonger", "b"]
    assert wrapped("漢字 漢字", 8) == ["漢字", "漢字"]
    assert wrapped("", 8) == [""]
