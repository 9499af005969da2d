"""Which changes are the same."""

from __future__ import annotations

from blueline.surfaces.cli.same_change import same_as, signature
from tests.support.fake_desk import hunk


def test_the_same_words_exchanged_anywhere_are_the_same_change() -> None:
    one = hunk(id="h1", old="run(old_name, 1)\n", new="run(new_name, 1)\n")
    other = hunk(id="h2", old="    x = old_name\n", new="    x = new_name\n", path="b.py")
    third = hunk(id="h3", old="    x = old_name\n", new="    x = newer_name\n")
    assert same_as(one, [one, other, third]) == [one, other]


def test_whole_files_and_long_changes_are_the_like_of_nothing() -> None:
    for look in (
        {"kind": "create", "old": None},
        {"old": "x" * 1500, "new": "y" * 1500},
        {"old": None, "new": None},
    ):
        lonely, other = hunk(**look), hunk(id="h9", **look)
        assert signature(lonely) == ()
        assert same_as(lonely, [lonely, other]) == [lonely]
