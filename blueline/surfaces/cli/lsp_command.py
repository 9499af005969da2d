"""The command that serves an editor, until it leaves."""

from __future__ import annotations

import sys

from blueline.errors import DONE, INTERRUPTED
from blueline.surfaces.cli import staying
from blueline.surfaces.cli.bug_report import report
from blueline.surfaces.cli.request import Request


def lsp(request: Request) -> int:
    """Speak the Language Server Protocol on standard input and output."""
    from blueline.surfaces.lsp.language_server import serve  # no other command needs it

    staying.collect()
    requests, answers = sys.stdin.fileno(), sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever else is printed would break into a message
    is_done = serve(requests, answers, request.open, lambda error: report(["lsp"], error))
    return DONE if is_done else INTERRUPTED
