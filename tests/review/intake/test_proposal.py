"""Proposals: rule C3, each in a short history."""

from __future__ import annotations

from tests.review.histories import POEM, THREE
from tests.support.history import History, accept, agent, check, person

# C3: proposals


def test_a_proposal_lands_in_the_text_as_it_is_by_then() -> None:
    check(
        POEM,
        [agent(THREE, held=True), person("mine\n" + POEM), accept()],
        expect="mine\n" + THREE,
        agreed="mine\n" + THREE,
    )


def test_of_two_proposals_for_one_text_only_one_can_land() -> None:
    history = History(POEM)
    history.agent(THREE, held=True)
    history.agent(POEM.replace("line 3\n", "drei\n"), held=True)
    history.decide("accept", history.hunk("THREE\n"))
    (other,) = history.hunks()
    assert [need.why for need in history.decide("accept", other.hunk.pieces).needs] == ["moved-on"]
    assert history.text == THREE
