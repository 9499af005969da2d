"""Somebody who forwards a port of one machine to another, as ssh, containers and code hosts do."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path


class Forwarder:
    """Listens on a port of its own, and hands on what comes to another one, and back.

    `says` has words of requests that are not handed on as they are: some forwarders put the name of the far
    side into `Host` and `Origin`.
    """

    def __init__(self, says: dict[bytes, bytes] | None = None, tls: ssl.SSLContext | None = None) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.to = 0
        """Where to."""
        self._says = says or {}
        self._tls = tls
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._hand_on, args=(near,), daemon=True).start()

    def _hand_on(self, near: socket.socket) -> None:
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            near = self._tls.wrap_socket(near, server_side=True) if self._tls else near
            far = stack.enter_context(socket.create_connection(("127.0.0.1", self.to)))
            stack.enter_context(near)
            self._open += [near, far]
            while True:
                # What TLS has read already does not show in the socket.
                waits = isinstance(near, ssl.SSLSocket) and near.pending()
                ready = [near] if waits else select.select([near, far], [], [])[0]
                for one in ready:
                    data = one.recv(1 << 16)
                    if not data:
                        return
                    (far if one is near else near).sendall(self._said(data) if one is near else data)

    def _said(self, data: bytes) -> bytes:
        for words, others in self._says.items():
            data = data.replace(words, others)
        return data

    def close(self) -> None:
        for one in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextlib.contextmanager
def forwarding(
    says: dict[bytes, bytes] | None = None, tls: ssl.SSLContext | None = None
) -> Iterator[Forwarder]:
    """A forwarder that is gone in the end."""
    forwarder = Forwarder(says, tls)
    try:
        yield forwarder
    finally:
        forwarder.close()


def certificate(folder: Path, name: str) -> ssl.SSLContext:
    """What a forwarder with https shows; nobody signed it but itself."""
    pem = folder / "forwarder.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
    subprocess.run([*made, "-keyout", pem, "-out", f"{pem}.crt"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{pem}.crt", pem)
    return context
