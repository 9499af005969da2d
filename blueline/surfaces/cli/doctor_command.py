"""`blueline doctor`: is it recorded here, and if not, what to type. Each thing is tried, not believed."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline import __version__
from blueline.desk import household, person_config
from blueline.desk.state_folder import find
from blueline.errors import DONE, FAILED, BluelineError
from blueline.surfaces.cli import editor_plugins
from blueline.surfaces.cli.agent_hooks import ADAPTERS, hook_places, in_use
from blueline.surfaces.cli.hook_probe import probe
from blueline.surfaces.cli.phrases import hint
from blueline.surfaces.cli.request import Request
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from blueline.contract.doctor import DoctorDocument, DoctorLine
    from blueline.surfaces.cli.agent_hooks import Adapter

VERSION_SECONDS = 10
HUB_SECONDS = 5


def doctor(request: Request) -> int:
    root, state = find(request.start, os.environ)
    document = examined(root, state, os.environ)
    return request.answer(document, told, code=DONE if document["ok"] else FAILED)


def examined(root: Path, state: Path, environ: Mapping[str, str]) -> DoctorDocument:
    """Look at everything; what was found of the hooks is remembered."""
    lines = [
        *_agents(root, state, environ),
        _recording(root, state, environ),
        _line("versions", f"Blueline {__version__} on Python {platform.python_version()}", ok=True),
        *_editors(environ),
        *_person_config(environ),
        *(_line(one.about, one.says, one.hint, ok=one.ok) for one in household.looked_at(root, state)),
        _hub(state),
    ]
    return {"ok": all(line["ok"] for line in lines), "lines": lines}


def _line(about: str, says: str, to_do: str = "", *, ok: bool) -> DoctorLine:
    return {"about": about, "ok": ok, "says": says, "hint": to_do}


# Agents


def _agents(root: Path, state: Path, environ: Mapping[str, str]) -> Iterator[DoctorLine]:
    used = in_use(root, environ)
    tried: dict[str, str] = {}
    tried_for_user: dict[str, str] = {}
    for name, load in ADAPTERS.items():
        agent = load()
        places = [*(root / one for one in hook_places.PLACES[name]), hook_places.user_place(name, environ)]
        found = {place: hook_places.commands_in(place) for place in places}
        commands = [(place, run) for place, runs in found.items() for run in runs]
        if not commands and name not in used:
            continue
        about = f"{agent.LABEL}{version(agent, root, environ)}"
        if not commands:
            yield _line(
                name, f"{about}: no hooks here ({used[name]})", f"blueline init --agent {name}", ok=True
            )
            continue
        for place, run in commands:
            problem, took_ms = probe(run)
            is_users = place == places[-1]
            where = str(place) if is_users else os.path.relpath(place, root)
            kept = tried_for_user if is_users else tried
            kept[name] = kept.get(name) or problem
            if problem:
                again = f"blueline init {'--user ' if is_users else ''}--agent {name}"
                yield _line(name, f"{about}: its hook in {where} does not work: {problem}", again, ok=False)
            else:
                advice = agent.USER_ADVICE if is_users else agent.ADVICE
                yield _line(name, f"{about}: {where} records an event in {took_ms} ms", advice, ok=True)
    with contextlib.suppress(OSError):  # what is wrong with the state folder has a line of its own
        hook_places.remember_tries(state, tried)
        # Where `init --user` has never been, nobody reads it.
        if tried_for_user and hook_places.user_state(environ).is_dir():
            hook_places.remember_tries(hook_places.user_state(environ), tried_for_user)


def version(agent: Adapter, root: Path, environ: Mapping[str, str]) -> str:
    """What the agent's program says of itself; empty if it is not here, or lies in the project."""
    program = shutil.which(agent.PROGRAM, path=environ.get("PATH", os.defpath))
    if program is None or Path(program).resolve().is_relative_to(root.resolve()):
        return ""
    try:
        done = subprocess.run(
            [os.path.abspath(program), "--version"],
            cwd=os.path.sep,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=VERSION_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return " (its version could not be asked)"
    said = done.stdout.decode("utf-8", "replace").strip().splitlines()
    return f" {said[0][:40]}" if said and done.returncode == 0 else ""


def _recording(root: Path, state: Path, environ: Mapping[str, str]) -> DoctorLine:
    found = hook_places.recording(root, state, environ)
    if found["recorded"]:
        by = ", by hooks in your own settings" if found["by"] == "user" else ""
        return _line("recording", f"what agents do in {root} is recorded{by}", ok=True)
    return _line("recording", f"not recorded here: {found['why']}", found["hint"], ok=False)


def _editors(environ: Mapping[str, str]) -> Iterator[DoctorLine]:
    """The plugins of editors that are installed, which have to be of this version."""
    for name, found, place in editor_plugins.found_versions(environ):
        is_fit = found == __version__
        says = f"{editor_plugins.LABELS[name]}: the plugin in {place} is of version {found}"
        yield _line(name, says, "" if is_fit else f"blueline init --editor {name}", ok=is_fit)


def _person_config(environ: Mapping[str, str]) -> Iterator[DoctorLine]:
    """The person's own config, if something in it cannot be used."""
    try:
        person_config.ignored(environ)
    except person_config.PersonConfigUnreadable as error:
        yield _line("config", str(error), error.hint, ok=False)


def _hub(state: Path) -> DoctorLine:
    """Whether the hub that the project has joined lets this machine in; asked once."""
    from blueline.sync import membership
    from blueline.sync.hub_client import HubClient

    try:
        member = membership.read(state)
    except membership.NoHub as none:
        return _line("hub", f"{none}, and needs none", ok=True)
    except membership.MembershipUnreadable as error:
        return _line("hub", str(error), error.hint, ok=False)
    try:
        asked = HubClient(member.url, member.project, member.token, attempts=1, timeout=HUB_SECONDS)
        with asked as client:
            client.reached()
    except BluelineError as error:
        again = error.hint or f"blueline hub join {member.url}, with a new invitation"
        return _line("hub", str(error), again, ok=False)
    return _line("hub", f"the hub at {member.url} knows this machine", ok=True)


# What is shown


def told(document: DoctorDocument, screen: Screen) -> Iterator[str]:
    """One line for each thing."""
    yield from lines(document, screen)
    if document["ok"]:
        yield hint("let an agent work, then: blueline list", screen)


def ailing(document: DoctorDocument, screen: Screen) -> Iterator[str]:
    """Only what is not as it should be."""
    bad = [line for line in document["lines"] if not line["ok"]]
    if bad:
        yield from lines({"ok": False, "lines": bad}, screen)


def lines(document: DoctorDocument, screen: Screen) -> Iterator[str]:
    for line in document["lines"]:
        mark = screen.paint("ok ", "good") if line["ok"] else screen.paint("bad", "bad")
        yield f"  {mark}  {safe(line['says'])}"
        if line["hint"]:
            yield f"       {screen.paint('to do: ' + safe(line['hint']), 'dim')}"
