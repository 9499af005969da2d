"""The command that stays: watch takes in what happens outside any hook, as it happens."""

from __future__ import annotations

import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk.resident import ResidentDesk
from blueline.desk.tree_watch import hints, tell_hooks
from blueline.surfaces.cli import staying
from blueline.surfaces.cli.beside import hubs_beside
from blueline.surfaces.cli.request import Request, as_json, complain, joined, write
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from blueline.contract.overview import ChangeNews


def watch(request: Request) -> int:
    """Take in edits as they are made, and say which, until stopped."""
    with request.desk() as desk:
        root, state = desk.root, desk.state
    screen = request.screen(sys.stderr)
    if not request.is_json:
        write(f"watching {safe(str(root))}; Ctrl+C stops\n", sys.stderr)
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda *_: stop.set())
    staying.collect()
    tell_hooks(root, state, stop)
    with hubs_beside(request, {root: state}):
        _watched(request, root, stop, screen)
    return 0


def _watched(request: Request, root: Path, stop: threading.Event, screen: Screen) -> None:
    resident = ResidentDesk(lambda: request.open(root))
    is_told = True
    for hint in hints(root, stop):
        if is_told and not hint.trusted:
            why = f"the system does not tell of all changes ({hint.why}): files are looked at every 2 seconds"
            complain(why, screen, hint="on Linux, raise fs.inotify.max_user_watches")
        is_told = hint.trusted
        resident.hint(hint.paths if hint.trusted and hint.paths else None)
        with resident.step() as desk:
            news = desk.workbench.news()
            for warning in desk.warnings:
                complain(warning, screen)
        for one in news:
            write(as_json(one) if request.is_json else joined([_line(one, screen)]))
    resident.close()


def _line(one: ChangeNews, screen: Screen) -> str:
    actor = one["actor"]
    by = safe(actor["name"] or actor["kind"])
    call = f" in {screen.paint(safe(one['call']), 'id')}" if one["call"] else ""
    return f"{time.strftime('%H:%M:%S')}  {safe(one['path'])}  changed by {by}{call}"
