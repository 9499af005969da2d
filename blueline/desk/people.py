"""Who asks: a person, or an agent, whose word is no decision (rule D5)."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from typing import NamedTuple

from blueline.desk import person_config
from blueline.errors import BluelineError
from blueline.kernel import processes

# What agents set for the commands they run; see the reference of each. Windsurf sets nothing.
AGENTS = {
    "COPILOT_CLI": "copilot",
    "GEMINI_CLI": "gemini",
    "CURSOR_AGENT": "cursor",
    "CODEX_SANDBOX": "codex",
    "OPENCODE": "opencode",
    "CLAUDECODE": "claude-code",
}

# What the processes are called below which nothing is typed by a person. Not `cursor` and `windsurf`: those
# are editors, and a person has a terminal in them.
PROGRAMS = {
    "claude": "claude-code",
    "claude-agent-acp": "claude-code",
    "codex": "codex",
    "codex-acp": "codex",
    "gemini": "gemini",
    "cursor-agent": "cursor",
    "opencode": "opencode",
    "copilot": "copilot",
}

# Folders of packages from which an interpreter runs them.
PACKAGES = {
    "@anthropic-ai/claude-code": "claude-code",
    "@openai/codex": "codex",
    "@google/gemini-cli": "gemini",
    "@github/copilot": "copilot",
    "opencode-ai": "opencode",
}

INTERPRETERS = ("node", "bun", "deno", "python", "python3", "sh", "bash")

MAY_DECIDE = "agents_may_decide"
COUNT = "gate_counts_agents"


class OnlyPeople(BluelineError):
    """An agent asked for something that is a person's to do."""


class Asker(NamedTuple):
    """Whoever started this process."""

    account: str
    agent: str = ""
    """The agent that did; empty if it was a person."""
    sign: str = ""
    """By what the agent is known."""

    @property
    def name(self) -> str:
        return self.agent or self.account


def asker(environ: Mapping[str, str]) -> Asker:
    """Who asks: by what agents set for their commands, else by the processes that this one comes from."""
    for key, name in AGENTS.items():
        if environ.get(key):
            return Asker(account(), name, f"{key} is set")
    for pid, words in _ancestors():
        if name := agent_named(words):
            return Asker(account(), name, f"process {pid}, {os.path.basename(words[0])}, has started it")
    return Asker(account())


def agent_named(words: list[str]) -> str:
    """The agent whose program a process runs, by its own name and the words it was started with, if any.

    Only what is run counts, not what it is given: `vim claude` is a person.
    """
    name, *line = words
    run = [name, *line[:1]]
    if line and os.path.basename(line[0]) in INTERPRETERS:
        run += [word for word in line[1:] if not word.startswith("-")][:1]
    for word in run:
        base = os.path.basename(word)
        if found := PROGRAMS.get(base.removesuffix(".js")):
            return found
        for package, agent in PACKAGES.items():
            if f"/{package}/" in word:
                return agent
    return ""


def _ancestors() -> list[tuple[int, list[str]]]:
    """The processes that this one comes from, nearest first: number, then name and words of each."""
    found = [(pid, processes.stat(pid), processes.words(pid)) for pid in processes.line(os.getppid())]
    return [
        (pid, [os.fsdecode(word) for word in (about[0], *words)])
        for pid, about, words in found
        if about is not None
    ]


def must_be_a_person(environ: Mapping[str, str], what: str) -> Asker:
    """Refuse an agent, unless the person's own config lets it; who asks.

    One that hides who it is gets past this, which is why CI verifies a signature.
    """
    found = asker(environ)
    if found.agent and not person_config.flag(environ, MAY_DECIDE):
        raise OnlyPeople(
            f"{found.agent} may not {what} ({found.sign}): a person has to",
            hint="type it in a terminal of your own or use the page (blueline ui); to let agents, put "
            f"{MAY_DECIDE} = true into {person_config.config_path(environ)}",
        )
    return found


def agent_of(environ: Mapping[str, str]) -> str:
    """The agent that started this; empty if it was a person."""
    return asker(environ).agent


def name_of(environ: Mapping[str, str]) -> str:
    """Who this is, as far as the machine knows."""
    return asker(environ).name


def account() -> str:
    """The name of the account, as the system says it and not a variable."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
