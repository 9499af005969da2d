"""The file came back: rule A10, each in a short history."""

from __future__ import annotations

from tests.review.histories import POEM, THREE
from tests.support.history import History, accept, agent, check, person, reject


def test_an_editors_undo_and_redo_bring_the_hunk_back() -> None:  # A11
    history = History(POEM)
    history.agent(THREE)
    (before,) = history.hunks()
    history.person(POEM)
    assert history.hunks() == []
    history.person(THREE)
    assert [seen.hunk.id for seen in history.hunks()] == [before.hunk.id]


def test_a_hunk_put_back_by_hand_is_rejected_and_nothing_is_added() -> None:  # A09
    history = check(
        POEM,
        [agent(THREE.replace("line 5\n", "FIVE\n")), person(THREE.replace("line 1\n", "mine\n"))],
        expect=THREE.replace("line 1\n", "mine\n"),
        agreed=POEM.replace("line 1\n", "mine\n"),
        pending=[("line 3\n", "THREE\n")],
    )
    assert [seen.new for seen in history.hunks(states=("rejected",))] == ["FIVE\n"]


def test_what_stood_there_rejected_and_stands_there_again_is_pending() -> None:  # A10
    check(
        POEM,
        [agent(THREE), reject(), person(THREE)],
        expect=THREE,
        agreed=POEM,
        pending=[("line 3\n", "THREE\n")],
    )


def test_an_agent_that_undoes_a_persons_line_can_be_undone() -> None:  # D05
    mine = POEM.replace("line 3\n", "line 3\nmine\n")
    check(POEM, [person(mine), agent(POEM), reject()], expect=mine)


def test_an_agents_own_undo_stays_to_be_reviewed() -> None:
    check(POEM, [agent(THREE), accept(), agent(POEM)], expect=POEM, pending=[("THREE\n", "line 3\n")])


def test_only_what_differs_moves_when_the_file_comes_back() -> None:
    both = THREE.replace("line 5\n", "FIVE\n")
    check(
        POEM,
        [agent(THREE), agent(both), accept("THREE\n"), person(THREE)],
        expect=THREE,
        agreed=THREE,
        pending=[],
    )
