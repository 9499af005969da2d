"""What Claude Code's payloads mean."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.adapters import ADAPTERS, interpret
from blueline.model.edit import Replacement
from blueline.model.notice import (
    CallBegan,
    CallFinished,
    ConversationEnded,
    Nothing,
    Notice,
    PromptGiven,
    TurnStopped,
)
from tests.support.record_payloads import PAYLOADS

CONVERSATION = "00000000-0000-4000-8000-00000000c001"
PROMPT: dict[str, object] = {"prompt": "00000000-0000-4000-8000-00000000b001"}
SUBAGENT: dict[str, object] = {**PROMPT, "subagent": {"id": "a0000000000000001", "type": "general-purpose"}}


def said(raw: bytes) -> Notice:
    (notice,) = interpret("claude-code", raw)
    return notice


def payload(**fields: object) -> bytes:
    return json.dumps({"session_id": "one", **fields}).encode()


def key(call: str) -> str:
    return f"{CONVERSATION}/{call}"


MEANINGS: dict[str, Notice] = {
    "user-prompt-submit": PromptGiven(conversation=CONVERSATION, prompt="first prompt"),
    "pre-tool-use-edit": CallBegan(
        conversation=CONVERSATION,
        key=key("toolu_0004"),
        tool="Edit",
        edits=(Replacement(old="one", new="ONE"),),
        about=PROMPT,
    ),
    "post-tool-use-edit": CallFinished(
        conversation=CONVERSATION,
        key=key("toolu_0004"),
        tool="Edit",
        failed=False,
        edits=(Replacement(old="one", new="ONE"),),
        about=PROMPT,
    ),
    "pre-tool-use-write": CallBegan(
        conversation=CONVERSATION, key=key("toolu_0006"), tool="Write", content="hello\n", about=PROMPT
    ),
    "post-tool-use-write-create": CallFinished(
        conversation=CONVERSATION,
        key=key("toolu_0006"),
        tool="Write",
        failed=False,
        content="hello\n",
        about=PROMPT,
    ),
    "post-tool-use-write-update": CallFinished(
        conversation=CONVERSATION,
        key=key("toolu_0008"),
        tool="Write",
        failed=False,
        content="ONE\ntwo\nTHREE\n",
        about=PROMPT,
    ),
    "post-tool-use-failure-write": CallFinished(
        conversation=CONVERSATION,
        key=key("toolu_0012"),
        tool="Write",
        failed=True,
        content="lost\n",
        about={
            **PROMPT,
            "error": "Refusing to write /project/nowhere/x.md: its parent-directory symlink resolution "
            "changed after permission was checked.",
        },
    ),
    "pre-tool-use-write-subagent": CallBegan(
        conversation=CONVERSATION, key=key("toolu_0021"), tool="Write", content="part\n", about=SUBAGENT
    ),
    "post-tool-use-write-create-subagent": CallFinished(
        conversation=CONVERSATION,
        key=key("toolu_0021"),
        tool="Write",
        failed=False,
        content="part\n",
        about=SUBAGENT,
    ),
    "pre-tool-use-bash": CallBegan(
        conversation=CONVERSATION, key=key("toolu_0015"), tool="Bash", about=PROMPT
    ),
    "post-tool-use-bash": CallFinished(
        conversation=CONVERSATION, key=key("toolu_0015"), tool="Bash", failed=False, about=PROMPT
    ),
    "post-tool-use-failure-bash": CallFinished(
        conversation=CONVERSATION,
        key=key("toolu_0017"),
        tool="Bash",
        failed=True,
        about={**PROMPT, "error": "Exit code 3"},
    ),
    "stop": TurnStopped(conversation=CONVERSATION),
    "session-end": ConversationEnded(conversation=CONVERSATION),
    "session-start-startup": Nothing(why="SessionStart changes nothing"),
    "session-start-resume": Nothing(why="SessionStart changes nothing"),
    "subagent-start": Nothing(why="SubagentStart changes nothing"),
    "subagent-stop": Nothing(why="SubagentStop changes nothing"),
}
for name in ("pre", "post"):
    cell = {"notebook_path": "/project/n.ipynb", "cell_id": "first", "new_source": "x = 2\n"}
    about: dict[str, Any] = {
        "conversation": CONVERSATION,
        "key": key("toolu_0010"),
        "tool": "NotebookEdit",
        "cell": cell,
        "about": PROMPT,
    }
    MEANINGS[f"{name}-tool-use-notebookedit"] = (
        CallBegan(**about) if name == "pre" else CallFinished(**about, failed=False)
    )


@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.json")), ids=lambda path: path.stem)
def test_what_the_real_agent_sends(path: Any) -> None:
    assert said(path.read_bytes()) == MEANINGS[path.stem]


class TestEdits:
    def check(self, tool: str, given: object, expect: tuple[Replacement, ...] | None) -> None:
        raw = payload(hook_event_name="PreToolUse", tool_name=tool, tool_use_id="1", tool_input=given)
        notice = said(raw)
        assert isinstance(notice, CallBegan)
        assert notice.edits == expect

    def test_every_occurrence(self) -> None:
        given = {"old_string": "a", "new_string": "b", "replace_all": True}
        self.check("Edit", given, (Replacement(old="a", new="b", every=True),))

    def test_several_edits_in_one_call(self) -> None:
        steps = [
            {"old_string": "a", "new_string": "b"},
            {"old_string": "", "new_string": "c", "replace_all": True},
        ]
        expect = (Replacement(old="a", new="b"), Replacement(old="", new="c", every=True))
        self.check("MultiEdit", {"edits": steps}, expect)

    @pytest.mark.parametrize(
        ("tool", "given"),
        [
            ("Edit", {"path": "a.md", "old_str": "a", "new_str": "b"}),
            ("Edit", {"old_string": 3, "new_string": "b"}),
            ("Edit", "text"),
            ("Edit", None),
            ("MultiEdit", {"edits": [{"old_string": "a", "new_string": "b"}, None]}),
            ("MultiEdit", {"edits": []}),
            ("MultiEdit", {"edits": {"old_string": "a"}}),
            ("Write", {"old_string": "a", "new_string": "b"}),
        ],
    )
    def test_what_cannot_be_used_is_left_to_the_bytes(self, tool: str, given: object) -> None:
        self.check(tool, given, None)


def test_a_call_without_an_id_is_known_by_its_file() -> None:
    given = {"path": "/p/a.md", "old_str": "a", "new_str": "b"}
    began = said(payload(hook_event_name="PreToolUse", tool_name="Edit", tool_input=given))
    ended = said(payload(hook_event_name="PostToolUse", tool_name="Edit", tool_input=given))
    assert isinstance(began, CallBegan)
    assert isinstance(ended, CallFinished)
    assert began.key == ended.key == "one/Edit:/p/a.md"


def test_what_the_agent_did_with_the_edit_is_kept() -> None:
    response = {"userModified": True, "staged": True, "filePath": "a.md"}
    notice = said(
        payload(hook_event_name="PostToolUse", tool_name="Edit", tool_use_id="1", tool_response=response)
    )
    assert isinstance(notice, CallFinished)
    assert notice.about == {"user_modified": True, "staged": True}


def test_halves_of_characters_become_what_the_agent_writes_for_them() -> None:
    raw = b'{"session_id":"one","hook_event_name":"UserPromptSubmit","prompt":"a\\ud800b \\ud83d\\ude00"}'
    assert said(raw) == PromptGiven(conversation="one", prompt="a\ufffdb \U0001f600")


def test_control_characters_and_long_numbers_are_no_obstacle() -> None:
    raw = (
        b'{"session_id":"one","hook_event_name":"UserPromptSubmit","prompt":"a\tb","n":' + b"9" * 9999 + b"}"
    )
    assert said(raw) == PromptGiven(conversation="one", prompt="a\tb")


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
def test_what_cannot_be_understood_says_why(raw: bytes, why: str) -> None:
    notice = said(raw)
    assert isinstance(notice, Nothing)
    assert why in notice.why


def test_an_unknown_agent_says_nothing() -> None:
    (notice,) = interpret("no\nbody", b"{}")
    assert notice == Nothing(why="no adapter is called 'no\\nbody'")


def test_adapters_know_their_names() -> None:
    assert {name: load().NAME for name, load in ADAPTERS.items()} == {"claude-code": "claude-code"}


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    "tool_name",
    "tool_input",
    "tool_use_id",
    "tool_response",
    "prompt",
    "prompt_id",
    "agent_id",
    "error",
)
EVENTS = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
fields = st.fixed_dictionaries(
    {},
    optional={
        "session_id": st.just("one") | anything,
        "hook_event_name": st.sampled_from(EVENTS) | anything,
        **dict.fromkeys(FIELDS, anything),
        "tool_name": st.sampled_from(["Edit", "MultiEdit", "Write", "NotebookEdit"]) | anything,
        "tool_input": st.dictionaries(
            st.sampled_from(["old_string", "new_string", "edits", "content", "file_path", "replace_all"]),
            anything,
        ),
    },
)


@given(fields)
def test_wrong_types_anywhere_never_fail(event: dict[str, object]) -> None:
    for notice in interpret("claude-code", json.dumps(event).encode()):
        # Whatever comes of it can be stored.
        assert str(notice).encode()


@given(st.binary())
def test_noise_never_fails(raw: bytes) -> None:
    assert isinstance(said(raw), Nothing)
