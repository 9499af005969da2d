"""Who asks: a person, or an agent in its own shell, which has no say in some things."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping

from blueline.errors import BluelineError

# What agents set for the commands they run; see the reference of each. Windsurf sets nothing.
AGENTS = {
    "COPILOT_CLI": "copilot",
    "GEMINI_CLI": "gemini",
    "CURSOR_AGENT": "cursor",
    "CODEX_SANDBOX": "codex",
    "OPENCODE": "opencode",
    "CLAUDECODE": "claude-code",
}


class OnlyPeople(BluelineError):
    """An agent asked for something that is a person's to do."""


def agent_of(environ: Mapping[str, str]) -> str:
    """The agent in whose shell this runs; empty if it is none."""
    return next((name for key, name in AGENTS.items() if environ.get(key)), "")


def must_be_a_person(environ: Mapping[str, str], what: str) -> None:
    """Refuse an agent. One that hides who it is gets past this, which is why CI verifies a signature."""
    if agent := agent_of(environ):
        raise OnlyPeople(f"{agent} cannot {what}: a person has to", hint="run this in a terminal of your own")


def name_of(environ: Mapping[str, str]) -> str:
    """Who this is, as far as the machine knows."""
    if agent := agent_of(environ):
        return agent
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
