"""What agents' messages have in common, and how each says it.

All of them send JSON objects that name an event, a conversation, a tool and what it was given; they differ in
the spelling. Which event means what is in `hook/hosts.py`, as the hook needs it first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from blueline.adapters.patch_text import patches
from blueline.hook import hosts
from blueline.model.edit import Replacement
from blueline.model.notice import (
    CallBegan,
    CallFinished,
    ConversationEnded,
    Nothing,
    Notice,
    PromptGiven,
    SubagentBegan,
    SubagentSaid,
    TurnStopped,
)
from blueline.model.patch import Patch

LONGEST_INTEGER = 18
LONGEST_ERROR = 500
LONGEST_COMMAND = 2000

Event = dict[str, Any]
Tools = frozenset[str]
NONE: Tools = frozenset()

# The same thing in different spellings.
OLD = ("old_string", "old_str", "oldString")
NEW = ("new_string", "new_str", "newString")
EVERY = ("replace_all", "replaceAll", "allow_multiple")
CONTENT = ("content", "file_text")
PATH = ("file_path", "path", "filePath")
PATCH = ("command", "input", "patchText", "patch")
COMMAND = ("command", "command_line")
BACKGROUND = ("run_in_background", "is_background")
RESPONSE = ("tool_response", "tool_result", "toolResult")
ERROR = ("error", "error_message")
MODEL = ("model", "model_name")
AGENT_TYPE = ("agent_type", "agentType")

LONGEST_DESCRIPTION = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one agent speaks."""

    replacing: Tools = NONE
    """Tools that replace text by text."""
    writing: Tools = NONE
    """Tools that write a whole file."""
    patching: Tools = NONE
    """Tools that apply a patch to several files."""
    deleting: Tools = NONE
    cells: Tools = NONE
    """Tools that edit a cell of a notebook."""
    shells: Tools = NONE
    """Tools that run a command."""
    signs: bool = True
    """Whether it says which calls a sub-agent makes."""
    groups: tuple[tuple[str, str], ...] = ()
    """What ties calls together: our name for it, and the agent's key."""
    more: Callable[[Event], dict[str, object]] = lambda event: {}
    """What else this agent says of a call."""
    own: Callable[[Event, str, str], Notice | None] = lambda event, name, conversation: None
    """What a message says in words that only this agent has, by its name and conversation."""

    def interpret(self, raw: bytes) -> Iterable[Notice]:
        """What one message says happened. Never fails."""
        try:
            return (self._notice(parsed(raw)),)
        except (ValueError, RecursionError) as error:
            return (Nothing(why=f"not a payload: {type(error).__name__}"),)

    def _notice(self, event: object) -> Notice:
        if not isinstance(event, dict):
            return Nothing(why="not an object")
        said, thread, call = hosts.spoken(event)
        name, conversation = text(said) or "", text(thread)
        if not conversation:
            return Nothing(why="no conversation is named")
        if (own := self.own(event, name, conversation)) is not None:
            return own
        match hosts.PHASES.get(name.lower()):
            case "prompt":
                return PromptGiven(conversation=conversation, prompt=_prompt(event))
            case "before" | "after" as phase:
                return self._call(event, name, phase, conversation, call)
            case "stop":
                return TurnStopped(conversation=conversation)
            case "end":
                return ConversationEnded(conversation=conversation)
            case _:
                return Nothing(why=f"{name or 'an event without a name'} changes nothing")

    def _call(
        self,
        event: Event,
        name: str,
        phase: str,
        conversation: str,
        spoken: tuple[str, object, str, bool, str],
    ) -> Notice:
        called, input_, key, is_named, subagent = spoken
        tool = text(called)
        if not tool:
            return Nothing(why=f"{name} names no tool")
        given = clean(input_)
        fields = given if isinstance(given, dict) else {}
        said: dict[str, Any] = {
            "conversation": conversation,
            "key": text(key),
            "unnamed": not is_named,
            "unsigned": not self.signs,
            "tool": tool,
            "edits": _edits(fields) if tool in self.replacing else None,
            "content": first(fields, CONTENT) if tool in self.writing else None,
            "section": fields if tool in self.cells and fields else None,
            "patches": self._patches(tool, given),
            "about": self._about(event, tool, fields, text(subagent)),
        }
        if phase == "before":
            return CallBegan(**said)
        return CallFinished(**said, failed=_is_failed(event, name))

    def _patches(self, tool: str, given: object) -> tuple[Patch, ...]:
        fields = given if isinstance(given, dict) else {}
        if tool in self.deleting and (path := first(fields, PATH)):
            return (Patch(path=path, deleted=True),)
        if tool not in self.patching:
            return ()
        return patches(given if isinstance(given, str) else first(fields, PATCH) or "")

    def _about(self, event: Event, tool: str, given: Event, subagent: str | None) -> dict[str, object]:
        """What else is worth knowing of a call."""
        about: dict[str, object] = {}
        for name, key in self.groups:
            if value := text(event.get(key)):
                about[name] = value
        if model := first(event, MODEL):
            about["model"] = model
        if tool in self.shells:
            about |= _shell(given)
        if subagent:
            kind = first(event, AGENT_TYPE)
            about["subagent"] = {"id": subagent, **({"type": kind} if kind else {})}
        if error := _error(event):
            about["error"] = error[:LONGEST_ERROR]
        if event.get("is_interrupt") is True or _response(event).get("interrupted") is True:
            about["interrupted"] = True
        return about | self.more(event)


def began(event: Event, conversation: str) -> SubagentBegan:
    """For an event that is about a sub-agent: it works, and for what, if that is said."""
    lines = _prompt(event).strip().splitlines() or [""]
    said = SubagentSaid(
        id=text(hosts.subagent(event)) or "",
        type=first(event, AGENT_TYPE) or "",
        description=lines[0][:LONGEST_DESCRIPTION],
    )
    return SubagentBegan(conversation=conversation, subagent=said)


def _prompt(event: Event) -> str:
    info = event.get("tool_info")
    given = info.get("user_prompt") if isinstance(info, dict) else event.get("prompt")
    return text(given) or ""


def _edits(given: Event) -> tuple[Replacement, ...] | None:
    """What the tool said it would replace; None when it said nothing that can be used."""
    steps = given.get("edits", [given])
    if not isinstance(steps, list) or not steps:
        return None
    found = []
    for step in steps:
        if not isinstance(step, dict):
            return None
        old, new = first(step, OLD), first(step, NEW)
        if old is None or new is None:
            return None
        found.append(Replacement(old=old, new=new, every=any(step.get(key) is True for key in EVERY)))
    return tuple(found)


def _shell(given: Event) -> dict[str, object]:
    about: dict[str, object] = {}
    if command := first(given, COMMAND):
        about["command"] = command[:LONGEST_COMMAND]
    if description := text(given.get("description")):
        about["description"] = description[:LONGEST_COMMAND]
    if any(given.get(key) is True for key in BACKGROUND):
        about["background"] = True
    return about


def _response(event: Event) -> Event:
    for key in RESPONSE:
        if isinstance(event.get(key), dict):
            found: Event = event[key]
            return found
    return {}


def _error(event: Event) -> str | None:
    if error := first(event, ERROR):
        return error
    error = _response(event).get("error") or event.get("error")
    return first(error, ("message",)) if isinstance(error, dict) else text(error)


def _is_failed(event: Event, name: str) -> bool:
    if name.lower().endswith("failure"):
        return True
    response = _response(event)
    kind = response.get("result_type", response.get("resultType", "success"))
    return kind != "success" or bool(response.get("error")) or response.get("exit") not in (None, 0)


# Values


def parsed(raw: bytes) -> object:
    """As forgiving as the recorder, which has looked at the file by then: raw control characters in strings,
    numbers of any length."""
    return _DECODER.decode(raw.decode("utf-8-sig"))


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_INTEGER else digits


_DECODER = json.JSONDecoder(strict=False, parse_int=_integer)


def first(fields: Event, keys: Iterable[str]) -> str | None:
    """The first of these that is a text."""
    for key in keys:
        if key in fields and (value := text(fields[key])) is not None:
            return value
    return None


def text(value: object) -> str | None:
    """A text without halves of characters, which cannot be stored; the agent's own runtime writes U+FFFD
    there. None if it is no text."""
    if not isinstance(value, str):
        return None
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def clean(value: Any) -> Any:
    """The same for all texts in a value."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clean(item) for item in value]
    return value
