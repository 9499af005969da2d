"""What a decision means: rules B1 to B6, each in a short history."""

from __future__ import annotations

from itertools import permutations

import pytest

from blueline.model.piece import Piece
from blueline.model.verdict import Verdict
from blueline.review.deciding.hunks import hunks
from tests.review.histories import POEM, built_inside, rewritten
from tests.support.history import SALT, History, accept, agent, check, person, redo, reject, undo


def test_rejecting_it_with_them_gives_the_original_back() -> None:  # D02
    history = rewritten()
    history.decide("reject", history.call(1), dependents="with")
    assert history.text == history.agreed == POEM
    assert history.everything() == []


def test_rejecting_it_and_keeping_them_leaves_their_text() -> None:  # D02, D04, rule B2 as D1 has it
    history = rewritten()
    history.decide("reject", history.call(1), dependents="keep")
    assert history.text == POEM.replace("line 3\n", "second try\n")
    history = built_inside()
    planned = history.decide("reject", history.call(1), dependents="keep")
    assert history.text == "top\nb\nend\n"
    assert [kept.text for kept in planned.kept] == ["b"]


def shown(history: History, *states: str) -> list[tuple[int | None, str | None, str | None]]:
    return [(seen.hunk.operation.call, seen.old, seen.new) for seen in history.hunks(states)]


def test_what_passed_goes_to_the_oldest_that_is_kept_on_each_line() -> None:  # rule B2
    history = History("timeout = 30\n")
    for value in (60, 45, 50):
        history.agent(f"timeout = {value}\n")
    history.decide("reject", history.call(1), dependents="keep")
    assert history.text == "timeout = 50\n"
    history.decide("accept", history.call(2))
    assert (history.text, history.agreed) == ("timeout = 50\n", "timeout = 45\n")
    assert shown(history, "pending") == [(3, "timeout = 45\n", "timeout = 50\n")]
    history = History("top\nend\n")
    history.agent("top\nfirst line\nsecond line\nthird line\nend\n")
    history.agent("top\nfirst line of two\nsecond line\nthird line\nend\n")
    history.agent("top\nfirst line of two\nsecond line\nthird line of three\nend\n")
    history.decide("reject", history.call(1), dependents="keep")
    assert history.text == "top\nfirst line of two\nthird line of three\nend\n"
    assert shown(history, "pending") == [
        (2, "", "first line of two\n"),
        (3, "", "third line of three\n"),
    ]
    history.decide("reject", history.call(3))
    assert history.text == "top\nfirst line of two\nend\n"


def test_what_passed_has_the_answer_of_the_hunk_it_passed_to_and_passes_on() -> None:  # rule B2
    history = History("timeout = 30\n")
    history.agent("timeout = 60\n")
    history.agent("timeout = 45\n")
    (first, *_) = hunks(history.file, SALT, {1})
    history.decide("accept", history.everything())
    history.decide("reject", first.pieces, dependents="keep")
    assert (history.text, history.agreed) == ("timeout = 45\n", "timeout = 45\n")
    assert shown(history, "accepted") == [(2, "timeout = 30\n", "timeout = 45\n")]
    history.turn(2, stands=False)
    history.turn(1, stands=False)
    history.decide("reject", history.call(1), dependents="keep")
    history.agent("timeout = 50\n")
    history.decide("reject", history.call(2), dependents="keep")
    assert shown(history, "pending") == [(3, "timeout = 30\n", "timeout = 50\n")]
    history.decide("reject", history.call(3))
    assert history.text == "timeout = 30\n"


def test_rejecting_the_later_gives_the_earlier_back_as_pending() -> None:  # D01
    history = rewritten()
    history.decide("reject", history.call(2))
    assert [(seen.old, seen.new) for seen in history.hunks()] == [("line 3\n", "first version\n")]


# B4: groups mean what is pending in them


def test_accepting_a_call_leaves_what_was_rejected_in_it() -> None:
    both = POEM.replace("line 2\n", "TWO\n").replace("line 5\n", "FIVE\n")
    check(
        POEM,
        [agent(both), reject("FIVE\n"), accept(1)],
        expect=POEM.replace("line 2\n", "TWO\n"),
        agreed=POEM.replace("line 2\n", "TWO\n"),
    )


def test_a_rejected_hunk_can_be_accepted_after_all() -> None:  # H07
    history = History(POEM)
    history.agent(POEM.replace("line 2\n", "TWO\n"))
    (seen,) = history.hunks()
    history.decide("reject", seen.hunk.pieces)
    history.decide("accept", seen.hunk.pieces)
    assert history.text == history.agreed == POEM.replace("line 2\n", "TWO\n")


def test_an_answer_that_is_given_already_changes_nothing() -> None:  # H12
    history = History(POEM)
    history.agent(POEM.replace("line 2\n", "TWO\n"))
    (seen,) = history.hunks()
    history.decide("accept", seen.hunk.pieces)
    planned = history.decide("accept", seen.hunk.pieces)
    assert [result.outcome for result in planned.results] == ["already"]
    assert planned.files == []


# B6: undo in any order


def test_undo_of_an_earlier_decision_leaves_what_a_later_one_answered() -> None:  # H05
    check(
        POEM,
        [agent(POEM.replace("line 3\n", "THREE\n")), reject("THREE\n"), accept_again, undo(1)],
        expect=POEM.replace("line 3\n", "THREE\n"),
        agreed=POEM.replace("line 3\n", "THREE\n"),
    )
    check(
        POEM,
        [agent(POEM.replace("line 3\n", "THREE\n")), reject("THREE\n"), accept_again, undo(2)],
        expect=POEM,
        agreed=POEM,
    )


def accept_again(history: History) -> None:
    (seen,) = history.hunks(states=("rejected",))
    history.decide("accept", seen.hunk.pieces)


@pytest.mark.parametrize("order", [*permutations((1, 2, 3))])
def test_decisions_fall_in_any_order_and_nothing_is_left_of_them(order: tuple[int, ...]) -> None:  # R16
    new = POEM.replace("line 2\n", "TWO\n").replace("line 4\n", "FOUR\n").replace("line 6\n", "SIX\n")
    history = History(POEM)
    history.agent(new)
    before = [seen.hunk.id for seen in history.hunks()]
    for verdict, text in (("reject", "TWO\n"), ("accept", "FOUR\n"), ("reject", "SIX\n")):
        history.decide("accept" if verdict == "accept" else "reject", history.hunk(text))
    after = (history.text, history.agreed)
    for number in order:
        history.turn(number, stands=False)
    assert (history.text, history.agreed) == (new, POEM)
    assert [seen.hunk.id for seen in history.hunks()] == before
    for number in order:
        history.turn(number, stands=True)
    assert (history.text, history.agreed) == after


def test_what_a_person_types_between_reject_and_undo_stays() -> None:  # H02
    check(
        POEM,
        [
            agent(POEM.replace("line 3\n", "THREE\n")),
            reject(),
            person(POEM.replace("line 5\n", "mine\n")),
            undo(1),
        ],
        expect=POEM.replace("line 3\n", "THREE\n").replace("line 5\n", "mine\n"),
        agreed=POEM.replace("line 5\n", "mine\n"),
    )


def test_undo_and_redo_alternate_for_ever() -> None:  # H04
    new = POEM.replace("line 3\n", "THREE\n")
    alternating = [step for _ in range(50) for step in (undo(1), redo(1))]
    check(POEM, [agent(new), reject(), *alternating], expect=POEM, agreed=POEM)
    check(POEM, [agent(new), reject(), *alternating, undo(1)], expect=new, agreed=POEM)


# P07 and R08: pieces and batches


def _texts() -> list[tuple[str, str, str]]:
    first = POEM.replace("line 2\n", "TWO and more\n").replace("line 4\n", "")
    return [
        (POEM, first, first.replace("TWO and more\n", "TWO and MORE\nextra\n")),
        (POEM, POEM.replace("line 6\n", "line six\n"), "new\n" + POEM.replace("line 6\n", "line seven\n")),
        ("one\ntwo", "one\ntwo\nthree\n", "one\n2\nthree\n"),
    ]


@pytest.mark.parametrize("texts", _texts())
@pytest.mark.parametrize("verdict", ["accept", "reject"])
def test_piece_by_piece_in_any_order_is_the_same_as_at_once(
    texts: tuple[str, str, str], verdict: Verdict
) -> None:
    before, first, second = texts  # P07

    def history() -> History:
        made = History(before)
        made.agent(first)
        made.agent(second)
        return made

    whole = history()
    pieces = whole.everything()
    whole.decide(verdict, pieces, dependents="with")
    for order in (pieces, pieces[::-1], sorted(pieces, key=lambda piece: hash(piece))):
        parts = history()
        for piece in order:
            parts.answer(verdict, [piece])
        assert (parts.text, parts.agreed) == (whole.text, whole.agreed)
        assert parts.everything() == whole.everything() == []


def test_a_hunk_decided_line_by_line_is_decided() -> None:  # R08
    new = "".join(f"new {number}\n" for number in range(5))
    for verdict in ("accept", "reject"):
        history = History("top\nend\n")
        history.agent(f"top\n{new}end\n")
        pieces: list[Piece] = history.everything()
        while pieces:
            history.decide("accept" if verdict == "accept" else "reject", history.lines(2, 2) or pieces)
            pieces = history.everything()
            if verdict == "accept":
                break
        assert history.text == (f"top\n{new}end\n" if verdict == "accept" else "top\nend\n")


@pytest.mark.parametrize("verdict", ["accept", "reject"])
def test_a_hunk_with_an_equal_line_on_both_sides_is_decided_whole(verdict: Verdict) -> None:  # R08, rule D4
    before = "Opening words.\n\nA second part\nthat goes on\nroot = here\nif so:\n  there\nvalues = dict()\n"
    after = "class.\n\n\n\n\n"
    history = History(before)
    history.agent(after)
    (seen,) = history.hunks()
    history.decide(verdict, seen.hunk.pieces)
    assert history.hunks() == []
    assert history.text == history.agreed == (after if verdict == "accept" else before)
