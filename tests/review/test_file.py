"""What a weave promises, whatever happened to the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blueline.model.answer import ACCEPTED, PENDING, REJECTED, Answer
from blueline.model.piece import PieceAnswer
from blueline.review.weave.weave import IMAGINED
from tests.review.walked import STEPS, Decide, answered, edited, start, states, text_pieces, walked
from tests.support.texts import TEXTS


@given(TEXTS, STEPS)
def test_the_text_is_what_the_last_step_left(before: str, steps: list[str | Decide]) -> None:
    walked(before, steps)


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
    back = after.with_decision(99, stands=False)
    assert (back.live, back.baseline) == (file.live, file.baseline)
    assert states(back) == states(file)
    forth = back.with_decision(99, stands=True)
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
    parts = whole.with_decision(90, stands=False)
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


def test_what_was_tried_is_not_worked_out_again_and_what_is_only_imagined_is_not_kept() -> None:
    file, _ = edited(start("one\n"), 1, "two\n")
    changes = tuple(PieceAnswer(piece, REJECTED) for piece, _ in text_pieces(file))
    assert file.answered(changes, 5) is file.answered(changes, 5)
    assert file.answered(changes, 5) is not file.answered(changes, 6)
    assert file.answered(changes, IMAGINED) is not file.answered(changes, IMAGINED)
