"""The command line's way to the adapters: which agents there are, their hooks, and whether these record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blueline.adapters import ADAPTERS as ADAPTERS
from blueline.adapters import hook_places as hook_places
from blueline.adapters import interpret as interpret
from blueline.adapters import missing
from blueline.adapters.hook_places import recording as recording

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from blueline.adapters import Adapter as Adapter
    from blueline.contract.agents import AgentPresence
    from blueline.desk import Desk


def complaints(root: Path, state: Path) -> list[str]:
    """What to say of each agent whose hooks were installed and are gone."""
    names = missing(root, state)
    if not names:
        return []
    from blueline.adapters import presence  # every command comes here, and most have nothing to say

    return [presence.loss(root, name) for name in names]


def agents(desk: Desk) -> list[AgentPresence]:
    """The agents whose hooks were installed in a project, and whether anything was heard of them."""
    from blueline.adapters import presence

    return presence.installed(desk.root, desk.state, desk.conversing.agents())


def in_use(root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The agents that somebody uses here, each with how that is known."""
    from blueline.adapters import presence

    return presence.in_use(root, environ)


def traces_of_others(root: Path, environ: Mapping[str, str]) -> dict[str, list[str]]:
    """What there is of agents that nobody uses here."""
    from blueline.adapters import presence

    return presence.traces_of_others(root, environ)
