"""What Claude Code's payloads mean."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from blueline.adapters import interpret
from blueline.adapters.claude_code import CHANGING
from blueline.hook.hosts import EDITING, HARMLESS
from blueline.model.edit import Replacement
from blueline.model.notice import (
    CallBegan,
    CallFinished,
    ConversationEnded,
    Nothing,
    Notice,
    PromptGiven,
    SubagentBegan,
    SubagentFinished,
    SubagentSaid,
    TurnStopped,
    WorkReported,
)
from tests.support.record_payloads import PAYLOADS

CONVERSATION = "00000000-0000-4000-8000-00000000c001"
PROMPT: dict[str, object] = {"prompt": "00000000-0000-4000-8000-00000000b001"}
SHELL: dict[str, object] = {**PROMPT, "command": "echo hello >> b.md"}
SUBAGENT: dict[str, object] = {**PROMPT, "subagent": {"id": "a0000000000000001", "type": "general-purpose"}}


def helper(kind: str, description: str) -> SubagentSaid:
    return SubagentSaid(id="a0000000000000001", type=kind, description=description)


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
        conversation=CONVERSATION, key=key("toolu_0015"), tool="Bash", about=SHELL
    ),
    "post-tool-use-bash": CallFinished(
        conversation=CONVERSATION, key=key("toolu_0015"), tool="Bash", failed=False, about=SHELL
    ),
    "post-tool-use-failure-bash": CallFinished(
        conversation=CONVERSATION,
        key=key("toolu_0017"),
        tool="Bash",
        failed=True,
        about={**PROMPT, "command": "echo hello >> b.md; exit 3", "error": "Exit code 3"},
    ),
    "stop": TurnStopped(conversation=CONVERSATION),
    "session-end": ConversationEnded(conversation=CONVERSATION),
    "session-start-startup": Nothing(why="SessionStart changes nothing"),
    "session-start-resume": Nothing(why="SessionStart changes nothing"),
    "subagent-start": Nothing(why="SubagentStart changes nothing"),
    "subagent-stop": SubagentFinished(conversation=CONVERSATION, subagent="a0000000000000001"),
    "subagent-stop-busy": SubagentFinished(conversation=CONVERSATION, subagent="a0000000000000001"),
    "pre-tool-use-agent": CallBegan(
        conversation=CONVERSATION, key=key("toolu_0019"), tool="Agent", about=PROMPT
    ),
    "post-tool-use-agent-completed": SubagentBegan(
        conversation=CONVERSATION, subagent=helper("general-purpose", "a part"), is_over=True
    ),
    "post-tool-use-agent-async_launched": SubagentBegan(
        conversation=CONVERSATION, subagent=helper("", "a late part")
    ),
    "stop-busy": TurnStopped(conversation=CONVERSATION, busy=(helper("general-purpose", "a late part"),)),
    "user-prompt-submit-news": WorkReported(
        conversation=CONVERSATION, calls=(key("toolu_0025"),), subagents=("a0000000000000001",)
    ),
}
for name in ("pre", "post"):
    cell = {"notebook_path": "/project/n.ipynb", "cell_id": "first", "new_source": "x = 2\n"}
    about: dict[str, Any] = {
        "conversation": CONVERSATION,
        "key": key("toolu_0010"),
        "tool": "NotebookEdit",
        "section": cell,
        "about": PROMPT,
    }
    MEANINGS[f"{name}-tool-use-notebookedit"] = (
        CallBegan(**about) if name == "pre" else CallFinished(**about, failed=False)
    )


@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.json")), ids=lambda path: path.stem)
def test_what_the_real_agent_sends(path: Any) -> None:
    assert said(path.read_bytes()) == MEANINGS[path.stem]


class TestPrompts:
    """What an agent tells itself opens no turn; what a person says always does."""

    NEWS = "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n"

    def check(self, prompt: str, expect: Notice, **fields: object) -> None:
        assert said(payload(hook_event_name="UserPromptSubmit", prompt=prompt, **fields)) == expect

    def test_news_of_a_command_names_the_call_that_started_it(self) -> None:
        self.check(self.NEWS, WorkReported(conversation="one", calls=("one/toolu_1",), subagents=("b1",)))

    @pytest.mark.parametrize("source", ["system", "loop_wakeup", "schedule_wakeup", "poll_event"])
    def test_what_the_agent_arranged_for_itself_goes_on_with_its_turn(self, source: str) -> None:
        self.check("go on", WorkReported(conversation="one"), source=source)

    @pytest.mark.parametrize("source", ["user", "sdk"])
    def test_a_person_may_type_what_looks_like_news(self, source: str) -> None:
        self.check(self.NEWS, PromptGiven(conversation="one", prompt=self.NEWS), source=source)

    def test_words_about_news_are_a_prompt(self) -> None:
        for prompt in ("what is <task-notification>?", "<task-notification> what is this?"):
            self.check(prompt, PromptGiven(conversation="one", prompt=prompt))


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


def test_what_the_agent_did_with_the_edit_is_kept() -> None:
    response = {"userModified": True, "staged": True, "filePath": "a.md"}
    notice = said(
        payload(hook_event_name="PostToolUse", tool_name="Edit", tool_use_id="1", tool_response=response)
    )
    assert isinstance(notice, CallFinished)
    assert notice.about == {"user_modified": True, "staged": True}


class TestShells:
    def about(self, given: Mapping[str, object], **fields: object) -> dict[str, object]:
        event = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "1", **fields}
        notice = said(payload(**event, tool_input=given))
        assert isinstance(notice, CallFinished)
        return notice.about

    def test_what_was_run_is_kept(self) -> None:
        given = {"command": "x" * 3000, "description": "Do it."}
        assert self.about(given) == {"command": "x" * 2000, "description": "Do it."}

    @pytest.mark.parametrize("what", ["asked", "sent"])
    def test_what_goes_on_after_it(self, what: str) -> None:
        given: dict[str, object] = {
            "command": "x",
            **({"run_in_background": True} if what == "asked" else {}),
        }
        response = {"backgroundTaskId": "b1"} if what == "sent" else {}
        assert self.about(given, tool_response=response) == {"command": "x", "background": True}

    def test_what_was_broken_off(self) -> None:
        response = {"stdout": "", "interrupted": True}
        assert self.about({"command": "x"}, tool_response=response)["interrupted"] is True
        assert self.about({"command": "x"}, is_interrupt=True)["interrupted"] is True


@pytest.mark.parametrize(
    ("tool", "wanted"),
    [
        *((tool, False) for tool in sorted(HARMLESS["claude-code"])),
        ("mcp__blueline__edit_file", True),
        *((tool, True) for tool in sorted(EDITING["claude-code"])),
        *((tool, True) for tool in ("Bash", "Skill", "Reader", "PreRead", "mcp__files__Read", "mcp__other")),
    ],
)
def test_hooks_run_for_every_tool_that_may_change_something(tool: str, wanted: bool) -> None:
    assert bool(re.fullmatch(CHANGING, tool)) is bool(re.search(CHANGING, tool)) is wanted
