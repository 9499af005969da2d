"""`blueline init`: makes a project of a folder and installs its agents' hooks, or takes them out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk import Desk, state_folder
from blueline.desk.people import must_be_a_person
from blueline.desk.state_folder import find
from blueline.desk.tree_watch import know_tree
from blueline.errors import DONE, FAILED, BluelineError
from blueline.surfaces.cli.agent_hooks import ADAPTERS, hook_places, in_use, traces_of_others
from blueline.surfaces.cli.doctor_command import examined
from blueline.surfaces.cli.forge_commands import install_workflow, take_workflow_out
from blueline.surfaces.cli.hook_probe import probe
from blueline.surfaces.cli.init_extras import clear, furnish, is_shared_wanted
from blueline.surfaces.cli.init_words import arrived, left
from blueline.surfaces.cli.request import Request, UsageError, write

if TYPE_CHECKING:
    from blueline.contract.setup import (
        InitDocument,
        InstalledAgent,
        RemovedAgent,
        SetUpDocument,
        UninstallDocument,
    )
    from blueline.surfaces.cli.agent_hooks import Adapter

ALL = "all"
DEFAULT = "claude-code"
"""Whom to expect where nobody has left a trace."""


def init(request: Request) -> int:
    given = request.arguments
    if given.user:
        from blueline.surfaces.cli.user_init import init_user

        return init_user(request)
    if given.editors:
        from blueline.surfaces.cli.editor_plugins import init_editors

        return init_editors(request)
    root = project_root(request.start)
    if given.uninstall:
        must_be_a_person(os.environ, "take the hooks out")
        named = [name for name in given.agents or () if name != ALL]
        removed = take_out(
            root, list(dict.fromkeys(named)), with_shared_hooks=is_shared_wanted(request, root)
        )
        if given.forge or not named:
            removed["forge"] = take_workflow_out(root)
        return request.answer(removed, left)
    if not _is_meant(request, root):
        return DONE
    found = {} if given.agents and ALL not in given.agents else in_use(root, os.environ)
    names = [name for name in given.agents or (ALL,) if name != ALL]
    made = set_up(root, list(dict.fromkeys([*names, *found])) or [DEFAULT], found, open_desk=request.open)
    extras = furnish(request, root, [agent["name"] for agent in made["agents"]])
    document: InitDocument = {
        "root": made["root"],
        "config": made["config"],
        "made": made["made"],
        "agents": made["agents"],
        "looked_at": made["looked_at"],
        "loops": extras["loops"],
        "commands": extras["commands"],
        "git_hooks": extras["git_hooks"],
        "doctor": examined(root, find(root, os.environ)[1], os.environ),
    }
    if given.forge:
        document["forge"] = install_workflow(root)
    works = all(agent["works"] for agent in document["agents"])
    works = works and not any(hook.get("left") for hook in document["git_hooks"])
    return request.answer(document, arrived, code=DONE if works else FAILED)


def _is_meant(request: Request, root: Path) -> bool:
    """Whether a folder that nobody calls a project is to be one: everything below it would be looked at."""
    home = Path(os.environ.get("HOME", "/")).resolve()
    if root not in (home, Path(os.path.sep)) or request.arguments.yes:
        return True
    what = "the whole machine" if root == Path(os.path.sep) else "your home folder"
    if not request.is_conversation:
        raise UsageError(
            f"{root} is {what}: all that is below would be one project",
            hint="go to a project and run it there, or say --yes if you mean it",
        )
    write(f"{root} is {what}. Make one project of all that is below? [y/N] ", sys.stderr)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    write("Nothing was written.\n", sys.stderr)
    return False


def project_root(start: Path) -> Path:
    """The folder to make a project of: the top for git or for an earlier init, else the folder itself.

    Git is not asked: a repository may name programs that it would run.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / ".git").exists() or (folder / ".blueline").is_dir():
            return folder
    return start


def set_up(
    root: Path,
    names: list[str],
    found: Mapping[str, str] | None = None,
    *,
    open_desk: Callable[[Path], Desk],
) -> SetUpDocument:
    """Make the project and install the hooks; what is there already stays as it is.

    `found` says of agents that nobody named what shows that they are in use.
    """
    config = root / ".blueline" / "config.toml"
    was_there = config.exists()
    if was_there and not config.is_file():
        raise BluelineError(f"{config} is not a plain file", hint="move what stands there out of the way")
    state = state_folder.create(root, os.environ)
    if (state / "journal").exists():
        # What happened while nobody watched is taken in as such, before anybody does.
        open_desk(root).close()
    agents: list[InstalledAgent] = [
        {**_install(root, state, ADAPTERS[name]()), "found": (found or {}).get(name, "")} for name in names
    ]
    hook_places.remember_tries(state, {agent["name"]: agent["problem"] for agent in agents})
    hook_places.remember_unused(state, traces_of_others(root, os.environ))
    return {
        "root": str(root),
        "config": str(config.relative_to(root)),
        "made": not was_there,
        "agents": agents,
        # The first shell command would wait for it otherwise.
        "looked_at": know_tree(root, state),
    }


def _install(root: Path, state: Path, agent: Adapter) -> InstalledAgent:
    changed = agent.install(root, state)
    problem, took_ms = probe(agent.command())
    return {
        "name": agent.NAME,
        "label": agent.LABEL,
        "settings": str(agent.settings(root).relative_to(root)),
        "shared": agent.SHARED,
        "changed": changed,
        "works": not problem,
        "problem": problem,
        "took_ms": took_ms,
        "advice": agent.ADVICE,
    }


def take_out(root: Path, names: list[str], *, with_shared_hooks: bool = False) -> UninstallDocument:
    """Take the hooks out of the agents' settings, of all agents if none is named. What was recorded stays."""
    agents = [ADAPTERS[name]() for name in names or ADAPTERS]
    state = _state_of(root)
    if state is None and not any(agent.installed(root) for agent in agents):
        raise BluelineError(
            f"Blueline is not installed in {root}", hint="look at: blueline init -C DIR --uninstall"
        )
    # Before the settings, so that a folder that was made for both goes with the last of them.
    others = clear(root, state, names, with_shared_hooks=with_shared_hooks)
    done: list[RemovedAgent] = [
        {
            "name": agent.NAME,
            "label": agent.LABEL,
            "settings": str(agent.settings(root).relative_to(root)),
            "changed": agent.uninstall(root, state),
        }
        for agent in agents
    ]
    found = [one for one in done if one["changed"] or names]
    return {
        "root": str(root),
        "agents": found,
        "commands": others["commands"],
        "git_hooks": others["git_hooks"],
    }


def _state_of(root: Path) -> Path | None:
    """The state folder of a project, None if it is not one. Nothing is made."""
    try:
        found, state = find(root, os.environ)
    except BluelineError:
        return None
    return state if found == root else None
