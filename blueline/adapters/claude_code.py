"""Claude Code: what its hooks are told, and where they are installed.

The names of events, tools and keys are those of Claude Code's own protocol; what it calls a session is our
conversation. Only `.claude/settings.local.json` is written: the command names an interpreter of this machine,
which is nothing to commit for a team.
"""

from __future__ import annotations

from blueline.adapters.dialect import Dialect, Event
from blueline.adapters.hook_settings import HookSettings
from blueline.hook.hosts import HARMLESS

NAME = "claude-code"
LABEL = "Claude Code"
PROGRAM = "claude"
TRACES = (".claude", "CLAUDE.md")
FOLDER = ".claude"
SHARED = False
ADVICE = ""

# Changed by the person in the agent's own dialogue; held back by the agent itself.
RESPONSES = {"user_modified": "userModified", "staged": "staged"}

# All tools but those that change nothing. Others read this too, and not all with the same kind of expression.
CHANGING = f"^(?!(?:{'|'.join(sorted(HARMLESS[NAME]))})$).*$"


def _more(event: Event) -> dict[str, object]:
    response = event.get("tool_response")
    if not isinstance(response, dict):
        return {}
    about: dict[str, object] = {name: True for name, key in RESPONSES.items() if response.get(key) is True}
    if response.get("backgroundTaskId"):
        about["background"] = True
    return about


DIALECT = Dialect(
    replacing=frozenset({"Edit", "MultiEdit"}),
    writing=frozenset({"Write"}),
    cells=frozenset({"NotebookEdit"}),
    shells=frozenset({"Bash", "PowerShell", "Monitor"}),
    groups=(("prompt", "prompt_id"),),
    more=_more,
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".claude/settings.local.json",
    events={
        "UserPromptSubmit": "",
        "PreToolUse": CHANGING,
        "PostToolUse": CHANGING,
        "PostToolUseFailure": CHANGING,
        "Stop": "",
        "SubagentStop": "",
        "SessionStart": "",
        "SessionEnd": "",
    },
    is_shared=SHARED,
)
interpret = DIALECT.interpret
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings = SETTINGS.command, SETTINGS.settings
