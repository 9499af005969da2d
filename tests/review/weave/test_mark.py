"""One piece: its state, and every answer it got."""

from __future__ import annotations

from blueline.model.answer import ACCEPTED, HELD, PENDING, REJECTED
from blueline.review.weave.mark import Mark, Segment


def test_the_state_is_the_answer_of_the_latest_decision_that_stands() -> None:  # B6
    mark = Mark(3, 1, PENDING).answered(5, ACCEPTED).answered(7, REJECTED).answered(8, ACCEPTED)
    assert [
        mark.without(frozenset(fallen)).state for fallen in ((), (8,), (7, 8), (5, 7, 8), (5,), (9,))
    ] == [
        ACCEPTED,
        REJECTED,
        ACCEPTED,
        PENDING,
        ACCEPTED,
        ACCEPTED,
    ]
    assert mark.without(frozenset({8})).without(frozenset()).state == ACCEPTED
    assert mark.without(frozenset({7})) is mark  # nothing to change
    assert mark.log == ((5, ACCEPTED), (7, REJECTED), (8, ACCEPTED)) == mark.without(frozenset({8})).log


def test_an_answer_that_changes_nothing_is_kept_with_the_state_there_was() -> None:
    mark = Mark(3, 1, HELD).answered(5, None)
    assert (mark.state, mark.log) == (HELD, ((5, HELD),))


def test_nothing_else_of_a_piece_changes_with_an_answer() -> None:
    mark = Mark(3, 1, PENDING, whole=True, since=6).answered(9, REJECTED)
    assert (mark.op, mark.edit, mark.first, mark.whole, mark.since) == (3, 1, PENDING, True, 6)
    plain = Mark(3, 1, PENDING).answered(9, REJECTED).without(frozenset({9}))
    assert (plain.whole, plain.since, plain.log) == (False, 0, ((9, REJECTED),))


def test_it_came_with_its_operation_or_with_a_later_pass() -> None:  # D2
    assert (Mark(3, 1, PENDING).came, Mark(3, 1, PENDING, since=6).came) == (3, 6)
    assert Mark(3, 1, PENDING).segment == Segment(3, 1)


def test_pieces_with_the_same_standing_decisions_belong_together() -> None:  # A7
    mark = Mark(3, 1, PENDING).answered(5, ACCEPTED).answered(7, REJECTED)
    assert mark.signature(frozenset()) == (5, 7)
    assert mark.signature(frozenset({5})) == (7,)
    assert mark.signature(frozenset({5, 7})) == Mark(3, 1, PENDING).signature(frozenset()) == ()
    assert [mark.touched_by(decision) for decision in (5, 6, 7)] == [True, False, True]
    assert Mark(3, 1, PENDING, state=HELD).state == HELD
