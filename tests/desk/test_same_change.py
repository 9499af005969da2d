"""Which changes are the same."""

from __future__ import annotations

import pytest

from blueline.desk.same_change import same_change


def test_the_same_words_exchanged_anywhere_are_the_same_change() -> None:
    one = same_change("modify", "run(old_name, 1)\n", "run(new_name, 1)\n")
    assert one
    assert same_change("cell-edit", "    x = old_name\n", "    x = new_name\n") == one
    assert same_change("modify", "    x = old_name\n", "    x = newer_name\n") != one
    assert same_change("modify", "line\n", "line 1\n") != same_change("modify", "line\n", "line 2\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [("a old", "a new"), ("a ", "b"), ("", "b  "), ("a", "a b"), ("a\r", "b\r"), ("\ufeffa", "a")],
)
def test_a_line_exchanges_the_same_with_and_without_its_end(old: str, new: str) -> None:
    """One that ends is compared without its end, as it was when it was recorded."""
    ways = {same_change("modify", old + end, new + end) for end in ("", "\n", "\r\n")}
    assert ways == {same_change("modify", f"x\n{old}\n", f"x\n{new}\n")} != {""}


def test_whole_files_and_long_changes_are_the_like_of_nothing() -> None:
    for kind, old, new in (
        ("create", None, "x\n"),
        ("modify", "x" * 1500, "y" * 1500),
        ("modify", None, None),
        ("modify", "x\n", "x\n"),
    ):
        assert same_change(kind, old, new) == ""
