"""A server with a bucket, which speaks as Amazon does; what it keeps is gone with its process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen

from tests.support.processes import PATIENCE_SECONDS, ended, first_line

BUCKET = "hub"


class ObjectServer:
    """With one bucket, into which anybody is let."""

    port = 0

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Start it, empty, and where it was started before, at the same port."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.object_server", str(self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.port = int(first_line(self._process, "the object server"))
        self._ask("PUT", "")

    @property
    def environ(self) -> dict[str, str]:
        """What a hub has to know of it beside the bucket."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "somebody",
            "AWS_SECRET_ACCESS_KEY": "anything",
        }

    def listing(self) -> str:
        """What is in the bucket, in Amazon's words."""
        return self._ask("GET", "?list-type=2").decode()

    def replace(self, name: str, data: bytes) -> None:
        self._ask("PUT", f"/{name}", data)

    def remove(self, name: str) -> None:
        self._ask("DELETE", f"/{name}")

    def _ask(self, method: str, path: str, data: bytes | None = None) -> bytes:
        headers = {
            # Whoever signs is let in, whatever the signature.
            "Authorization": "AWS4-HMAC-SHA256 Credential=somebody/20300131/us-east-1/s3/aws4_request",
            "Content-Type": "application/octet-stream",
        }
        asked = Request(f"http://127.0.0.1:{self.port}/{BUCKET}{path}", data, headers, method=method)
        with urlopen(asked, timeout=PATIENCE_SECONDS) as answer:
            return bytes(answer.read())

    def kill(self) -> None:
        self._process.kill()
        ended(self._process, "the object server")
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()


@contextmanager
def object_server() -> Iterator[ObjectServer]:
    server = ObjectServer()
    try:
        yield server
    finally:
        server.kill()


def _serve(port: int) -> None:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    print(server.get_host_and_port()[1], flush=True)
    sys.stdin.read()  # until whoever started it is gone
    server.stop()


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
