"""Which call a message is about, when names come again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blueline.model.call_about import CallAbout
from blueline.model.notice import CallBegan, CallFinished
from blueline.review.intake.call_identity import is_another
from blueline.review.ledger import Call, Turn

TURN = Turn(number=1, conversation="one", agent="x", prompt="p", started="", order=1)
OPEN = Call(number=1, turn=1, key="one/k", tool="Edit", path=None, started="", about=CallAbout(), order=2)
DONE = replace(OPEN, ended="then", outcome="done")
LOST = replace(OPEN, ended="then", outcome="lost")
HELD = replace(OPEN, ended="then", outcome="held")
BEGAN = CallBegan(conversation="one", key="one/k", tool="Edit", content="x")
ENDED = CallFinished(conversation="one", key="one/k", tool="Edit", content="x", failed=False)
OTHERS = replace(BEGAN, about={"subagent": {"id": "a"}})
LATER = replace(TURN, number=2)


@pytest.mark.parametrize(
    ("known", "notice", "turn", "expect"),
    [
        pytest.param(OPEN, BEGAN, TURN, False, id="told twice"),
        pytest.param(OPEN, replace(BEGAN, content="y"), TURN, True, id="never ended, and another begins"),
        pytest.param(OPEN, OTHERS, TURN, True, id="of a sub-agent"),
        pytest.param(OPEN, ENDED, TURN, False, id="its end"),
        pytest.param(OPEN, replace(ENDED, content="y"), TURN, False, id="its end, with other words"),
        pytest.param(DONE, BEGAN, TURN, True, id="again in the same turn"),
        pytest.param(DONE, BEGAN, LATER, True, id="again in a later turn"),
        pytest.param(DONE, BEGAN, None, True, id="again after the turn"),
        pytest.param(DONE, ENDED, TURN, False, id="the end told twice"),
        pytest.param(DONE, replace(ENDED, content="y"), TURN, True, id="an end whose beginning was missed"),
        pytest.param(DONE, replace(BEGAN, by_us=True), TURN, False, id="told by the chat as well"),
        pytest.param(DONE, replace(ENDED, by_us=True), TURN, False, id="its end told by the chat as well"),
        pytest.param(LOST, ENDED, TURN, False, id="the end of one that was given up"),
        pytest.param(LOST, BEGAN, TURN, True, id="after one that was given up"),
        pytest.param(HELD, BEGAN, TURN, False, id="refused by two hooks"),
        pytest.param(HELD, replace(BEGAN, content="y"), TURN, True, id="after one that was refused"),
        pytest.param(OPEN, replace(BEGAN, unnamed=True), TURN, False, id="without a name, open"),
        pytest.param(DONE, replace(BEGAN, unnamed=True), TURN, True, id="without a name, ended"),
    ],
)
def test_a_call_is_known_by_turn_id_and_order(
    known: Call, notice: CallBegan | CallFinished, turn: Turn | None, expect: bool
) -> None:
    assert is_another(known, notice, turn, lambda call: BEGAN) is expect


def test_an_end_may_say_what_was_not_known_at_the_beginning() -> None:
    began = replace(BEGAN, tool="Bash", content=None, by_us=True)
    ended = replace(ENDED, tool="Bash", content=None, by_us=True, about={"command": "true"})
    assert not is_another(DONE, ended, TURN, lambda call: began)
    assert is_another(DONE, replace(ended, tool="Edit"), TURN, lambda call: began)
