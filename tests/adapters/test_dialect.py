"""What every dialect withstands: messages that are odd, wrong or none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.adapters import ADAPTERS, interpret
from blueline.hook import hosts
from blueline.model.notice import CallBegan, CallFinished, Nothing, Notice, PromptGiven
from tests.adapters.meaning import AGENTS, began, finished, meaning


def payload(**fields: object) -> dict[str, Any]:
    return {"session_id": "one", **fields}


@AGENTS
def test_halves_of_characters_become_what_agents_write_for_them(agent: str) -> None:
    raw = b'{"session_id":"one","hook_event_name":"UserPromptSubmit","prompt":"a\\ud800b \\ud83d\\ude00"}'
    assert meaning(agent, raw) == PromptGiven(conversation="one", prompt="a\ufffdb \U0001f600")


@AGENTS
def test_control_characters_and_long_numbers_are_no_obstacle(agent: str) -> None:
    raw = (
        b'{"session_id":"one","hook_event_name":"UserPromptSubmit","prompt":"a\tb","n":' + b"9" * 9999 + b"}"
    )
    assert meaning(agent, raw) == PromptGiven(conversation="one", prompt="a\tb")


@AGENTS
@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "not a payload"),
        (b"\xff\xfe", "not a payload"),
        (b"[" * 100_000, "not a payload"),
        (b"[]", "not an object"),
        (b"null", "not an object"),
        (b"{}", "no conversation"),
        (payload(session_id=3), "no conversation"),
        (payload(), "an event without a name"),
        (payload(hook_event_name=["Stop"]), "an event without a name"),
        (payload(hook_event_name="Brand New"), "Brand New"),
        (payload(hook_event_name="PreToolUse"), "names no tool"),
        (payload(hook_event_name="PreToolUse", tool_name={"a": 1}), "names no tool"),
    ],
)
def test_what_cannot_be_understood_says_why(agent: str, raw: bytes | dict[str, Any], why: str) -> None:
    notice = meaning(agent, raw)
    assert isinstance(notice, Nothing)
    assert why in notice.why


@AGENTS
def test_a_call_without_a_name_is_known_by_what_it_was_given(agent: str) -> None:
    given = {"path": "/p/a.md", "n": [1, {"b": None}]}
    before = payload(hook_event_name="PreToolUse", tool_name="Edit", tool_input=given)
    after = payload(hook_event_name="PostToolUse", tool_name="Edit", tool_input=dict(reversed(given.items())))
    assert began(agent, before).key == finished(agent, after).key
    before["tool_input"] = {**given, "n": []}
    assert began(agent, before).key != finished(agent, after).key


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "tool_use_id",
    "tool_response",
    "tool_result",
    "toolResult",
    "prompt",
    "prompt_id",
    "turn_id",
    "agent_id",
    "error",
    "error_message",
    "is_interrupt",
    "generation_id",
    "execution_id",
    "sessionId",
    "toolName",
]
GIVEN = [
    "old_string",
    "new_string",
    "edits",
    "content",
    "file_path",
    "replace_all",
    "command",
    "description",
    "path",
    "old_str",
    "new_str",
    "file_text",
    "patchText",
    "input",
    "mode",
    "user_prompt",
]
TOOLS = sorted({tool for tools in hosts.EDITING.values() for tool in tools} | {"Bash", "run_command"})
given_to_tools = st.dictionaries(st.sampled_from(GIVEN), anything) | anything
fields = st.fixed_dictionaries(
    {},
    optional={
        "session_id": st.just("one") | anything,
        "hook_event_name": st.sampled_from(["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"])
        | anything,
        **dict.fromkeys(KEYS, anything),
        "tool_name": st.sampled_from(TOOLS) | anything,
        "tool_input": given_to_tools,
        "tool_info": given_to_tools,
        "toolArgs": given_to_tools,
    },
)


def can_be_stored(notice: Notice) -> bool:
    if isinstance(notice, CallBegan | CallFinished):
        json.dumps(notice.about)
    return bool(str(notice).encode())


@given(st.sampled_from(sorted(ADAPTERS)), fields)
def test_wrong_types_anywhere_never_fail(agent: str, event: dict[str, object]) -> None:
    for notice in interpret(agent, json.dumps(event).encode()):
        assert can_be_stored(notice)


@given(st.sampled_from(sorted(ADAPTERS)), st.binary())
def test_noise_never_fails(agent: str, raw: bytes) -> None:
    assert isinstance(meaning(agent, raw), Nothing)
