"""The commands that stay: they serve others until these have gone."""

from __future__ import annotations

import gc
import os
import signal
import sys

from blueline.desk.state_folder import find
from blueline.errors import DONE, INTERRUPTED
from blueline.surfaces.cli.request import Request


def mcp(request: Request) -> int:
    """Serve the tools to an agent, until it leaves."""
    start = request.start
    find(start, os.environ)  # said now rather than at the first call, which opens it
    from blueline.surfaces.mcp.server import ToolServer
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
        ToolServer(tools).run(sys.stdin.buffer, sys.stdout.buffer)
    finally:
        tools.close()
    return DONE
