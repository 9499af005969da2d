"""Claude Code: what its hooks are told, and where they are installed.

The names of events, tools and keys are those of Claude Code's own protocol; what it calls a session is our
conversation. Only `.claude/settings.local.json` is written: the command names an interpreter of this machine,
which is nothing to commit for a team.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from blueline.adapters.dialect import LONGEST_DESCRIPTION, Dialect, Event, text
from blueline.adapters.hook_settings import HookSettings
from blueline.hook.hosts import HARMLESS, STAFFING
from blueline.model.notice import (
    Notice,
    SubagentBegan,
    SubagentFinished,
    SubagentSaid,
    TurnStopped,
    WorkReported,
)

NAME = "claude-code"
LABEL = "Claude Code"
PROGRAM = "claude"
TRACES = (".claude", "CLAUDE.md")
FOLDER = ".claude"
SHARED = False
ADVICE = ""
USER_ADVICE = ""

# Changed by the person in the agent's own dialogue; held back by the agent itself.
RESPONSES = {"user_modified": "userModified", "staged": "staged"}

# All tools but those that change nothing. Others read this too, and not all with the same kind of expression.
CHANGING = f"^(?!(?:{'|'.join(sorted(HARMLESS[NAME]))})$).*$"

# The same with those that start a sub-agent: their end says what it is for.
CHANGING_OR_STARTING = f"^(?!(?:{'|'.join(sorted(HARMLESS[NAME] - STAFFING[NAME].keys()))})$).*$"

NEWS = "<task-notification>"
_TASK = re.compile(r"<task-id>([^<>]+)</task-id>")
_TOOL_USE = re.compile(r"<tool-use-id>([^<>]+)</tool-use-id>")

# Who gives a prompt, where Claude Code says so. All others are the agent's own doing.
PEOPLE = ("user", "sdk")


def _more(event: Event) -> dict[str, object]:
    response = event.get("tool_response")
    if not isinstance(response, dict):
        return {}
    about: dict[str, object] = {name: True for name, key in RESPONSES.items() if response.get(key) is True}
    if response.get("backgroundTaskId"):
        about["background"] = True
    return about


def _own(event: Event, name: str, conversation: str) -> Notice | None:
    """Sub-agents, and what runs in the background: Claude Code gives itself a prompt when one has ended."""
    agent = text(event.get("agent_id")) or ""
    match name:
        case "UserPromptSubmit":
            prompt, source = text(event.get("prompt")) or "", text(event.get("source"))
            is_news = prompt.lstrip().startswith(NEWS) and _TASK.search(prompt) is not None
            if source in PEOPLE or not (is_news or source):
                return None
            calls = tuple(f"{conversation}/{call}" for call in _TOOL_USE.findall(prompt))
            return WorkReported(
                conversation=conversation, calls=calls, subagents=tuple(_TASK.findall(prompt))
            )
        case "PostToolUse" if text(event.get("tool_name")) in STAFFING[NAME]:
            response = event.get("tool_response")
            if not isinstance(response, dict) or not (started := text(response.get("agentId"))):
                return None
            kind = text(response.get("agentType")) or _given(event, "subagent_type")
            description = _given(event, "description")[:LONGEST_DESCRIPTION]
            said = SubagentSaid(id=started, type=kind, description=description)
            is_over = response.get("status") != "async_launched"
            return SubagentBegan(conversation=conversation, subagent=said, parent=agent, is_over=is_over)
        case "SubagentStop" if agent:
            return SubagentFinished(conversation=conversation, subagent=agent)
        case "Stop":
            return TurnStopped(conversation=conversation, busy=tuple(_busy(event)))
        case _:
            return None


def _given(event: Event, key: str) -> str:
    given = event.get("tool_input")
    return (text(given.get(key)) if isinstance(given, dict) else None) or ""


def _busy(event: Event) -> Iterator[SubagentSaid]:
    """Sub-agents that go on after the turn. A command in the background does not keep a turn open."""
    tasks = event.get("background_tasks")
    for task in tasks if isinstance(tasks, list) else ():
        if isinstance(task, dict) and task.get("type") == "subagent" and task.get("status") == "running":
            known = {key: text(task.get(key)) or "" for key in ("id", "agent_type", "description")}
            if known["id"]:
                yield SubagentSaid(id=known["id"], type=known["agent_type"], description=known["description"])


DIALECT = Dialect(
    replacing=frozenset({"Edit", "MultiEdit"}),
    writing=frozenset({"Write"}),
    cells=frozenset({"NotebookEdit"}),
    shells=frozenset({"Bash", "PowerShell", "Monitor"}),
    groups=(("prompt", "prompt_id"),),
    more=_more,
    own=_own,
)
SETTINGS = HookSettings(
    agent=NAME,
    label=LABEL,
    path=".claude/settings.local.json",
    events={
        "UserPromptSubmit": "",
        "PreToolUse": CHANGING,
        "PostToolUse": CHANGING_OR_STARTING,
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
command, settings, for_user = SETTINGS.command, SETTINGS.settings, SETTINGS.for_user
