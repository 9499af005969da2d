"""OpenAI's Codex CLI: what its hooks are told, and where they are installed."""

from __future__ import annotations

from blueline.adapters.dialect import Dialect
from blueline.adapters.hook_settings import HookSettings, nested

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


DIALECT = Dialect(
    patching=frozenset({"apply_patch"}),
    shells=frozenset({"Bash"}),
    groups=(("turn", "turn_id"),),
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".codex/hooks.json",
    events=dict.fromkeys(
        ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd"), ""
    ),
    entry=_entry,
)
interpret = DIALECT.interpret
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings, for_user = SETTINGS.command, SETTINGS.settings, SETTINGS.for_user
