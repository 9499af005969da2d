"""The command line's way to the adapters: which agents there are, their hooks, and whether these record."""

from __future__ import annotations

import os

from blueline.adapters import ADAPTERS as ADAPTERS
from blueline.adapters import hook_places as hook_places
from blueline.adapters import interpret as interpret
from blueline.adapters import missing
from blueline.adapters.hook_places import recording as recording

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from _typeshed import StrPath

    from blueline.adapters import Adapter as Adapter
    from blueline.adapters.user_hooks import UserHooks as UserHooks
    from blueline.contract.agents import AgentPresence
    from blueline.contract.overview import StatusDocument
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
    return _installed(desk.root, desk.state, desk.conversing.agents())


def glanced(start: StrPath, environ: Mapping[str, str]) -> StatusDocument | None:
    """The state of all in a project, its agents among it, if nothing happened since the last command."""
    from blueline.desk import glance
    from blueline.desk.state_folder import located

    found = glance.glance_at_all(start, environ, recording)
    if found is None:
        return None
    status, heard = found
    root, state = located(start, environ)
    return {**status, "agents": _installed(root, state, heard)}


def _installed(root: StrPath, state: StrPath, heard: Collection[str]) -> list[AgentPresence]:
    if not any(os.path.exists(os.path.join(state, f"installed-{name}.json")) for name in ADAPTERS):
        return []
    from pathlib import Path

    from blueline.adapters import presence  # loads what is known of each agent

    return presence.installed(Path(root), Path(state), heard)


def in_use(root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The agents that somebody uses here, each with how that is known."""
    from blueline.adapters import presence

    return presence.in_use(root, environ)


def traces_of_others(root: Path, environ: Mapping[str, str]) -> dict[str, list[str]]:
    """What there is of agents that nobody uses here."""
    from blueline.adapters import presence

    return presence.traces_of_others(root, environ)


def in_use_by(environ: Mapping[str, str]) -> dict[str, str]:
    """The agents that a person uses anywhere, each with how that is known."""
    from blueline.adapters import presence

    return presence.in_use(None, environ)


def install_for_user(names: list[str], environ: Mapping[str, str]) -> dict[str, UserHooks]:
    """Put hooks into a person's own settings."""
    from blueline.adapters import user_hooks

    return {name: user_hooks.install(name, environ) for name in names}


def uninstall_for_user(names: list[str], environ: Mapping[str, str]) -> dict[str, UserHooks]:
    """Take them out; those of all agents if none is named."""
    from blueline.adapters import user_hooks

    return {name: user_hooks.uninstall(name, environ) for name in names or ADAPTERS}


def remember_for_user(environ: Mapping[str, str], problems: Mapping[str, str]) -> None:
    """Keep what was wrong with the commands, and which agents are not in use."""
    from blueline.adapters import user_hooks

    user_hooks.remember(environ, problems)
