"""`blueline init --user`: every repository of a person is recorded, by hooks in their own settings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from blueline.desk import person_config
from blueline.desk.people import must_be_a_person
from blueline.errors import DONE, FAILED
from blueline.surfaces.cli.agent_hooks import (
    ADAPTERS,
    in_use_by,
    install_for_user,
    remember_for_user,
    uninstall_for_user,
)
from blueline.surfaces.cli.hook_probe import probe
from blueline.surfaces.cli.init_words import installed, removed
from blueline.surfaces.cli.phrases import hint
from blueline.surfaces.cli.request import Request
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from blueline.contract.setup import InstalledAgent, UserInitDocument, UserUninstallDocument
    from blueline.surfaces.cli.agent_hooks import UserHooks

DEFAULT = "claude-code"


def init_user(request: Request) -> int:
    """Put the hooks in, or take them out."""
    given = [name for name in request.arguments.agents or () if name != "all"]
    if request.arguments.uninstall:
        must_be_a_person(os.environ, "take the hooks out")
        return request.answer(_take_out(given), left)
    ignored = person_config.ignored(os.environ)
    found = {} if given and "all" not in request.arguments.agents else in_use_by(os.environ)
    names = list(dict.fromkeys([*given, *found])) or [DEFAULT]
    done = install_for_user(names, os.environ)
    agents = [_installed(name, hooks, found.get(name, "")) for name, hooks in done.items()]
    remember_for_user(os.environ, {agent["name"]: agent["problem"] for agent in agents})
    document: UserInitDocument = {
        "agents": agents,
        "ignore": list(ignored),
        "config": str(person_config.config_path(os.environ)),
    }
    works = all(agent["works"] for agent in agents)
    return request.answer(document, arrived, code=DONE if works else FAILED)


def _installed(name: str, hooks: UserHooks, trace: str) -> InstalledAgent:
    agent = ADAPTERS[name]()
    problem, took_ms = probe(hooks.command)
    return {
        "name": name,
        "label": agent.LABEL,
        "settings": str(hooks.place),
        "shared": False,
        "changed": hooks.changed,
        "works": not problem,
        "problem": problem,
        "took_ms": took_ms,
        "advice": agent.USER_ADVICE,
        "found": trace,
    }


def _take_out(names: list[str]) -> UserUninstallDocument:
    done = uninstall_for_user(names, os.environ)
    return {
        "agents": [
            {
                "name": name,
                "label": ADAPTERS[name]().LABEL,
                "settings": str(hooks.place),
                "changed": hooks.changed,
            }
            for name, hooks in done.items()
            if hooks.changed or names
        ]
    }


def arrived(document: UserInitDocument, screen: Screen) -> Iterator[str]:
    """The answer to `init --user`."""
    changed = any(agent["changed"] for agent in document["agents"])
    verb = "are recorded from now on" if changed else "were recorded already"
    yield f"All your git repositories {verb}, and folders with .blueline in them"
    for agent in document["agents"]:
        yield from installed(agent, screen)
    if document["ignore"]:
        yield f"  but not   {safe(', '.join(document['ignore']))}"
    how = f'ignore = ["~/scratch/*"] in {safe(document["config"])} leaves folders alone'
    yield f"  {screen.paint(how, 'dim')}"
    if all(agent["works"] for agent in document["agents"]):
        yield hint("let an agent change something in any repository, then there: blueline list", screen)
    else:
        yield hint("put that right, then run blueline init --user again", screen)


def left(document: UserUninstallDocument, screen: Screen) -> Iterator[str]:
    """The answer to `init --user --uninstall`."""
    if not document["agents"]:
        yield "There were no hooks of Blueline in your settings."
    for agent in document["agents"]:
        yield removed(agent)
    yield "What was recorded is still there. Projects with hooks of their own are recorded as before."
    yield hint("blueline projects lists what is stored", screen)
