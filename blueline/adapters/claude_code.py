"""Claude Code: what its hooks are told, and how they are installed.

The names of events, tools and keys are those of Claude Code's own protocol; what it calls a session is our
conversation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from blueline.adapters.claude_settings import command, install, installed, settings, uninstall
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

__all__ = ["LABEL", "NAME", "command", "install", "installed", "interpret", "settings", "uninstall"]

NAME = "claude-code"
LABEL = "Claude Code"

LONGEST_INTEGER = 18
LONGEST_ERROR = 500

# Changed by the person in the agent's own dialogue; held back by the agent itself.
RESPONSES = {"user_modified": "userModified", "staged": "staged"}

Event = dict[str, Any]


def interpret(raw: bytes) -> Iterable[Notice]:
    """What one hook payload says happened."""
    try:
        return (_notice(_parsed(raw)),)
    except (ValueError, RecursionError) as error:
        return (Nothing(why=f"not a payload: {type(error).__name__}"),)


def _parsed(raw: bytes) -> object:
    import json

    # As forgiving as the recorder, which has looked at the file by then: raw control characters in strings,
    # numbers of any length.
    return json.loads(raw.decode("utf-8-sig"), strict=False, parse_int=_integer)


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_INTEGER else digits


def _notice(event: object) -> Notice:
    if not isinstance(event, dict):
        return Nothing(why="not an object")
    name, conversation = _text(event.get("hook_event_name")), _text(event.get("session_id"))
    if not conversation:
        return Nothing(why="no conversation is named")
    match name:
        case "UserPromptSubmit":
            return PromptGiven(conversation=conversation, prompt=_text(event.get("prompt")) or "")
        case "PreToolUse" | "PostToolUse" | "PostToolUseFailure":
            return _call(event, name, conversation)
        case "Stop":
            return TurnStopped(conversation=conversation)
        case "SessionEnd":
            return ConversationEnded(conversation=conversation)
        case _:
            return Nothing(why=f"{name or 'an event without a name'} changes nothing")


def _call(event: Event, name: str, conversation: str) -> Notice:
    tool = _text(event.get("tool_name"))
    if not tool:
        return Nothing(why=f"{name} names no tool")
    given = _clean(event.get("tool_input"))
    given = given if isinstance(given, dict) else {}
    said: dict[str, Any] = {
        "conversation": conversation,
        "key": f"{conversation}/{_text(event.get('tool_use_id')) or _unnamed(tool, given)}",
        "tool": tool,
        "edits": _edits(tool, given),
        "content": _text(given.get("content")) if tool == "Write" else None,
        "cell": given if tool == "NotebookEdit" and given else None,
        "about": _about(event),
    }
    if name == "PreToolUse":
        return CallBegan(**said)
    return CallFinished(**said, failed=name == "PostToolUseFailure")


def _unnamed(tool: str, given: Event) -> str:
    """For hosts that run Claude's hooks without naming the call: begin and end of it name the same file."""
    path = _text(given.get("file_path") or given.get("notebook_path") or given.get("path"))
    return f"{tool}:{path or ''}"


def _edits(tool: str, given: Event) -> tuple[Replacement, ...] | None:
    """What the tool said it would replace; None when it said nothing that can be used."""
    if tool == "Edit":
        steps: object = [given]
    elif tool == "MultiEdit":
        steps = given.get("edits")
    else:
        return None
    if not isinstance(steps, list) or not steps:
        return None
    found = []
    for step in steps:
        if not isinstance(step, dict):
            return None
        old, new = _text(step.get("old_string")), _text(step.get("new_string"))
        if old is None or new is None:
            return None
        found.append(Replacement(old=old, new=new, every=step.get("replace_all") is True))
    return tuple(found)


def _about(event: Event) -> dict[str, object]:
    """What else is worth knowing of a call."""
    about: dict[str, object] = {}
    if prompt := _text(event.get("prompt_id")):
        about["prompt"] = prompt
    subagent = {key: _text(event.get(f"agent_{key}")) for key in ("id", "type")}
    if subagent["id"]:
        about["subagent"] = {key: value for key, value in subagent.items() if value}
    if error := _text(event.get("error")):
        about["error"] = error[:LONGEST_ERROR]
    response = event.get("tool_response")
    if isinstance(response, dict):
        about |= {name: True for name, key in RESPONSES.items() if response.get(key) is True}
    return about


def _text(value: object) -> str | None:
    cleaned = _clean(value)
    return cleaned if isinstance(cleaned, str) else None


def _clean(value: Any) -> Any:
    """Without halves of characters, which cannot be stored; the agent's own runtime writes U+FFFD there."""
    if isinstance(value, str):
        if value.isascii():
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value
