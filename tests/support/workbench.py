"""The workbench as it really runs: a process of its own, asked over a socket."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from tests.support.project import Project
from tests.support.routes import ANSWERS
from tests.support.shown import as_promised

PATIENCE_SECONDS = 60
SOON_SECONDS = 1.0
SUITABLE = {"Content-Type": "application/json", "X-Blueline": "1"}
"""How long nothing has to come before it is believed that nothing comes."""

Document = dict[str, Any]


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Document:
        found: Document = json.loads(self.body)
        return found


class Said(NamedTuple):
    """One event of a stream."""

    event: str
    id: int | None
    data: Document


class Stream:
    """What the server tells as it happens."""

    def __init__(self, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._answer = answer
        self._said: queue.Queue[Said | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait for its end."""
        self._thread.join(PATIENCE_SECONDS)

    def _read(self) -> None:
        with contextlib.closing(self._connection), self._answer:
            self._take()
        self._said.put(None)

    def _take(self) -> None:
        fields: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            while line := self._answer.readline():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                elif "data" in fields:
                    number = int(fields["id"]) if "id" in fields else None
                    self._said.put(Said(fields["event"], number, json.loads(fields["data"])))
                    fields = {}

    def next(self) -> Said:
        """What is said next; the stream must not end."""
        said = self._said.get(timeout=PATIENCE_SECONDS)
        assert said is not None, "the stream has ended"
        return said

    def until(self, version: int) -> list[Said]:
        """All that is said up to a version."""
        found = [self.next()]
        while found[-1].id is None or found[-1].id < version:
            found.append(self.next())
        return found

    def ends(self) -> bool:
        """Whether the stream ends, whatever is said before."""
        while self._said.get(timeout=PATIENCE_SECONDS) is not None:
            pass
        return True

    def is_quiet(self) -> bool:
        """Whether nothing is said for a while."""
        try:
            return self._said.get(timeout=SOON_SECONDS) is None
        except queue.Empty:
            return True


class Browser:
    """A client with the cookie, or without."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port = port
        self.cookie = cookie
        self.streams: list[Stream] = []
        self._keys = 0

    def ask(
        self,
        method: str,
        target: str,
        *,
        body: bytes | str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One request, with just these headers besides the cookie."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            own = {"Cookie": self.cookie} if self.cookie else {}
            connection.request(method, target, body, {**own, **(headers or {})})
            found = connection.getresponse()
            named = {name.lower(): value for name, value in found.getheaders()}
            return Answer(found.status, named, found.read())
        finally:
            connection.close()

    def get(self, route: str, **query: str) -> Answer:
        return _checked("GET", route, self.ask("GET", _target(route, query)))

    def post(self, route: str, *, project: str | None = None, **fields: Any) -> Answer:
        query = {} if project is None else {"project": project}
        said = self.ask("POST", _target(route, query), body=json.dumps(fields), headers=SUITABLE)
        return _checked("POST", route, said)

    def document(self, route: str, **query: str) -> Document:
        """What a GET answers; it does not fail."""
        found = self.get(route, **query)
        assert found.status == 200, found.body
        return found.json

    def key(self) -> str:
        self._keys += 1
        return f"key-{self._keys}"

    def decide(self, verdict: str, *selectors: str, **fields: Any) -> Answer:
        fields = {"key": self.key(), **fields}
        return self.post("/api/decide", verdict=verdict, selectors=[*selectors], **fields)

    def save(self, page: Document, text: str, base: str | None = None) -> Answer:
        """Save what was made of a page; `base` is what the editor had, if that is not the page."""
        base = page.get("live", page.get("text")) if base is None else base
        return self.post("/api/save", path=page["path"], revision=page["revision"], base=base, text=text)

    def events(self, **query: str) -> Stream:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        connection.request("GET", _target("/api/events", query), headers={"Cookie": self.cookie})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.getheader("content-type", "").startswith("text/event-stream")
        self.streams.append(Stream(connection, answer))
        return self.streams[-1]


def _checked(method: str, route: str, answer: Answer) -> Answer:
    """The answer, which is what the contract promises if it is a success."""
    if answer.status == 200 and (method, route) in ANSWERS:
        as_promised(answer.json, ANSWERS[method, route])
    return answer


def _target(route: str, query: Mapping[str, str]) -> str:
    pairs = "&".join(
        f"{name}={quote(value, safe='', errors='surrogateescape')}" for name, value in query.items()
    )
    return f"{route}?{pairs}" if pairs else route


class Workbench:
    """A running `blueline ui`; without a port, on the project's own."""

    def __init__(self, project: Project, *words: str, port: int | None = 0) -> None:
        command = [sys.executable, "-m", "blueline", "-C", str(project.root), "ui", "--no-open", "--json"]
        self._process = subprocess.Popen(
            [*command, *([] if port is None else ["--port", str(port)]), *words],
            cwd=project.root.parent,
            env={**project.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said:
            assert self._process.stderr is not None
            raise AssertionError(self._process.stderr.read().decode())
        document = json.loads(said)
        self.browsers: list[Browser] = []
        self.address: str = document["address"]
        self.port: int = document["port"]

    @property
    def token(self) -> str:
        return urlsplit(self.address).query.removeprefix("token=")

    def enter(self) -> Browser:
        """A browser that was given the address."""
        found = Browser(self.port).ask("GET", f"/?token={self.token}")
        assert found.status == 303, found.body
        self.browsers.append(Browser(self.port, found.headers["set-cookie"].partition(";")[0]))
        return self.browsers[-1]

    def raw(self, data: bytes, *, wait: float = PATIENCE_SECONDS) -> bytes:
        """What comes back for some bytes, until the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(data)
            found = b""
            with contextlib.suppress(ConnectionError):
                while chunk := connection.recv(1 << 16):
                    found += chunk
            return found

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it; its exit code."""
        if self.is_running:
            self._process.send_signal(number)
        code = self._process.wait(timeout=PATIENCE_SECONDS)
        self.said = b"".join(stream.read() for stream in (self._process.stderr,) if stream is not None)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        return code


@contextlib.contextmanager
def running(project: Project, *words: str, port: int | None = 0) -> Iterator[Workbench]:
    """A workbench that is gone in the end."""
    workbench = Workbench(project, *words, port=port)
    try:
        yield workbench
    finally:
        if workbench.is_running:
            workbench.stop(signal.SIGKILL)
        for stream in (one for browser in workbench.browsers for one in browser.streams):
            stream.join()


def hunk_of(page: Document, new: str) -> Document:
    (found,) = (hunk for hunk in page["hunks"] if hunk["new"] == new)
    return dict(found)
