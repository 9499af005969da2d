"""The commands that stay: they serve others until these have gone."""

from __future__ import annotations

import gc
import os
import signal

from blueline.errors import DONE, INTERRUPTED
from blueline.surfaces.cli.request import Request


def mcp(request: Request) -> int:
    """Serve the tools to an agent, until it leaves."""
    start = request.start
    with request.desk(start):
        pass  # it is a project, and can be used: said now rather than at the first call
    from blueline.surfaces.mcp.server import server_of
    from blueline.surfaces.mcp.tools import Tools

    gc.enable()
    tools = Tools(start, os.environ, request.desk)

    def leave(number: int, frame: object) -> None:
        # Many clients end their servers this way. Nobody waits for the thread that reads from the client.
        tools.close()
        os._exit(INTERRUPTED)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    try:
        server_of(tools).run("stdio")
    finally:
        tools.close()
    return DONE
