"""GitHub Copilot, on the command line and in VS Code: what its hooks are told, and where they are installed.

Events written with a capital letter come with their name and in one spelling, in both places. Copilot names
no calls, so the end of one is known by the tool and what it was given.
"""

from __future__ import annotations

from blueline.adapters.dialect import Dialect, Event, began, text
from blueline.adapters.hook_settings import EMPTY_VERSION_1, TIMEOUT_SECONDS, HookSettings
from blueline.hook import hosts
from blueline.model.notice import Notice, SubagentFinished, TurnStopped, WorkReported

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


NEWS = "<system_notification>"


def _own(event: Event, name: str, conversation: str) -> Notice | None:
    """Sub-agents: Copilot gives itself a prompt when one has ended that it did not wait for."""
    subagent = text(hosts.subagent(event))
    match name.lower():
        case "userpromptsubmit" | "userpromptsubmitted" | "subagentstart" if subagent:
            return began(event, conversation)
        case "stop" | "agentstop" | "subagentstop" if subagent:
            return SubagentFinished(conversation=conversation, subagent=subagent)
        case "stop" | "agentstop":
            return TurnStopped(conversation=conversation, busy=None)
        case "userpromptsubmit" | "userpromptsubmitted":
            is_news = (text(event.get("prompt")) or "").startswith(NEWS)
            return WorkReported(conversation=conversation) if is_news else None
        case _:
            return None


DIALECT = Dialect(
    replacing=frozenset({"edit", "Edit", "MultiEdit", "str_replace_editor", "replace_string_in_file"}),
    writing=frozenset({"create", "Create", "Write", "str_replace_editor", "create_file"}),
    patching=frozenset({"apply_patch"}),
    shells=frozenset({"bash", "Bash", "powershell", "run_in_terminal"}),
    more=_more,
    own=_own,
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
