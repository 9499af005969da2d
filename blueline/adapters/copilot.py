"""GitHub Copilot, on the command line and in VS Code: what its hooks are told, and where they are installed.

Events written with a capital letter come with their name and in one spelling, in both places. Copilot names
no calls, so the end of one is known by the tool and what it was given.
"""

from __future__ import annotations

from blueline.adapters.dialect import Dialect, Event
from blueline.adapters.hook_settings import EMPTY_VERSION_1, TIMEOUT_SECONDS, HookSettings
from blueline.hook import hosts

NAME = "copilot"
LABEL = "GitHub Copilot"
PROGRAM = "copilot"
TRACES = (".github/hooks", ".github/copilot-instructions.md")
FOLDER = ".copilot"
SHARED = True
ADVICE = "Copilot runs a project's hooks only in a folder you trust; with copilot -p, add --trust-folder"
USER_ADVICE = ""


def _entry(event: str, matcher: str, run: str) -> dict[str, object]:
    return {"type": "command", "command": run, "timeoutSec": TIMEOUT_SECONDS}


def _more(event: Event) -> dict[str, object]:
    given = hosts.tool_input(event)
    away = isinstance(given, dict) and (given.get("mode") == "async" or given.get("isBackground") is True)
    return {"background": True} if away else {}


DIALECT = Dialect(
    replacing=frozenset({"edit", "Edit", "MultiEdit", "str_replace_editor", "replace_string_in_file"}),
    writing=frozenset({"create", "Create", "Write", "str_replace_editor", "create_file"}),
    patching=frozenset({"apply_patch"}),
    shells=frozenset({"bash", "Bash", "powershell", "run_in_terminal"}),
    more=_more,
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".github/hooks/blueline.json",
    events=dict.fromkeys(
        (
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "Stop",
            "SessionStart",
            "SessionEnd",
        ),
        "",
    ),
    entry=_entry,
    start=EMPTY_VERSION_1,
)
interpret = DIALECT.interpret
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings, for_user = SETTINGS.command, SETTINGS.settings, SETTINGS.for_user
