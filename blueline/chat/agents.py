"""The agents one can talk to: those known here, and those of the person's own config.

Never those of a project: its files are what agents write, and whoever could name a command there could have
it run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blueline.desk import person_config
from blueline.desk.person_config import PersonConfigUnreadable
from blueline.errors import BluelineError

LONGEST_NAME = 60


class NoSuchAgent(BluelineError):
    """Nobody goes by that name, or the program is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAgent:
    """A program that speaks the protocol on its standard input and output."""

    name: str
    """As it stands in the ledger: the same as that of its hooks, where it has any."""
    label: str
    command: tuple[str, ...]
    install: str = ""
    """How to get it."""
    environ: Mapping[str, str] = field(default_factory=dict)
    reads: bool = True
    """Whether it is offered to read files through us. One stumbles over the answer for a missing file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """What the person has chosen."""

    agents: Mapping[str, ChatAgent]
    auto_accept: bool = False
    """Whether a new prompt accepts what the turns before it left undecided in the same conversation."""


KNOWN = (
    ChatAgent(
        name="claude-code",
        label="Claude Code",
        command=("claude-agent-acp",),
        install="npm install -g @agentclientprotocol/claude-agent-acp",
    ),
    ChatAgent(
        name="gemini",
        label="Gemini CLI",
        command=("gemini", "--acp"),
        install="npm install -g @google/gemini-cli",
        reads=False,
    ),
    ChatAgent(
        name="codex",
        label="Codex",
        command=("codex-acp",),
        install="npm install -g @agentclientprotocol/codex-acp",
    ),
    ChatAgent(
        name="opencode", label="opencode", command=("opencode", "acp"), install="npm install -g opencode-ai"
    ),
)


def settings(environ: Mapping[str, str]) -> ChatSettings:
    """The known agents, and what the person's config adds."""
    path = person_config.config_path(environ)
    chat = person_config.read(environ).get("chat", {})
    own = [_agent(path, name, about) for name, about in _table(path, chat, "agents").items()]
    auto_accept = chat.get("auto_accept", False)
    if not isinstance(auto_accept, bool):
        raise _wrong(path, "chat.auto_accept must be true or false")
    return ChatSettings(agents={agent.name: agent for agent in (*KNOWN, *own)}, auto_accept=auto_accept)


def _table(path: Path, chat: object, name: str) -> dict[str, Any]:
    if not isinstance(chat, dict) or not isinstance(found := chat.get(name, {}), dict):
        raise _wrong(path, f"chat.{name} must be a table")
    return found


def _wrong(path: Path, what: str) -> PersonConfigUnreadable:
    return PersonConfigUnreadable(f"{path}: {what}", hint="see docs/chat.md")


def _agent(path: Path, name: str, about: object) -> ChatAgent:
    where = f"chat.agents.{name}"
    if not name.isprintable() or " " in name or not 0 < len(name) <= LONGEST_NAME:
        raise _wrong(path, f"{where} is not a name for an agent")
    if not isinstance(about, dict):
        raise _wrong(path, f"{where} must be a table")
    known = next((one for one in KNOWN if one.name == name), None)
    command, variables = about.get("command"), about.get("environ", {})
    label, reads = (
        about.get("label", known.label if known else name),
        about.get("reads", not known or known.reads),
    )
    if not isinstance(command, list) or not command or not all(isinstance(one, str) for one in command):
        raise _wrong(path, f"{where}.command must be a list of words")
    if not isinstance(variables, dict) or not all(isinstance(one, str) for one in variables.values()):
        raise _wrong(path, f"{where}.environ must be a table of strings")
    if not isinstance(label, str):
        raise _wrong(path, f"{where}.label must be a string")
    if not isinstance(reads, bool):
        raise _wrong(path, f"{where}.reads must be true or false")
    return ChatAgent(name=name, label=label, command=tuple(command), environ=variables, reads=reads)


def program(agent: ChatAgent, root: Path, environ: Mapping[str, str]) -> str:
    """The program of an agent. Refused if it lies in the project: what lies there may be an agent's work."""
    found = shutil.which(agent.command[0], path=environ.get("PATH", os.defpath))
    if found is None:
        hint = f"install it: {agent.install}" if agent.install else "look at the command in your config"
        raise NoSuchAgent(f"{agent.label} cannot be started: there is no {agent.command[0]}", hint=hint)
    real = Path(found).resolve()
    if not os.path.isabs(found) or real.is_relative_to(root.resolve()):
        raise NoSuchAgent(
            f"{agent.label} is not started: {found} lies in the project",
            hint="only programs outside the project are run; look at your PATH",
        )
    return found


def first_available(root: Path, environ: Mapping[str, str]) -> str:
    """The first agent that can be started."""
    for agent in settings(environ).agents.values():
        if not available(agent, root, environ):
            return agent.name
    raise NoSuchAgent("no agent that can be talked to is installed", hint="see: blueline chat --list")


def available(agent: ChatAgent, root: Path, environ: Mapping[str, str]) -> str:
    """Why an agent cannot be started; empty if it can."""
    try:
        program(agent, root, environ)
    except NoSuchAgent as error:
        return f"{error} ({error.hint})"
    return ""
