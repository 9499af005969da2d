"""Two texts token by token: rule D2."""

from __future__ import annotations

import pytest

from blueline.diff.formatted_lines import Lines
from blueline.diff.token_runs import compared, moved_lines, words_left_over


def formatted(old: str, new: str, asked: set[int] | None = None) -> list[tuple[str, str]]:
    """What came and went as formatting, around some lines or all of them."""
    lines = Lines(old)
    everything = {*range(len(lines.keys))} if asked is None else asked
    found = compared(lines, Lines(new), everything, ())
    return [(old[seam.start : seam.end], seam.text) for seam in found.seams]


def applied(old: str, new: str) -> str:
    """The old text with nothing but the formatting of the new one."""
    found = compared(Lines(old), Lines(new), {*range(old.count("\n") + 1)}, ())
    for seam in reversed(found.seams):
        old = old[: seam.start] + seam.text + old[seam.end :]
    return old


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("f(a,b)\n", "f(a, b)\n"),
        ("x = {'a':1}\n", 'x = {"a": 1}\n'),
        ("call(first,second)\n", "call(\n    first,\n    second,\n)\n"),
        ("value = (\n    one +\n    two\n)\n", "value = one + two\n"),
        ("a\nb\n", "a\n\n\nb\n"),
        ("a\n\n\n\nb\n", "a\nb\n"),
        ("let a = d => d\n", "let a = (d) => d;\n"),
        ("if x {y}\n", "if x {\n\ty\n}\n"),
        ("x = [1,\n1,\n1]\n", "x = [\n    1,\n    1,\n    1,\n]\n"),
        ("a", "a\n"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("x='a'\n", 'x = "a\'"[:-1]\n'.replace('"a\'"[:-1]', '"a"')),
    ],
)
def test_what_a_formatter_does_is_formatting_and_nothing_is_left_over(old: str, new: str) -> None:
    assert applied(old, new) == new
    assert words_left_over(old, new) == 0


@pytest.mark.parametrize(
    ("old", "new", "only"),
    [
        # A new word makes the run the person's, its blanks and commas included.
        ("f(a)\n", "f(a, mine)\n", "f(a)\n"),
        ("x=1\n", "x = 2\n", "x =1\n"),
        # But runs are cut at line ends.
        ("f(a,b)\n", "f(\n    a,\n    b,\n)\nmine()\n", "f(\n    a,\n    b,\n)\n"),
        ("a=1\nb=2\n", "a = 1\nmine\nb = 2\n", "a = 1\nb = 2\n"),
        # The end of a line that is typed above all others is that line's own.
        ("a=1\n", "mine\na = 1\n", "a = 1\n"),
        ("a=1\n", "mine\n\na = 1\n", "\na = 1\n"),
        # So is the line end that it takes to type below a last line without one.
        ("a=1", "a = 1\nmine\n", "a = 1"),
        # A line end that is still there, behind or before words that were typed, neither came nor went.
        ("one two\nb = 5\n", "one two, mine\nc = 5\n", "one two\nb = 5\n"),
        ("one two, mine\nc = 5\n", "one two\nb = 5\n", "one two, mine\nc = 5\n"),
        ("a b\nc d\n", "a mine\nhere d\n", "a b\nc d\n"),
        # A bracket that comes alone, or a sign that is none of those, is typed.
        ("f(a)\n", "f((a)\n", "f(a)\n"),
        ("f(a)\n", "f[a]\n", "f(a)\n"),
        ("a + b\n", "a - b\n", "a + b\n"),
        # Words that are gone are a person's deletion.
        ("f(a, b)\n", "f(a)\n", "f(a, b)\n"),
    ],
)
def test_what_else_is_done_is_left(old: str, new: str, only: str) -> None:
    assert applied(old, new) == only


def test_only_what_is_asked_about_is_compared() -> None:
    old, new = "a=1\nb=2\nc=3\nd=4\n", "a = 1\nb = 2\nc = 3\nd = 4\n"
    assert formatted(old, new, {1}) == [("", " "), ("", " ")]


def test_quotes_that_are_the_same_by_chance_do_not_part_a_word_from_itself() -> None:
    assert formatted("x = 'beta\"\n", "x = \"beta'\n") == [("'", '"'), ('"', "'")]


def test_what_is_left_over_is_looked_for_past_a_line_that_is_the_same() -> None:
    # The line diff pairs the second `1,` with the first; its neighbours tell that this was wrong.
    old = "x = [1,\n1,\n1,\n1]\n"
    new = "x = [\n1,\n1,\n1,\n1,\n]\n"
    assert applied(old, new) == new


def test_lines_that_were_sorted_are_found_where_they_stand() -> None:
    old, new = (
        "import os\nimport sys\nimport json\nimport abc\n",
        "import abc\nimport json\nimport os\nimport sys\n",
    )
    found = moved_lines(Lines(old), Lines(new), {2, 3})
    assert [(old[move.start : move.end], move.place, move.text) for move in found] == [
        ("import abc\n", 0, "import abc\n"),
        ("import json\n", 0, "import json\n"),
    ]


def test_a_block_moves_with_the_blank_lines_in_it() -> None:
    old, new = "a\n\nb\ntop\nmiddle\nend\n", "top\nmiddle\nend\na\n\nb\n"
    found = moved_lines(Lines(old), Lines(new), {0, 1, 2})
    assert "".join(move.text for move in found) == "a\n\nb\n"
