"""What is told while a turn runs, and to agents of each make."""

from __future__ import annotations

import fcntl
import json
import os

import pytest

from tests.support.project import POEM, Make
from tests.support.talking import BACK, KEPT, heard


def test_z61_what_was_taken_back_while_the_turn_ran_is_told_at_its_end_once(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.reject("a.md", reason="no")
    assert heard(p, "Stop", stop_hook_active=True) == ""
    assert "  | no\n" in heard(p, "Stop", stop_hook_active=False)
    assert heard(p, "Stop", stop_hook_active=False) == ""
    assert heard(p) == ""


def test_z61_a_turn_is_not_kept_going_for_what_was_kept(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.accept("a.md")
    assert heard(p, "Stop", stop_hook_active=False) == ""
    assert KEPT in heard(p)


def test_z61_a_queued_rejection_is_carried_out_by_the_hook_at_the_calls_end(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    call = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    done = p.command("reject", "a.md", "--reason", "no shouting")
    assert done.returncode == 0
    assert "Queued (decision d1): it is carried out as soon as the agent's call has ended." in done.stdout
    assert "an agent is writing to a.md" in done.stdout
    assert "queued" in p.command("list").stdout
    assert "queued: d1 is carried out when" in p.command("show", p.hunk("THREE")).stdout
    p.sub("a.md", "line 9\n", "NINE\n")
    assert p.hook(p.after(call)) == (0, b"", b"")
    assert p.text("a.md") == POEM.replace("line 9\n", "NINE\n")  # by no command of ours
    assert "  | no shouting\n" in heard(p, "Stop", stop_hook_active=False)
    assert [hunk["new"] for hunk in p.hunks()] == ["NINE\n"]
    assert not (p.state / "queued").exists()


def test_z61_a_queued_rejection_can_be_taken_back_before_and_after_its_time(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    call = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    queued = p.reject("a.md")["decision"]
    assert p.undo(queued)["of"] == queued
    assert not (p.state / "queued").exists()
    queued = p.reject("a.md")["decision"]
    p.sub("a.md", "line 9\n", "NINE\n")
    p.hook(p.after(call))
    assert "THREE" not in p.text("a.md")
    undone = p.undo(queued)
    assert undone["of"] != queued
    assert undone["written"] == ["a.md"]
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "NINE\n")
    assert heard(p) == ""


def test_z61_what_could_not_be_carried_out_at_the_calls_end_is_said(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "alpha\nbravo\ncharlie\n")
    call = p.begin("Edit", "a.md", old_string="bravo\n", new_string="bravo\ndelta\n")
    p.reject(p.turn("first"))
    p.sub("a.md", "bravo\n", "bravo\ndelta\n")
    text = p.text("a.md")
    p.hook(p.after(call))
    assert p.text("a.md") == text
    for _ in range(2):
        assert "d1, which was put off, was not carried out" in p.command("status").stderr
    p.reject()
    assert "not carried out" not in p.command("status").stderr


def test_h11_an_agent_does_not_wait_long_for_what_was_put_off(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    call = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    p.reject("a.md")
    with p.desk():  # another command is busy with the project
        code, out, err = p.hook(p.after(call), "import speech; speech.CARRY_OUT_SECONDS = 0.1")
    assert (code, out, err) == (0, b"", b"")
    # The command that the hook started has its turn now.
    while (p.state / "queued").exists():
        os.sched_yield()
    with (p.state / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    assert p.text("a.md") == POEM


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            {"hook_event_name": "UserPromptSubmit", "model": "gpt-5.5", "turn_id": "1"},
            {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "…"}},
        ),
        (
            {"hook_event_name": "BeforeAgent", "timestamp": "2026-01-01T00:00:00Z"},
            {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "…"}},
        ),
        (
            {
                "hook_event_name": "beforeSubmitPrompt",
                "cursor_version": "3",
                "conversation_id": "conversation-1",
            },
            {"continue": True, "additional_context": "…"},
        ),
        (
            {"hook_event_name": "UserPromptSubmit", "timestamp": "2026-01-01T00:00:00Z"},
            {"additionalContext": "…"},
        ),
        ({"sessionId": "conversation-1", "timestamp": 1}, {"additionalContext": "…"}),
    ],
    ids=["codex", "gemini", "cursor", "copilot with Claude's hooks", "copilot"],
)
def test_each_agent_is_told_in_its_own_words(
    project: Make, event: dict[str, object], said: dict[str, object]
) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.reject("a.md", reason="no")
    raw = json.dumps(
        {"session_id": "conversation-1", "cwd": str(p.root), "prompt": "go on", **event}
    ).encode()
    code, out, err = p.hook(raw)
    assert (code, err) == (0, b"")
    text = next(text for text in _strings(json.loads(out)) if "Blueline" in text)
    assert "  | no\n" in text
    assert json.loads(out.replace(json.dumps(text).encode(), '"…"'.encode())) == said
    assert p.hook(raw) == (0, b"", b"")


def test_the_plugin_of_opencode_gets_the_text_itself(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.reject("a.md", reason="nö")
    event = {"hook_event_name": "chat.message", "session_id": p.conversation, "prompt": "go on"}
    raw = json.dumps({**event, "cwd": str(p.root)}).encode()
    code, out, err = p.hook(raw, "recorder.main('opencode')")
    assert (code, err) == (0, b"")
    assert out.decode().startswith("Blueline, ")
    assert "  | nö\n" in out.decode()


def _strings(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in _strings(item)]
    return [value] if isinstance(value, str) else []


def test_an_agent_that_cannot_be_told_is_not_taken_for_one_that_was(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.reject("a.md", reason="no")
    raw = json.dumps({"agent_action_name": "pre_user_prompt", "trajectory_id": "conversation-1"}).encode()
    assert p.hook(raw) == (0, b"", b"")
    assert BACK in heard(p)
