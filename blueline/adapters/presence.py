"""Which agents are here: those that somebody uses, and those whose hooks were installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.adapters import ADAPTERS, settings_file
from blueline.adapters.adapter import Adapter

if TYPE_CHECKING:
    from blueline.contract.agents import AgentPresence


def in_use(root: Path | None, environ: Mapping[str, str]) -> dict[str, str]:
    """The agents that seem to be in use in a project, or anywhere, each with what shows it."""
    found = {name: _trace(load(), root, environ) for name, load in ADAPTERS.items()}
    return {name: trace for name, trace in found.items() if trace}


def _trace(agent: Adapter, root: Path | None, environ: Mapping[str, str]) -> str:
    for trace in agent.TRACES:
        if root is not None and os.path.lexists(root / trace):
            return f"{trace} is here"
    home = environ.get("HOME", "")
    if home and os.path.isdir(os.path.join(home, agent.FOLDER)):
        return f"~/{agent.FOLDER} is there"
    if shutil.which(agent.PROGRAM, path=environ.get("PATH", "")):
        return f"{agent.PROGRAM} can be started"
    return ""


def traces_of_others(root: Path | None, environ: Mapping[str, str]) -> dict[str, list[str]]:
    """Of the agents that are not in use, what would show that they are: paths, and the program's name."""
    used = in_use(root, environ)
    home = environ.get("HOME", "")
    return {
        name: [
            *(str(root / trace) for trace in agent.TRACES if root is not None),
            *([os.path.join(home, agent.FOLDER)] if home else []),
            agent.PROGRAM,
        ]
        for name, agent in ((name, load()) for name, load in ADAPTERS.items() if name not in used)
    }


def installed(root: Path, state: Path, heard: Collection[str]) -> list[AgentPresence]:
    """The agents whose hooks were installed. `heard` are those of which something was recorded."""
    return [
        {
            "name": name,
            "label": agent.LABEL,
            "settings": str(agent.settings(root).relative_to(root)),
            "hooks": agent.installed(root),
            "heard": name in heard,
            "advice": agent.ADVICE,
        }
        for name, agent in (
            (name, load()) for name, load in ADAPTERS.items() if settings_file.former(state, name) is not None
        )
    ]


def loss(root: Path, name: str) -> str:
    """What to say of an agent whose hooks are gone."""
    agent = ADAPTERS[name]()
    place = agent.settings(root).relative_to(root)
    again = f"blueline init --agent {name}"
    return (
        f"the hooks for {agent.LABEL} are not all in {place} any more, so what it does may not be recorded: "
        f"{again} puts them back, {again} --uninstall takes the rest out"
    )
