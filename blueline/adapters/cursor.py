"""Cursor: what its hooks are told, and where they are installed.

One event that it does not know makes Cursor ignore the whole file, so only old ones are asked for. The events
around a tool are enough: those for shell commands and edits would report the same calls once more.
"""

from __future__ import annotations

from blueline.adapters.dialect import Dialect
from blueline.adapters.hook_settings import EMPTY_VERSION_1, TIMEOUT_SECONDS, HookSettings

NAME = "cursor"
LABEL = "Cursor"
PROGRAM = "cursor"
TRACES = (".cursor", ".cursorrules")
FOLDER = ".cursor"
SHARED = True
ADVICE = ""
USER_ADVICE = ""


def _entry(event: str, matcher: str, run: str) -> dict[str, object]:
    return {"command": run, "timeout": TIMEOUT_SECONDS}


DIALECT = Dialect(
    replacing=frozenset({"Edit"}),
    writing=frozenset({"Write"}),
    deleting=frozenset({"Delete"}),
    shells=frozenset({"Shell"}),
    groups=(("generation", "generation_id"), ("parent", "parent_tool_call_id")),
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".cursor/hooks.json",
    events=dict.fromkeys(
        (
            "beforeSubmitPrompt",
            "preToolUse",
            "postToolUse",
            "postToolUseFailure",
            "stop",
            "sessionStart",
            "sessionEnd",
        ),
        "",
    ),
    entry=_entry,
    start=EMPTY_VERSION_1,
)
interpret = DIALECT.interpret
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings, for_user = SETTINGS.command, SETTINGS.settings, SETTINGS.for_user
