"""Which turns are taken back, by what decisions came to."""

from __future__ import annotations

from blueline.desk.turn_rejections import TurnRejection, turn_rejections
from blueline.review.ledger import Decision


def decision(number: int, verdict: str, **about: object) -> Decision:
    given = {"reason": "", "at": "", "hunks": (), "files": (), "writes": (), "order": number, "turns": (1,)}
    return Decision(number=number, verdict=verdict, **{**given, **about})  # type: ignore[arg-type]


def test_a_rejection_counts_as_long_as_it_stands() -> None:
    assert turn_rejections([decision(3, "reject", reason="why")], {}) == (TurnRejection("t1", 3, "why"),)
    undone = [decision(3, "reject", stands=False), decision(4, "undo", of=3)]
    assert turn_rejections(undone, {}) == ()
    assert turn_rejections([decision(3, "accept")], {}) == ()


def test_after_a_redo_it_counts_from_then_on() -> None:
    found = [decision(3, "reject"), decision(4, "undo", of=3, stands=False), decision(5, "redo", of=3)]
    assert turn_rejections(found, {}) == (TurnRejection("t1", 5, ""),)


def test_one_that_was_put_off_counts_at_once_and_then_as_what_it_became() -> None:
    waiting = decision(3, "queued", waits_for="reject", stands=False)
    assert turn_rejections([waiting], {}) == (TurnRejection("t1", 3, ""),)
    left = decision(3, "queued", waits_for="reject", stands=False, finished=True)
    assert turn_rejections([left], {}) == ()
    became = decision(3, "queued", waits_for="reject", stands=False, finished=True, of=5)
    assert turn_rejections([became, decision(5, "reject")], {}) == (TurnRejection("t1", 3, ""),)
    assert turn_rejections([became, decision(5, "reject", stands=False)], {}) == ()


def test_several_turns_and_decisions_that_do_not_name_theirs() -> None:
    found = [decision(3, "reject", turns=()), decision(4, "reject", turns=(2, 5))]
    assert [(one.turn, one.since) for one in turn_rejections(found, {3: "t9"})] == [
        ("t9", 3),
        ("t2", 4),
        ("t5", 4),
    ]
