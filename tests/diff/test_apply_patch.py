"""What a patch makes of a text."""

from __future__ import annotations

import pytest

from blueline.diff.apply_patch import PatchFails, patched
from blueline.model.patch import Chunk, Patch


def chunk(old: str, new: str, after: str = "", *, at_end: bool = False) -> Chunk:
    return Chunk(old=tuple(old.splitlines()), new=tuple(new.splitlines()), after=after, at_end=at_end)


def check(before: str | None, *chunks: Chunk, expect: str) -> None:
    assert patched(before, Patch(path="a", chunks=chunks)) == expect


def test_a_new_file_is_its_content() -> None:
    assert patched(None, Patch(path="a", content="one\n")) == "one\n"
    assert patched("two\n", Patch(path="a", content="one\n")) == "one\n"


def test_a_deleted_file_is_none() -> None:
    assert patched("one\n", Patch(path="a", deleted=True)) is None


def test_a_file_that_only_moves_stays_as_it_is() -> None:
    assert patched("one\r\n\ntwo", Patch(path="a", moved_to="b")) == "one\r\n\ntwo"


def test_chunks_are_looked_for_one_after_the_other() -> None:
    check("a\nx\nb\nx\n", chunk("x", "1"), chunk("x", "2"), expect="a\n1\nb\n2\n")


def test_a_line_above_says_which_of_several_places() -> None:
    before = "def f():\n    pass\ndef g():\n    pass\n"
    check(
        before,
        chunk("    pass", "    return", "def g():"),
        expect="def f():\n    pass\ndef g():\n    return\n",
    )


def test_lines_alone_go_below_the_line_above_or_to_the_end() -> None:
    check("a\nb\n", chunk("", "new", "a"), expect="a\nnew\nb\n")
    check("a\nb\n", chunk("", "new"), expect="a\nb\nnew\n")


def test_the_end_of_the_file_is_looked_for_from_there() -> None:
    check("x\na\nx\n", chunk("x", "y", at_end=True), expect="x\na\ny\n")


@pytest.mark.parametrize("there", ["x = 1  ", "\tx = 1", "x = 1\u00a0", "\u201cx\u201d \u2013 \u2018y\u2019"])
def test_lines_that_are_only_like_it_do_as_well(there: str) -> None:
    said = "\"x\" - 'y'" if "\u201c" in there else "x = 1"
    check(f"a\n{there}\nb\n", chunk(said, "z"), expect="a\nz\nb\n")


def test_an_empty_line_too_many_is_forgiven() -> None:
    same = Chunk(old=("a", ""), new=("b", ""))
    check("a\n", same, expect="b\n")


def test_line_ends_stay_what_they_are_and_there_is_a_last_one() -> None:
    check("a\r\nb\r\n", chunk("b", "c\nd"), expect="a\r\nc\r\nd\r\n")
    check("a\nb", chunk("b", "c"), expect="a\nc\n")


def test_an_empty_file_can_be_filled() -> None:
    check("", chunk("", "a"), expect="a\n")


@pytest.mark.parametrize(
    ("before", "patch", "why"),
    [
        (None, Patch(path="a"), "no such file"),
        (None, Patch(path="a", deleted=True), "no such file"),
        ("a\n", Patch(path="a", chunks=(chunk("b", "c"),)), "not in the file"),
        ("a\n", Patch(path="a", chunks=(chunk("a", "c", "above"),)), "the line 'above' is not"),
        ("a\nb\n", Patch(path="a", chunks=(chunk("b", ""), chunk("a", ""))), "not in the file"),
    ],
)
def test_what_does_not_fit_says_why(before: str | None, patch: Patch, why: str) -> None:
    with pytest.raises(PatchFails, match=why):
        patched(before, patch)


def test_it_takes_no_longer_when_everything_is_alike() -> None:
    before = "x\n" * 100_000
    many = Chunk(old=("x",) * 20_000 + ("y",), new=())
    with pytest.raises(PatchFails):
        patched(before, Patch(path="a", chunks=(many,)))
