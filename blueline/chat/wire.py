"""The Agent Client Protocol: what its messages say, in our own values. Nothing else knows its format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from blueline.chat.call_recorder import Diff

Json = dict[str, Any]

LONGEST_TITLE = 500
LONGEST_OUTPUT = 20_000
LONGEST_COMMAND = 2_000
MOST_COMMANDS = 200
MOST_SUGGESTIONS = 5
LONGEST_SUGGESTION = 2_000
KINDS = ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other")
STATUSES = ("pending", "in_progress", "completed", "failed")


class Model(Protocol):
    """A message as the package gives it."""

    def model_dump(self, *, by_alias: bool, exclude_none: bool, mode: str) -> Json: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A piece of a message."""

    kind: str
    """agent, thought or user."""
    text: str
    message: str = ""
    """The agent's name for the message it is a piece of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """A tool call, or more of it: what is not said is None."""

    id: str
    told: Mapping[str, Any]
    """Fields of `call_recorder.Told`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPlan:
    """What the agent intends to do, step by step."""

    steps: tuple[tuple[str, str], ...]
    """Each with its status."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """What can be typed with a slash before it."""

    commands: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """What the agent thinks a person may want to say next."""

    texts: tuple[str, ...]


Said = Words | Doing | AgentPlan | Commands | Suggestions | None

_WORDS = {"agent_message_chunk": "agent", "agent_thought_chunk": "thought", "user_message_chunk": "user"}


def plain(model: Model) -> Json:
    """A message as plain values."""
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")


def said(update: Json) -> Said:
    """What an update says; None if nothing that is shown."""
    match kind := update.get("sessionUpdate"):
        case "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk":
            text = _content(update.get("content"))
            return Words(kind=_WORDS[str(kind)], text=text, message=_text(update.get("messageId")))
        case "tool_call" | "tool_call_update":
            return doing(update)
        case "plan":
            steps = [one for one in _list(update.get("entries")) if isinstance(one, dict)]
            found = ((_text(one.get("content")), _text(one.get("status"))) for one in steps)
            return AgentPlan(steps=tuple(found))
        case "available_commands_update":
            offered = [one for one in _list(update.get("availableCommands")) if isinstance(one, dict)]
            named = ((_text(one.get("name")), _text(one.get("description"))) for one in offered)
            return Commands(commands=tuple(named)[:MOST_COMMANDS])
        case "session_info_update":
            return _suggestions(update.get("_meta"))
        case _:
            return None


def _suggestions(meta: object) -> Suggestions | None:
    """The protocol has no place of its own for them; this one names no vendor."""
    told = meta.get("promptSuggestions") if isinstance(meta, dict) else None
    if not isinstance(told, dict):
        return None
    offered = [one for one in _list(told.get("suggestions")) if isinstance(one, dict)]
    texts = (_text(one.get("text")).strip()[:LONGEST_SUGGESTION] for one in offered)
    return Suggestions(texts=tuple(text for text in texts if text)[:MOST_SUGGESTIONS])


def doing(update: Json) -> Doing | None:
    """What is said of a tool call."""
    name = _text(update.get("toolCallId"))
    if not name:
        return None
    content = _list(update["content"]) if "content" in update else None
    given = update.get("rawInput")
    given = given if isinstance(given, dict) else {}
    kind, status = update.get("kind"), update.get("status")
    places = [
        one for one in _list(update.get("locations")) if isinstance(one, dict) and _text(one.get("path"))
    ]
    diffs = tuple(diff for one in content or () if (diff := _diff(one)) is not None) or _given(given)
    output = "".join(_output(one) for one in content or ())[:LONGEST_OUTPUT]
    told: Json = {
        "kind": kind if kind in KINDS else None,
        "status": status if status in STATUSES else None,
        "title": _text(update.get("title"))[:LONGEST_TITLE] or None,
        "tool": tool_of(update) or None,
        "paths": tuple(_text(one["path"]) for one in places) or None,
        "lines": {_text(one["path"]): one["line"] for one in places if isinstance(one.get("line"), int)}
        or None,
        "diffs": diffs or None,
        "command": _command(given)[:LONGEST_COMMAND] or None,
        "output": output or None,
    }
    if status == "failed" and output:
        told["error"] = output[:LONGEST_TITLE]
    return Doing(id=name, told=told)


def tool_of(update: Json) -> str:
    """What the agent itself calls the tool, where it says so."""
    meta = update.get("_meta")
    claude = meta.get("claudeCode") if isinstance(meta, dict) else None
    return _text(claude.get("toolName")) if isinstance(claude, dict) else ""


def _diff(content: object) -> Diff | None:
    if not isinstance(content, dict) or content.get("type") != "diff":
        return None
    path, old, new = _text(content.get("path")), content.get("oldText"), content.get("newText")
    if not path or not isinstance(new, str):
        return None
    return Diff(path=path, old=old if isinstance(old, str) else None, new=new)


# The same thing in different spellings.
PATH = ("file_path", "filePath", "path")
OLD = ("old_string", "oldString", "old_str")
NEW = ("new_string", "newString", "new_str")
CONTENT = ("content", "file_text")


def _given(given: Json) -> tuple[Diff, ...]:
    """What a tool was given to do, for agents that tell only that."""
    path, old, new, content = (
        next((given[key] for key in keys if isinstance(given.get(key), str)), None)
        for keys in (PATH, OLD, NEW, CONTENT)
    )
    if not path:
        return ()
    if old is not None and new is not None:
        return (Diff(path=_text(path), old=_text(old) or None, new=_text(new)),)
    if content is not None:
        return (Diff(path=_text(path), old=None, new=_text(content), is_whole=True),)
    return ()


def _output(content: object) -> str:
    if isinstance(content, dict) and content.get("type") == "content":
        return _content(content.get("content"))
    return ""


def _content(block: object) -> str:
    """A block of content as text: what is not text is named."""
    if not isinstance(block, dict):
        return ""
    match block.get("type"):
        case "text":
            return _text(block.get("text"))
        case "resource_link":
            return _text(block.get("uri"))
        case "resource":
            inner = block.get("resource")
            return _text(inner.get("text")) if isinstance(inner, dict) else ""
        case kind:
            return f"[{_text(kind)}]"


def _command(given: Json) -> str:
    found = given.get("command")
    if isinstance(found, list):
        return " ".join(_text(one) for one in found)
    return _text(found)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    """A string without halves of characters, which cannot be stored."""
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
