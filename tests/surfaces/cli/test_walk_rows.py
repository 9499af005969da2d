"""Changes line by line, and their parts."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from blueline.diff.edits import split_lines
from blueline.review.deciding.sides import Sides
from blueline.surfaces.cli.walk_rows import Row, is_in, parts, rows, spanned
from tests.support.fake_desk import Document, hunk
from tests.support.history import History


def changed(old: str, new: str, start: int = 1) -> Document:
    return hunk(
        old=old, new=new, new_start=start - (not new), new_lines=new.count("\n"), old_lines=old.count("\n")
    )


def test_lines_have_the_numbers_of_the_file_as_it_is() -> None:
    found = rows(changed("b\nc\n", "B\nc\nd\n", 2), ["a\n", "B\n", "c\n", "d\n", "e\n"])
    assert [(row.sign, row.text.strip(), row.number) for row in found] == [
        (" ", "a", 1),
        ("-", "b", 0),
        ("+", "B", 2),
        (" ", "c", 3),
        ("+", "d", 4),
        (" ", "e", 5),
    ]
    assert spanned(found) == (2, 4)


def test_b5_a_bare_deletion_stands_on_the_line_before_it() -> None:
    found = rows(changed("gone\n", "", 3), ["one\n", "two\n", "three\n"])
    assert [(row.sign, row.number, row.at) for row in found] == [
        (" ", 1, 1),
        (" ", 2, 2),
        ("-", 0, 2),
        (" ", 3, 3),
    ]
    at_the_top = rows(changed("gone\n", "", 1), ["one\n"])
    assert spanned(at_the_top) == (1, 1)


def test_what_is_not_in_the_file_has_no_neighbours() -> None:
    assert [row.sign for row in rows(changed("a\n", "b\n", 2), ["x\n", "y\n", "z\n"])] == ["-", "+"]


def test_a_change_falls_into_places_then_paragraphs_then_lines() -> None:
    places = rows(changed("a\nb\nc\n", "A\nb\nC\n"))
    assert parts(places) == [(1, 1), (3, 3)]
    paragraphs = rows(changed("", "\na\nb\n\nc\n", 1))
    assert parts(paragraphs) == [(1, 4), (5, 5)]
    assert parts(paragraphs, (1, 4)) != [(1, 4)]
    assert parts(rows(changed("", "a\nb\n", 4))) == [(4, 4), (5, 5)]
    assert parts(rows(changed("a\n", "b\n"))) == [(1, 1)]
    # What is gone above the only line that is left, and below it, stands on that line.
    assert parts(rows(changed("a\nb\na\n", "b\n"))) == [(1, 1)]


TEXT = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=8).map("".join)


@given(old=TEXT, new=TEXT, start=st.integers(1, 5))
def test_parts_take_in_every_changed_line_once(old: str, new: str, start: int) -> None:
    found = rows(changed(old, new, start))
    into = parts(found)
    for row in found:
        if row.sign != " ":
            assert sum(first <= row.at <= last for first, last in into) == 1
    assert into == sorted(into)


LINES = st.sampled_from(
    ["alpha beta gamma\n", "alpha beta delta\n", "one\n", "two\n", "x = 1\n", "x = 2\n", "\n"]
)
SOME_LINES = st.lists(LINES, min_size=1, max_size=7).map("".join)


def written(old: str, new: str) -> History:
    history = History(old)
    history.prompt()
    history.agent(new)
    return history


def shown_of(history: History) -> list[list[Row]]:
    """The rows of each change, with what stands around it."""
    sides = Sides(history.file)
    live = split_lines(history.text or "")
    found = []
    for seen in history.hunks():
        _, side = sides.of(seen.hunk)
        found.append(rows(changed(seen.old or "", seen.new or "", side.start + 1), live))
    return found


@given(old=SOME_LINES, new=SOME_LINES)
def test_b5_what_is_shown_of_a_part_is_what_rejecting_it_gives_back(old: str, new: str) -> None:
    assume(old != new)
    live = split_lines(new)
    every = shown_of(written(old, new))
    places = [at for found in every for at in {row.at for row in found if row.sign != " "}]
    for found in every:
        numbers = [row.number for row in found if row.number]
        for part in parts(found):
            if sum(part[0] <= at <= part[1] for at in places) > len(
                {row.at for row in found if row.sign != " " and is_in(row, part)}
            ):
                continue  # another change is on these lines, too
            history = written(old, new)
            history.decide("reject", history.lines(*part), dependents="with")
            kept = [
                row.text
                for row in found
                if row.sign == " " or (row.sign == "-" if is_in(row, part) else row.sign == "+")
            ]
            expected = [*live[: min(numbers) - 1], *kept, *live[max(numbers) :]]
            assert history.text == "".join(expected)
