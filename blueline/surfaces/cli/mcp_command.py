"""The commands that stay: they serve others until these have gone."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk.resident import ResidentDesk
from blueline.desk.state_folder import find
from blueline.errors import DONE, INTERRUPTED
from blueline.surfaces.cli import staying
from blueline.surfaces.cli.request import Request, complain

if TYPE_CHECKING:
    from blueline.desk import Desk


def mcp(request: Request) -> int:
    """Serve the tools to an agent, until it leaves."""
    start = request.start
    find(start, os.environ)  # said now rather than at the first call, which opens it
    from blueline.surfaces.mcp.mcp_server import ToolServer
    from blueline.surfaces.mcp.tools import Tools

    staying.collect()
    resident = ResidentDesk(lambda: request.open(start))

    @contextmanager
    def desk(start: Path) -> Iterator[Desk]:
        resident.hint(None)  # nobody watches: any file may have changed
        with resident.step() as found:
            try:
                yield found
            finally:
                for warning in found.warnings:
                    complain(warning, request.screen(sys.stderr))

    tools = Tools(start, os.environ, desk)

    def close() -> None:
        tools.close()
        resident.close()

    def leave(number: int, frame: object) -> None:
        # Many clients end their servers this way. Nobody waits for the thread that reads from the client.
        close()
        os._exit(INTERRUPTED)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    try:
        ToolServer(tools).run(sys.stdin.buffer, sys.stdout.buffer)
    finally:
        close()
    return DONE
