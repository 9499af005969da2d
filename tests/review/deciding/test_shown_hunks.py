"""All that is shown of a file's hunks."""

from __future__ import annotations

from blueline.model.answer import STATES, UNDECIDED
from blueline.review.deciding.shown_hunks import shown_file, shown_parts
from tests.review.histories import POEM, THREE
from tests.support.history import History


def test_a_hunk_has_its_lines_and_its_call() -> None:
    history = History(POEM)
    history.prompt()
    history.agent(THREE)
    (one,) = shown_file(history.ledger, history.file, UNDECIDED).hunks
    assert (one.old.text, one.new.text, one.in_file.start) == ("line 3\n", "THREE\n", 2)
    assert one.call is not None
    assert one.call.tool == "Write"
    assert one.makers == {"one"}


def test_hunks_know_who_builds_on_them() -> None:  # A1
    history = History(POEM)
    history.agent(THREE)
    history.agent(THREE.replace("THREE\n", "FOUR\n"))
    first, second = shown_file(history.ledger, history.file, UNDECIDED).hunks
    assert second.builds_on == [first.hunk.id]
    assert first.built_on_by == [second.hunk.id]


def test_decided_ones_are_shown_with_their_lines_to_whoever_asks() -> None:
    history = History(POEM)
    history.agent(THREE)
    history.decide("accept", history.everything())
    assert [one.new.text for one in shown_file(history.ledger, history.file, UNDECIDED).hunks] == [None]
    assert [one.new.text for one in shown_file(history.ledger, history.file, STATES).hunks] == ["THREE\n"]


def test_parts_are_those_of_the_operations_that_are_asked_for() -> None:
    history = History(POEM)
    history.agent(THREE)
    history.agent(THREE.replace("line 5\n", "FIVE\n"))
    history.decide("reject", history.lines(3, 3))
    shown = [one.hunk for one in shown_file(history.ledger, history.file, STATES).hunks]
    ops, wholes = [hunk.operation.number for hunk in shown], [hunk.whole for hunk in shown]
    found = shown_parts(history.ledger, {history.file.number: {ops[0]}}, wholes)
    assert [(one.old.text, one.new.text) for one in found] == [("line 3\n", "THREE\n")]
    assert found[0].decision is not None
    assert found[0].decision.verdict == "reject"
    assert shown_parts(history.ledger, {99: {1}}, ()) == []
