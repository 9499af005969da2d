"""The port of a project: the same at every start, so that a page that is still open finds its server again.

Who gets in does not follow from it: the secrets are new with every start.
"""

from __future__ import annotations

import errno
import socket
from hashlib import blake2b

from blueline.errors import BluelineError
from blueline.surfaces.web.project import Project

ADDRESS = "127.0.0.1"
BACKLOG = 128

FIRST, COUNT = 20_000, 12_000
"""Below the ports that systems hand out to whoever asks for any, and none that browsers refuse."""

TRIES = 20


class PortTaken(BluelineError):
    """Somebody else listens there."""


def own_port(project: Project | None) -> int:
    """What a project's id makes of its port; without an id, where it lies. The inbox alone has one, too."""
    known = b"inbox"
    if project is not None:
        try:
            known = (project.state / "id").read_bytes()
        except OSError:
            known = str(project.root).encode("utf-8", "surrogateescape")
    return FIRST + int.from_bytes(blake2b(known, digest_size=8).digest()) % COUNT


def listen_near(port: int) -> socket.socket:
    """Listen on a port, or the next that is free."""
    for wanted in range(port, port + TRIES):
        try:
            return listen(wanted)
        except PortTaken as error:
            if not isinstance(error.__cause__, OSError) or error.__cause__.errno != errno.EADDRINUSE:
                raise
    return listen(0)


def listen(port: int) -> socket.socket:
    """Listen on a port of this machine's own address, or, 0, on any that is free."""
    # By its full name: only then asyncio sends answers at once, and does not wait 40 ms for more to send.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((ADDRESS, port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        why = error.strerror if isinstance(error, OSError) else "it is no port"
        raise PortTaken(f"port {port} cannot be used: {why}", hint="name another, or none") from error
    listener.setblocking(False)
    return listener
