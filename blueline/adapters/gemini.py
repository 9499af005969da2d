"""Google's Gemini CLI: what its hooks are told, and where they are installed.

It names no calls, so the end of one is known by the tool and what it was given. Nor does it say which calls a
sub-agent makes; but that there is one, and it edits nothing itself until that has ended.
"""

from __future__ import annotations

from blueline.adapters.dialect import LONGEST_DESCRIPTION, Dialect, Event, text
from blueline.adapters.hook_settings import TIMEOUT_SECONDS, HookSettings
from blueline.hook import hosts
from blueline.model.notice import Notice, SubagentBegan, SubagentFinished, SubagentSaid

NAME = "gemini"
LABEL = "Gemini CLI"
PROGRAM = "gemini"
TRACES = (".gemini", "GEMINI.md")
FOLDER = ".gemini"
SHARED = True
ADVICE = "Gemini CLI runs a project's hooks only in a folder you trust: start gemini here once and trust it"
USER_ADVICE = ""


def _entry(event: str, matcher: str, run: str) -> dict[str, object]:
    hook = {"name": "blueline", "type": "command", "command": run, "timeout": TIMEOUT_SECONDS * 1000}
    return {"hooks": [hook]}


def _own(event: Event, name: str, conversation: str) -> Notice | None:
    given = event.get("tool_input")
    if text(event.get("tool_name")) not in hosts.STAFFING[NAME] or not isinstance(given, dict):
        return None
    known_by = hosts.digest(given)
    if name != "BeforeTool":
        return SubagentFinished(conversation=conversation, subagent=known_by)
    lines = (text(given.get("prompt")) or "").strip().splitlines() or [""]
    kind = text(given.get("agent_name")) or ""
    said = SubagentSaid(id=known_by, type=kind, description=lines[0][:LONGEST_DESCRIPTION])
    return SubagentBegan(conversation=conversation, subagent=said)


DIALECT = Dialect(
    replacing=frozenset({"replace"}),
    writing=frozenset({"write_file"}),
    shells=frozenset({"run_shell_command"}),
    signs=False,
    own=_own,
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".gemini/settings.json",
    events=dict.fromkeys(
        ("BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionStart", "SessionEnd"), ""
    ),
    entry=_entry,
)
interpret = DIALECT.interpret
install, uninstall, installed = SETTINGS.install, SETTINGS.uninstall, SETTINGS.installed
command, settings, for_user = SETTINGS.command, SETTINGS.settings, SETTINGS.for_user
