"""OpenAI's Codex CLI: what its hooks are told, and where they are installed."""

from __future__ import annotations

from blueline.adapters.dialect import Dialect, Event, began, text
from blueline.adapters.hook_settings import HookSettings, nested
from blueline.hook import hosts
from blueline.model.notice import Notice, SubagentFinished, TurnStopped

NAME = "codex"
LABEL = "Codex CLI"
PROGRAM = "codex"
TRACES = (".codex",)
FOLDER = ".codex"
SHARED = True
ADVICE = (
    "Codex runs no hook before you allow it: start codex here, trust the folder, and approve them in /hooks"
)
USER_ADVICE = "Codex runs no hook before you allow it: start codex, and approve them in /hooks"

LONGEST_FAREWELL_SECONDS = 3
"""Codex refuses to wait longer at the end of a conversation."""


def _entry(event: str, matcher: str, run: str) -> dict[str, object]:
    if event != "SessionEnd":
        return nested(event, matcher, run)
    return {"hooks": [{"type": "command", "command": run, "timeout": LONGEST_FAREWELL_SECONDS}]}


def _own(event: Event, name: str, conversation: str) -> Notice | None:
    """Sub-agents, which are in the conversation of their agent. They may go on after it has stopped."""
    subagent = text(hosts.subagent(event))
    match name:
        case "UserPromptSubmit" | "SubagentStart" if subagent:
            return began(event, conversation)
        case "Stop" | "SubagentStop" if subagent:
            return SubagentFinished(conversation=conversation, subagent=subagent)
        case "Stop":
            return TurnStopped(conversation=conversation, busy=None, wakes=False)
        case "PostToolUse" if text(event.get("tool_name")) in hosts.STAFFING[NAME]:
            given = event.get("tool_input")
            closed = text(given.get("target")) if isinstance(given, dict) else None
            return SubagentFinished(conversation=conversation, subagent=closed or "")
        case _:
            return None


DIALECT = Dialect(
    patching=frozenset({"apply_patch"}),
    shells=frozenset({"Bash"}),
    groups=(("turn", "turn_id"),),
    own=_own,
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".codex/hooks.json",
    events=dict.fromkeys(
        (
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "Stop",
            "SubagentStop",
            "SessionStart",
            "SessionEnd",
        ),
        "",
    ),
    entry=_entry,
)
interpret = DIALECT.interpret
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings, for_user = SETTINGS.command, SETTINGS.settings, SETTINGS.for_user
