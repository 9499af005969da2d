"""Changes that are the same are gathered."""

from __future__ import annotations

from blueline.surfaces.cli.same_hunks import same_as, same_changes
from tests.support.fake_desk import hunk


def test_those_with_the_same_word_are_the_same_change() -> None:
    one = hunk(id="h1", old="run(old_name, 1)\n", new="run(new_name, 1)\n")
    other = hunk(id="h2", old="    x = old_name\n", new="    x = new_name\n", path="b.py")
    third = hunk(id="h3", old="    x = old_name\n", new="    x = newer_name\n")
    assert same_as(one, [one, other, third]) == [one, other]


def test_one_that_is_the_like_of_nothing_stays_alone() -> None:
    lonely, others = (
        hunk(id="h1", kind="create", old=None),
        [hunk(id=f"h{n}", kind="create") for n in (2, 3, 4)],
    )
    assert same_as(lonely, [lonely, *others]) == [lonely]
    assert same_changes([lonely, *others]) == ([], [lonely, *others])
