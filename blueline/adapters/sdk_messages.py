"""Blueline's own messages: what the SDK and the MCP server say of the calls they make.

A message is one JSON object with `"blueline": 1` as its first member. Others say what their hooks were told;
these say what was done, by the program that did it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

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

LONGEST_ERROR = 500
LONGEST_COMMAND = 2000

Event = dict[str, Any]


def interpret(raw: bytes) -> Iterable[Notice]:
    """What one message says happened. Never fails: what cannot be understood is `Nothing`."""
    try:
        return (_notice(json.loads(raw)),)
    except (ValueError, RecursionError) as error:
        return (Nothing(why=f"not a message: {type(error).__name__}"),)


def _notice(event: Any) -> Notice:
    if not isinstance(event, dict):
        return Nothing(why="not an object")
    conversation = _text(event.get("conversation"))
    if not conversation:
        return Nothing(why="no conversation is named")
    match event.get("event"):
        case "prompt":
            given = {name: _text(event.get(name)) or "" for name in ("prompt", "chat")}
            return PromptGiven(conversation=conversation, **given)
        case "before" | "after" | "found":
            return _call(event, conversation)
        case "stop":
            return TurnStopped(conversation=conversation, busy=None)
        case "end":
            return ConversationEnded(conversation=conversation)
        case name:
            return Nothing(why=f"{name!r} changes nothing")


def _call(event: Event, conversation: str) -> Notice:
    call, tool = _text(event.get("call")), _text(event.get("tool"))
    if not call or not tool:
        return Nothing(why="no call is named")
    named = {"conversation": conversation, "key": f"{conversation}/{call}", "tool": tool}
    if event["event"] == "found" or event.get("partial") is True:
        by_others = event["event"] == "found"
        return CallGrew(**named, by_others=by_others, inserted=_span(event.get("inserted")))
    cell = event.get("cell")
    said: dict[str, Any] = {
        **named,
        "edits": _edits(event.get("edits")),
        "content": _text(event.get("content")),
        "section": cell if isinstance(cell, dict) else None,
        "by_us": True,
        "about": _about(event),
    }
    if event["event"] == "before":
        return CallBegan(**said)
    return CallFinished(**said, failed=event.get("failed") is True)


def _edits(steps: object) -> tuple[Replacement, ...] | None:
    if not isinstance(steps, list) or not steps:
        return None
    found = []
    for step in steps:
        old, new = (_text(step.get(side)) for side in ("old", "new")) if isinstance(step, dict) else (0, 0)
        if not isinstance(old, str) or not isinstance(new, str):
            return None
        found.append(Replacement(old=old, new=new, every=step.get("every") is True))
    return tuple(found)


def _span(value: object) -> tuple[int, int] | None:
    match value:
        case [int(at), int(length)] if at >= 0 < length:
            return at, length
        case _:
            return None


def _about(event: Event) -> dict[str, object]:
    """What else is worth knowing of a call."""
    about: dict[str, object] = {}
    if event.get("exact") is True:
        about["exact"] = True
    if reason := _text(event.get("reason")):
        about["reason"] = reason
    if error := _text(event.get("error")):
        about["error"] = error[:LONGEST_ERROR]
    if command := _text(event.get("command")):
        about["command"] = command[:LONGEST_COMMAND]
    if event.get("incomplete") is True:
        about["incomplete"] = True
    cell = event.get("cell")
    if isinstance(cell, dict):
        about["cell"] = _text(cell.get("new_id")) or _text(cell.get("cell_id"))
    return about


def _text(value: object) -> str | None:
    """A string without halves of characters, which cannot be stored."""
    if not isinstance(value, str) or value.isascii():
        return value if isinstance(value, str) else None
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
