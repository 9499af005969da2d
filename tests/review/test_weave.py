"""What a weave promises, whatever happened to the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.model.mark import ACCEPTED, PENDING, REJECTED, Answer
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.file import File, Node, new_file
from blueline.review.file_values import dump_file, load_file
from blueline.review.intake.operation_edits import fitted_edits
from blueline.review.weave import weave as weaves
from blueline.review.weave.stroke import Stroke
from tests.support.texts import TEXTS


class Decide(NamedTuple):
    """An answer about every piece whose number divides evenly."""

    answer: Answer
    divisor: int


STEPS = st.lists(
    TEXTS | st.builds(Decide, st.sampled_from(("accepted", "rejected", "pending")), st.integers(1, 4)),
    max_size=8,
)


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> Iterator[None]:
    """Short texts have few runs: they should reach over several blocks all the same."""
    with patch.object(weaves, "BLOCK", 3):
        yield


def start(text: str) -> File:
    return new_file(1, "a.md", Node("text", 0), text, 0o644, "")


def edited(file: File, op: int, text: str, first: Answer = PENDING) -> tuple[File, Stroke | None]:
    edits = fitted_edits(file, text, [], op=op, first=first)
    assert edits is not None, "no edits lead to this text"
    stroke = Stroke(op, first, edits, tuple(text[edit.new_start : edit.new_end] for edit in edits))
    return (file.edited(stroke), stroke) if edits else (file, None)


def answered(file: File, decide: Decide, decision: int) -> File:
    pieces = [piece for number, (piece, _) in enumerate(text_pieces(file)) if number % decide.divisor == 0]
    return file.answered([PieceAnswer(piece, decide.answer) for piece in pieces], decision)


def text_pieces(file: File) -> list[tuple[Piece, Answer]]:
    return [(piece, mark.state) for piece, mark in file.weaves[0].pieces() if mark.op]


def walked(before: str, steps: list[str | Decide]) -> tuple[File, list[Stroke]]:
    """The file after these steps, people and agents taking turns."""
    file, strokes = start(before), []
    for number, step in enumerate(steps, 1):
        if isinstance(step, str):
            file, stroke = edited(file, number, step, ACCEPTED if number % 2 else PENDING)
            strokes += [stroke] if stroke else []
            assert file.live.text == step
        else:
            file = answered(file, step, number)
    return file, strokes


@given(TEXTS, STEPS)
def test_the_text_is_what_the_last_step_left(before: str, steps: list[str | Decide]) -> None:
    walked(before, steps)


@given(TEXTS, STEPS)
def test_every_run_is_what_its_operation_inserted_there(
    before: str, steps: list[str | Decide]
) -> None:  # R14
    file, strokes = walked(before, steps)
    inserted = {stroke.op: "".join(stroke.inserted) for stroke in strokes} | {0: before}
    found: dict[int, list[tuple[int, int]]] = {op: [] for op in inserted}
    for run in file.weaves[0].runs:
        assert run.text == inserted[run.insertion.op][run.start : run.end]
        found[run.insertion.op].append((run.start, run.end))
    for op, text in inserted.items():
        # R09: they tile what was inserted, in order.
        edges = [0, *(end for _, end in found[op])]
        assert [begin for begin, _ in found[op]] == edges[:-1]
        assert edges[-1] == len(text)


@given(TEXTS, st.lists(TEXTS, max_size=8), st.lists(TEXTS, max_size=5))
def test_with_all_agents_rejected_the_text_is_what_people_left(
    before: str, people: list[str], agents: list[str]
) -> None:  # R03, F15, P06
    file = start(before)
    for number, text in enumerate([*people, *agents], 1):
        first: Answer = ACCEPTED if number <= len(people) else PENDING
        file, _ = edited(file, number, text, first)
    left = file.answered(
        [PieceAnswer(piece, REJECTED) for piece, mark in file.pieces() if mark.state == PENDING], 99
    )
    assert left.live.text == [before, *people][-1]
    assert left.baseline.text == left.live.text


@given(TEXTS, STEPS)
def test_with_everything_accepted_baseline_and_text_are_one(
    before: str, steps: list[str | Decide]
) -> None:  # R04
    file, _ = walked(before, steps)
    pending = [PieceAnswer(piece, ACCEPTED) for piece, state in text_pieces(file) if state == PENDING]
    after = file.answered(pending, 99)
    assert after.live == file.live
    assert after.baseline == after.live


@given(TEXTS, STEPS, st.builds(Decide, st.sampled_from(("accepted", "rejected")), st.integers(1, 4)))
def test_a_decision_taken_back_leaves_no_trace(
    before: str, steps: list[str | Decide], decide: Decide
) -> None:  # R06
    file, _ = walked(before, steps)
    after = answered(file, decide, 99)
    back = after.standing(99, stands=False)
    assert (back.live, back.baseline) == (file.live, file.baseline)
    assert states(back) == states(file)
    forth = back.standing(99, stands=True)
    assert (forth.live, forth.baseline, states(forth)) == (after.live, after.baseline, states(after))


@given(TEXTS, STEPS, st.permutations(range(4)))
def test_answers_to_different_pieces_commute(
    before: str, steps: list[str | Decide], order: list[int]
) -> None:  # R05
    file, _ = walked(before, steps)
    results = set()
    for numbers in (range(4), order):
        after = file
        for number in numbers:
            pieces = [piece for place, (piece, _) in enumerate(text_pieces(file)) if place % 4 == number]
            answer: Answer = "accepted" if number % 2 else "rejected"
            after = after.answered([PieceAnswer(piece, answer) for piece in pieces], 90 + number)
        results.add((after.live.text, after.baseline.text, states(after)))
    assert len(results) == 1


@given(TEXTS, STEPS, st.integers(0, 99), st.sampled_from(("accepted", "rejected")))
def test_a_piece_decided_in_two_parts_is_decided(
    before: str, steps: list[str | Decide], cut: int, answer: Answer
) -> None:  # R08
    file, strokes = walked(before, steps)
    inserted = {stroke.op: "".join(stroke.inserted) for stroke in strokes} | {0: before}
    whole = file.answered([PieceAnswer(piece, answer) for piece, _ in text_pieces(file)], 90)
    parts = whole.standing(90, stands=False)
    for piece, _ in text_pieces(file):
        middle = piece.start + cut % (piece.end - piece.start + 1)
        if inserted[piece.target][middle - 1 : middle + 1] == "\r\n":
            continue  # no selection comes between the two characters of a line end
        halves = piece._replace(end=middle), piece._replace(start=middle)
        for number, half in enumerate(halves):
            if half.start < half.end:
                parts = parts.answered([PieceAnswer(half, answer)], 91 + number)
    parts = parts.answered(
        [PieceAnswer(piece, answer) for piece, state in text_pieces(parts) if state != answer], 93
    )
    assert (parts.live, parts.baseline) == (whole.live, whole.baseline)


@given(TEXTS, STEPS)
def test_a_file_put_on_the_shelf_is_the_same_file(before: str, steps: list[str | Decide]) -> None:  # R10
    file, _ = walked(before, steps)
    again = load_file(dump_file(file))
    assert (again.live, again.baseline, states(again)) == (file.live, file.baseline, states(file))
    assert dump_file(again) == dump_file(file)


def states(file: File) -> tuple[tuple[str, int, int, int, Answer], ...]:
    """The state of every character: answers split runs, which is no difference."""
    found = []
    for piece, mark in file.weaves[0].pieces():
        found += [
            (piece.kind, piece.op, piece.target, at, mark.state) for at in range(piece.start, piece.end)
        ]
    return tuple(sorted(found))
