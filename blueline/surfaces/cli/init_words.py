"""What `init` says to people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from blueline.surfaces.cli import forge_words
from blueline.surfaces.cli.doctor_command import ailing
from blueline.surfaces.cli.init_extras import cleared, furnished
from blueline.surfaces.cli.phrases import hint
from blueline.surfaces.cli.terminal import Screen, columns, visible, wrapped

if TYPE_CHECKING:
    from blueline.contract.setup import InitDocument, InstalledAgent, RemovedAgent, UninstallDocument


def arrived(document: InitDocument, screen: Screen) -> Iterator[str]:
    """The answer to `init`."""
    root = screen.paint(visible(document["root"]), "heading")
    changed = document["made"] or any(agent["changed"] for agent in document["agents"])
    yield f"Blueline is set up in {root}" if changed else f"Blueline was already set up in {root}"
    yield from _fact(
        "made" if document["made"] else "found", document["config"], "commit it with the project", screen
    )
    for agent in document["agents"]:
        yield from installed(agent, screen)
    yield from furnished(document, screen)
    yield from forge_words.workflow(document.get("forge"), screen)
    yield from ailing(document["doctor"], screen)
    if not all(agent["works"] for agent in document["agents"]):
        yield hint("put that right, then run blueline init again", screen)
    else:
        yield hint("let the agent change something in this project, then: blueline walk", screen)


def installed(agent: InstalledAgent, screen: Screen) -> Iterator[str]:
    """One agent, and whether its hook works."""
    verb = "installed" if agent["changed"] else "found"
    trace = f"; {visible(agent['found'])}" if agent["found"] else ""
    whose = "which do nothing on other machines" if agent["shared"] else "of this machine only"
    yield from _fact(verb, agent["settings"], f"hooks for {agent['label']}, {whose}{trace}", screen)
    if agent["works"]:
        yield from _fact("checked", f"the hook records an event in {agent['took_ms']} ms", "", screen)
    else:
        problem = f"the hook for {agent['label']} does not work: {visible(agent['problem'])}"
        yield f"  {screen.paint(problem, 'bad')}"
    if agent["advice"]:
        yield f"  {screen.paint('to do'.ljust(9), 'warn')}  {visible(agent['advice'])}"


def left(document: UninstallDocument, screen: Screen) -> Iterator[str]:
    """The answer to `init --uninstall`."""
    if not document["agents"]:
        yield f"There were no hooks of Blueline in {visible(document['root'])}."
    for agent in document["agents"]:
        yield removed(agent)
    yield from cleared(document, screen)
    yield from forge_words.workflow(document.get("forge"), screen)
    yield "What was recorded is still there; undecided changes can still be decided."
    yield hint("blueline list shows what is left, blueline purge --all removes the rest", screen)


def removed(agent: RemovedAgent) -> str:
    """What became of one agent's hooks."""
    if agent["changed"]:
        return f"Took the hooks for {agent['label']} out of {visible(agent['settings'])}."
    return f"There were no hooks for {agent['label']} in {visible(agent['settings'])}."


def _fact(verb: str, what: str, note: str, screen: Screen) -> Iterator[str]:
    """What was done to what; a note that does not fit beside it is below it."""
    start, what, note = f"  {verb.ljust(9)}  ", visible(what), f"({note})" if note else ""
    said = f"  {screen.paint(verb.ljust(9), 'good')}  {what}"
    if note and not (screen.watched and columns(f"{start}{what}  {note}") > screen.width):
        said, note = f"{said}  {screen.paint(note, 'dim')}", ""
    yield said
    for line in wrapped(note, screen.width - len(start)) if note else ():
        yield f"{' ' * len(start)}{screen.paint(line, 'dim')}"
