"""The projects that have a state folder on this machine, and forgetting one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from blueline.desk.state_folder import iso
from blueline.errors import BluelineError
from blueline.kernel import identity, project_folder
from blueline.model.visible import shortened


class NoSuchProject(BluelineError):
    """No state folder is that of such a project."""


class KnownProject(NamedTuple):
    """One state folder, and whose it is."""

    key: str
    """The name of the state folder."""
    state: Path
    root: str
    is_there: bool
    """Whether the folder is still there, and still this project."""
    size: int
    used: str
    """When something was last recorded."""


def home_of(environ: Mapping[str, str]) -> Path:
    settings = {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}
    return Path(os.fsdecode(project_folder.state_home(settings)))


def known(environ: Mapping[str, str]) -> list[KnownProject]:
    """All of them, the one that was used last first."""
    found = []
    for state, root in _states(environ):
        journal = state / "journal"
        try:
            used = os.stat(journal if journal.exists() else state / "format").st_mtime_ns
        except OSError:  # somebody is just removing it
            continue
        here = _is_there(state, root)
        found.append(KnownProject(state.name, state, os.fsdecode(root), here, _size(state), iso(used)))
    return sorted(found, key=lambda one: one.used, reverse=True)


def places(environ: Mapping[str, str]) -> dict[Path, Path]:
    """The folders of those that are still there, each with its state."""
    found = _states(environ)
    return {Path(os.fsdecode(root)): state for state, root in found if _is_there(state, root)}


def _states(environ: Mapping[str, str]) -> Iterator[tuple[Path, bytes]]:
    home = home_of(environ)
    try:
        names = sorted(os.listdir(home))
    except FileNotFoundError:
        return
    for name in names:
        try:
            yield home / name, (home / name / "root").read_bytes()
        except OSError:  # reports of bugs, and what else is no state
            continue


def _is_there(state: Path, root: bytes) -> bool:
    return os.path.isdir(root) and identity.id_of(root) in (b"", _id(state))


def _id(state: Path) -> bytes:
    try:
        return (state / "id").read_bytes()
    except OSError:
        return b""


def _size(state: Path) -> int:
    return sum(
        os.lstat(os.path.join(here, name)).st_size for here, _, names in os.walk(state) for name in names
    )


def named(which: str, environ: Mapping[str, str]) -> KnownProject:
    """The one of a key, or of a folder."""
    place = os.path.realpath(which)
    found = [one for one in known(environ) if which == one.key or place == one.root]
    if not found:
        raise NoSuchProject(f"no project is known as {shortened(which)!r}", hint="see: blueline projects")
    return found[0]


def forget(project: KnownProject) -> None:
    """Remove all that is stored about a project. Its own files stay as they are."""
    shutil.rmtree(project.state)
