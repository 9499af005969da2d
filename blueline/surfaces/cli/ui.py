"""The command that opens the workbench."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Mapping
from pathlib import Path

from blueline.desk import known_projects
from blueline.desk.state_folder import NoProjectHere
from blueline.errors import DONE, INTERRUPTED, BluelineError
from blueline.surfaces.cli import staying
from blueline.surfaces.cli.beside import hubs_beside
from blueline.surfaces.cli.bug_report import report
from blueline.surfaces.cli.request import Request, as_json, write
from blueline.surfaces.cli.terminal import safe


def ui(request: Request) -> int:
    """Serve the workbench until stopped."""
    folders = _folders(request)
    # Only this command waits for them to load.
    from blueline.surfaces.web.project import Project, Projects
    from blueline.surfaces.web.server import WorkbenchServer

    staying.collect()

    def made(found: Mapping[Path, Path]) -> list[Project]:
        return [Project(root, state, request.open, request.glance) for root, state in found.items()]

    is_narrowed = bool(request.arguments.projects)
    others = list if is_narrowed else lambda: made(known_projects.places(os.environ))
    projects = Projects(made(folders), others)
    given = request.arguments
    server = WorkbenchServer(projects, given.port, lambda error: report(["ui"], error), given.public_url)
    if given.port is None and server.port != server.wanted_port:
        write(f"port {server.wanted_port}, its own, is taken: it is on {server.port} this time\n", sys.stderr)
    address = server.address()
    if request.is_json:
        write(as_json({"address": address, "port": server.port, "projects": [str(one) for one in folders]}))
    else:
        write(f"{address}\n")
        names = ", ".join(safe(str(root)) for root in folders) or "all projects of this machine"
        write(f"the workbench of {names}; the address works once; Ctrl+C stops\n", sys.stderr)
    if given.open and _has_browser():
        # Some browsers come back only when they are closed.
        threading.Thread(target=_open, args=(server.address_soon_used(),), daemon=True).start()
    with hubs_beside(request, folders or known_projects.places(os.environ)):
        return INTERRUPTED if server.run() == signal.SIGINT else DONE


def _folders(request: Request) -> dict[Path, Path]:
    """The projects that are named, or else the one that the folder is in, each with its state."""
    found: dict[Path, Path] = {}
    named = request.arguments.projects
    for start in named or ["."]:
        folder = request.start / start
        if not folder.is_dir():
            raise BluelineError(f"there is no folder {start}", hint="look at: --project DIR")
        try:
            with request.desk(folder) as desk:
                found[desk.root] = desk.state
        except NoProjectHere:
            if named or not known_projects.places(os.environ):
                raise
    return found


def _has_browser() -> bool:
    """Whether there is a screen to open one on. In a terminal, one would take the terminal."""
    names = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform == "darwin" or any(os.environ.get(name) for name in names)


def _open(address: str) -> None:
    # A program of that name in the project is not the one that is meant.
    folders = [one for one in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(one)]
    os.environ["PATH"] = os.pathsep.join(folders)
    webbrowser.open(address)
