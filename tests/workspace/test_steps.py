"""What becomes of each path, and in which order."""

from __future__ import annotations

from blueline.model.fact import Write
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId
from blueline.workspace.steps import ordered, steps_of
from tests.support.workspace import ABSENT, write

ONE = Regular(mode=0o644, size=1, blob=BlobId("1" * 40))
TWO = Regular(mode=0o644, size=1, blob=BlobId("2" * 40))


def check(writes: list[Write], expect: dict[str, tuple[object, object]]) -> None:
    steps = steps_of(writes)
    assert {path: (step.before, step.after) for path, step in steps.items()} == expect
    done: list[str] = []
    for step in ordered(steps):
        done.append(step.path)
    assert sorted(done) == sorted(expect)


def test_a_rename_is_one_file_that_comes_and_one_that_goes() -> None:
    check([write("a", ONE, TWO, old_path="b")], {"a": (ABSENT, TWO), "b": (ONE, ABSENT)})


def test_a_swap_is_two_files_with_other_bytes() -> None:
    check(
        [write("a", TWO, TWO, old_path="b"), write("b", ONE, ONE, old_path="a")],
        {"a": (ONE, TWO), "b": (TWO, ONE)},
    )


def test_what_one_frees_another_may_fill() -> None:
    for writes in ([write("a", ONE, ABSENT), write("a", TWO, TWO, old_path="b")],):
        check(writes, {"a": (ONE, TWO), "b": (TWO, ABSENT)})
        check(writes[::-1], {"a": (ONE, TWO), "b": (TWO, ABSENT)})


def test_nothing_to_do_is_no_step() -> None:
    check([write("a", ONE, ONE), write("b", ABSENT, ABSENT), write("c", ABSENT, ABSENT, old_path="d")], {})


def test_a_file_goes_only_after_it_stands_where_it_goes_to_however_long_the_row() -> None:
    rows = [write(f"{number}", ONE, TWO, old_path=f"{number + 1}") for number in range(5000)]
    for writes in (rows, rows[::-1]):
        assert [step.path for step in ordered(steps_of(writes))] == [f"{number}" for number in range(5001)]


def test_a_circle_begins_somewhere() -> None:
    ring = [write(f"{number}", ONE, TWO, old_path=f"{(number + 1) % 5000}") for number in range(5000)]
    assert len(ordered(steps_of(ring))) == 5000
