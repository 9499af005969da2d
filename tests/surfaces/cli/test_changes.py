"""Differences on a screen."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from blueline.surfaces.cli.changes import LONGEST_LINE, marks, replaced, unified, windows
from blueline.surfaces.cli.terminal import STYLES, Screen

PLAIN = Screen(colour=False, watched=True)
COLOUR = Screen(colour=True, watched=True)
OUR_ESCAPES = re.compile("\x1b\\[(?:0|" + "|".join(STYLES.values()) + ")m")

DIFF = """\
diff --git a/a.md b/a.md
--- a/a.md
+++ b/a.md
@@ -1,3 +1,3 @@
 one
-hello world
+hello there
 three
"""


def drawn(diff: str) -> list[str]:
    """The lines in colour, with names for the marks."""
    names = {"7;31": "[-", "7;32": "{+", "7;33": "<<"}
    lines = []
    for line in unified(diff, COLOUR):
        for code, name in names.items():
            line = re.sub(rf"\x1b\[{code}m(.*?)\x1b\[0m", rf"{name}\1{name[::-1].translate(MIRROR)}", line)
        lines.append(re.sub("\x1b\\[[0-9;]*m", "", line))
    return lines


MIRROR = str.maketrans("[{<", "]}>")


def test_the_words_that_differ_are_marked() -> None:
    assert drawn(DIFF)[4:] == [" one", "-hello [-world-]", "+hello {+there+}", " three"]


def test_without_colour_the_text_is_the_same() -> None:
    assert list(unified(DIFF, PLAIN)) == DIFF.splitlines()


def test_a_line_that_came_or_went_whole_has_no_marks() -> None:
    diff = "@@ -1,2 +1,2 @@\n-alpha beta\n-gone\n+something else\n+alpha betas\n"
    assert drawn(diff)[1:] == [
        "-alpha [-beta-]",
        "-gone",
        "+something else",
        "+alpha {+betas+}",
    ]


def test_a_removed_line_that_looks_like_a_header_stays_a_line() -> None:
    diff = "@@ -1,2 +1,1 @@\n--- a/x\n+++ b/x\n-last\n@@ -9 +8 @@\n-a\n+b\n"
    colours = [line[:5] for line in unified(diff, COLOUR)]
    assert colours == ["\x1b[35m", "\x1b[31m", "\x1b[32m", "\x1b[31m", "\x1b[35m", "\x1b[31m", "\x1b[32m"]


def test_a_missing_last_newline_is_said_and_words_are_still_compared() -> None:
    diff = "@@ -1 +1 @@\n-hello world\n\\ No newline at end of file\n+hello there\n"
    assert drawn(diff)[1:] == ["-hello [-world-]", "\\ No newline at end of file", "+hello {+there+}"]
    diff = "@@ -1,2 +1,2 @@\n-a\n+b\n same\n\\ No newline at end of file\n"
    assert drawn(diff)[1:] == ["-a", "+b", " same", "\\ No newline at end of file"]


def test_blanks_at_the_end_of_changed_lines_are_seen() -> None:
    diff = "@@ -1,2 +1,2 @@\n context  \n-one\n+one \t\n"
    assert list(unified(diff, PLAIN))[1:] == [" context  ", "-one", "+one·→"]


def test_line_ends_that_all_lines_share_are_no_news() -> None:
    diff = "@@ -1,2 +1,2 @@\n one\r\n-two\r\n+three\r\n"
    assert list(unified(diff, PLAIN))[1:] == [" one", "-two", "+three"]


def test_line_ends_that_differ_are_shown() -> None:
    diff = "@@ -1,2 +1,2 @@\n one\n-two\n+two\r\n"
    assert list(unified(diff, PLAIN))[1:] == [" one", "-two", "+two\\r"]


def test_what_does_not_print_stands_out() -> None:
    diff = "@@ -1 +1 @@\n-x = 1\n+x = 1\x1b[2J\u202e\n"
    assert drawn(diff)[2] == "+x = 1<<\\x1b>>{+[2J+}<<<U+202E>>>"


def test_both_sides_of_a_hunk() -> None:
    assert list(replaced("a\nb\n", "a\nc", PLAIN)) == ["-a", "-b", "+a", "+c", "\\ No newline at end of file"]
    assert list(replaced("", "new\n", PLAIN)) == ["+new"]
    assert list(replaced("old\n", "", PLAIN)) == ["-old"]
    # Decided: both sides are what stands there now.
    assert list(replaced("same\n", "same\n", PLAIN)) == [" same"]


class TestLongLines:
    def test_a_change_far_right_is_seen(self) -> None:
        start, end = "x" * 50_000, "y" * 50_000
        (line,) = [
            one for one in replaced(f"{start} old {end}\n", f"{start} new {end}\n", PLAIN) if one[0] == "+"
        ]
        assert " new " in line
        assert len(line) < LONGEST_LINE
        assert line.startswith("+…[49,921 more characters]…xxx")
        assert line.endswith("y…[49,921 more characters]…")

    def test_a_long_line_without_a_counterpart_is_cut(self) -> None:
        (line,) = replaced("", "x" * 5_000 + "\n", PLAIN)
        assert line == f"+{'x' * LONGEST_LINE}…[3,000 more characters]…"

    def test_two_changes_far_apart_are_both_seen(self) -> None:
        filling = " and so on" * 500
        old, new = f"one{filling} two\n", f"ONE{filling} TWO\n"
        (line,) = [one for one in replaced(old, new, PLAIN) if one[0] == "+"]
        assert "ONE" in line
        assert "TWO" in line
        assert "more characters" in line

    def test_a_line_of_megabytes_is_quick_and_short(self) -> None:
        filling = "word " * 700_000
        lines = list(replaced(f"{filling}old {filling}\n", f"{filling}new {filling}\n", PLAIN))
        assert [line.count("old") + line.count("new") for line in lines] == [1, 1]
        assert all(len(line) < LONGEST_LINE + 100 for line in lines)


ranges = st.lists(st.tuples(st.integers(0, 9_000), st.integers(1, 900)), max_size=8)


@given(st.integers(0, 10_000), ranges)
def test_windows_are_in_order_and_small_and_hold_the_first_change(
    length: int, spans: list[tuple[int, int]]
) -> None:
    changed: list[tuple[int, int]] = []
    for start, size in sorted(spans):
        if start + size <= length and (not changed or start >= changed[-1][1]):
            changed.append((start, start + size))
    found = windows(length, changed)
    assert all(0 <= start <= end <= length for start, end in found)
    assert all(first[1] < second[0] for first, second in pairwise(found))
    assert sum(end - start for start, end in found) <= LONGEST_LINE
    if length <= LONGEST_LINE:
        assert found == [(0, length)]
    elif changed:
        assert found[0][0] <= changed[0][0] < found[0][1]


texts = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=12), max_size=5)


@given(texts, texts)
def test_marks_fit_their_lines(removed: list[str], added: list[str]) -> None:
    for lines, found in zip((removed, added), marks(removed, added), strict=True):
        assert len(lines) == len(found)
        for line, parts in zip(lines, found, strict=True):
            assert all(0 <= start < end <= len(line) for start, end in parts)


@given(st.text())
def test_no_text_in_a_diff_reaches_the_terminal_as_a_command(text: str) -> None:
    count = text.count("\n") + 1
    body = "".join(f"+{line}\n" for line in text.split("\n"))
    for line in unified(f"--- {text}\n@@ -0,0 +1,{count} @@ {text}\n{body}", COLOUR):
        assert OUR_ESCAPES.sub("", line).replace("\t", "").isprintable()
