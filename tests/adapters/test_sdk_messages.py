"""What Blueline's own messages mean."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.adapters import ADAPTERS, interpret, sdk_messages
from blueline.model.edit import Replacement
from blueline.model.notice import (
    CallBegan,
    CallFinished,
    CallGrew,
    ConversationEnded,
    Nothing,
    Notice,
    PromptGiven,
    TurnStopped,
)

CALL: dict[str, Any] = {"call": "seven", "tool": "edit_file"}
NAMED: dict[str, Any] = {"conversation": "one", "key": "one/seven", "tool": "edit_file"}
OURS: dict[str, Any] = {**NAMED, "by_us": True}


def message(event: str, **fields: object) -> bytes:
    about = {"blueline": 1, "event": event, "agent": "my-agent", "conversation": "one", **fields}
    return json.dumps(about, separators=(",", ":")).encode()


def said(event: str, **fields: object) -> Notice:
    (notice,) = interpret("my-agent", message(event, **fields))
    return notice


def test_each_event_has_its_notice() -> None:
    assert said("prompt", prompt="hello") == PromptGiven(conversation="one", prompt="hello")
    assert said("stop") == TurnStopped(conversation="one", busy=None)
    assert said("end") == ConversationEnded(conversation="one")
    assert said("before", **CALL) == CallBegan(**OURS)
    assert said("after", **CALL) == CallFinished(**OURS, failed=False)
    assert said("after", **CALL, failed=True, error="why").about == {"error": "why"}  # type: ignore[union-attr]
    assert said("after", **CALL, partial=True) == CallGrew(**NAMED)
    assert said("found", **CALL) == CallGrew(**NAMED, by_others=True)


def test_what_a_call_is_about() -> None:
    edits = [{"old": "a", "new": "b", "every": True}, {"old": "c", "new": "d"}]
    notice = said("before", **CALL, edits=edits, proposal=True, reason="it reads better")
    assert notice == CallBegan(
        **OURS,
        edits=(Replacement(old="a", new="b", every=True), Replacement(old="c", new="d")),
        about={"reason": "it reads better"},
    )
    assert said("before", **CALL, content="") == CallBegan(**OURS, content="")
    cell: dict[str, object] = {"edit_mode": "insert", "cell_id": "one", "new_id": "two"}
    assert said("before", **CALL, cell=cell) == CallBegan(**OURS, section=cell, about={"cell": "two"})


@pytest.mark.parametrize("name", ["my-agent", *ADAPTERS])
def test_the_mark_counts_not_the_name_of_the_agent(name: str) -> None:
    assert list(interpret(name, message("stop"))) == [TurnStopped(conversation="one", busy=None)]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b'{"blueline":1,',
        b'{"blueline":1,"event":"prompt"}',
        b'{"blueline":1,"event":"before","conversation":"one","tool":"x"}',
        b'{"blueline":1,"event":"dance","conversation":"one"}',
        b'{"blueline":1,"event":["before"],"conversation":"one"}',
        b'["not", "an", "object"]',
        b"\xff\xfe",
    ],
)
def test_what_cannot_be_understood_is_nothing(raw: bytes) -> None:
    (notice,) = sdk_messages.interpret(raw)
    assert isinstance(notice, Nothing)


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from(["prompt", "before", "after", "found", "stop", "end"]),
    st.dictionaries(
        st.sampled_from(["call", "tool", "edits", "content", "cell", "prompt", "reason", "partial"]), _JSON
    ),
)
def test_no_message_makes_it_fail(event: str, fields: dict[str, Any]) -> None:
    assert len(list(sdk_messages.interpret(message(event, **fields)))) == 1
