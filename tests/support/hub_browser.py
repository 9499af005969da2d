"""A browser at a hub, as far as requests go."""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.support.hub_process import Hub
from tests.support.project import Document


class Answered(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Document:
        return json.loads(self.body)


class Browser:
    """Somebody's browser, or a stranger's."""

    def __init__(self, hub: Hub, cookie: str = "") -> None:
        self._hub = hub
        self._cookie = cookie

    def get(self, path: str, **headers: str) -> Answered:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, said: object, **headers: str) -> Answered:
        sent = {"Content-Type": "application/json", "X-Blueline": "1", **headers}
        return self._ask("POST", path, json.dumps(said).encode(), sent)

    @contextmanager
    def listening(self, project: str) -> Iterator[Iterator[str]]:
        """What a page hears, event by event."""
        connection = http.client.HTTPConnection("127.0.0.1", self._hub.port, timeout=60)
        try:
            connection.request("GET", f"/api/events?project={project}", headers={"Cookie": self._cookie})
            response = connection.getresponse()

            def events() -> Iterator[str]:
                text = ""
                while line := response.readline():
                    text += line.decode()
                    if line == b"\n":
                        yield text
                        text = ""

            yield events()
        finally:
            connection.close()

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answered:
        connection = http.client.HTTPConnection("127.0.0.1", self._hub.port, timeout=60)
        try:
            more = {"Cookie": self._cookie} if self._cookie else {}
            connection.request(method, path, body, {**more, **headers})
            response = connection.getresponse()
            read = (
                b""
                if response.getheader("content-type") == "text/event-stream; charset=utf-8"
                else response.read()
            )
            return Answered(response.status, {k.lower(): v for k, v in response.getheaders()}, read)
        finally:
            connection.close()


def decision(browser: Browser, project: str, **more: Any) -> dict[str, Any]:
    """What the page sends when somebody rejects the first hunk that it shows."""
    shown = browser.get(f"/api/file?project={project}&path=a.txt").json["hunks"][0]
    return {
        "verdict": "reject",
        "selectors": [shown["id"]],
        "expect": {shown["id"]: shown["digest"]},
        "key": secrets.token_hex(8),
        **more,
    }
