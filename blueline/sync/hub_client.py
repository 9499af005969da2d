"""Asking a hub: one connection that is kept, and made again when it broke.

Every request can be sent twice, so whatever got no answer is asked again.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from blueline.errors import BluelineError
from blueline.model.visible import visible

if TYPE_CHECKING:
    from blueline.contract.hub import (
        CopyDocument,
        JoinedDocument,
        MissingDocument,
        OutcomeDocument,
        RequestDocument,
        RequestsDocument,
    )

ATTEMPTS = 4
FIRST_WAIT_SECONDS = 0.5
TIMEOUT_SECONDS = 60.0
PIECE = 1 << 20
LONGEST_MESSAGE = 300
LONGEST_LINE = 1 << 20
LOCAL = ("localhost", "127.0.0.1", "::1")
AWAY = (502, 503, 504)
"""What a proxy answers for a hub that is not there, or a hub for its database."""


class HubAway(BluelineError):
    """It could not be reached, or had no time. What is recorded here stays, and is sent later."""


class HubRefused(BluelineError):
    """It does not take what was sent."""

    status = 0


class HubClient(AbstractContextManager["HubClient"]):
    """One project at one hub."""

    def __init__(
        self,
        url: str,
        project: str,
        token: str,
        *,
        attempts: int = ATTEMPTS,
        timeout: float = TIMEOUT_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username:
            raise BluelineError(f"{visible(url)} is no address of a hub", hint="such as https://hub.example")
        if parts.scheme == "http" and parts.hostname not in LOCAL:
            raise BluelineError(
                f"{visible(url)} would carry the token and all content in plain text",
                hint="use https, with a proxy before the hub that speaks it",
            )
        self.url = url
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._path = f"{parts.path.rstrip('/')}/v1/projects/{project}"
        self._token = token
        self._attempts, self._timeout = attempts, timeout
        self._sleep = sleep
        self._connection: http.client.HTTPConnection | None = None

    def join(self, name: str, machine: str, kind: str, token: str) -> JoinedDocument:
        """Be let in, from now on by a token of one's own; that of this client is the invitation."""
        digest = sha256(token.encode()).hexdigest()
        said = {"name": name, "machine": machine, "format": kind, "token": digest}
        return cast("JoinedDocument", self._json("PUT", "", said))

    def reached(self) -> CopyDocument:
        return cast("CopyDocument", self._json("GET", "/journal"))

    def begin_anew(self, instead_of: int) -> CopyDocument:
        return cast("CopyDocument", self._json("POST", "/journal", {"instead_of": instead_of}))

    def add(self, start: int, data: bytes, damaged: Sequence[tuple[int, int]]) -> CopyDocument:
        """Send bytes of the journal."""
        said = ",".join(f"{one}-{other}" for one, other in damaged)
        query = f"?from={start}" + (f"&damaged={said}" if said else "")
        return cast("CopyDocument", self._parsed(self._ask("PUT", f"/journal{query}", data)))

    def replace(self, start: int, data: bytes) -> None:
        """Put a record, as it is since a purge, in the place of what it was."""
        self._ask("PUT", f"/journal?from={start}&purged=1", data)

    def forget(self, hashes: Sequence[str]) -> None:
        """Have contents removed for good."""
        self._json("POST", "/blobs/forget", {"hashes": list(hashes)})

    def missing(self, hashes: Sequence[str]) -> list[str]:
        found = cast("MissingDocument", self._json("POST", "/blobs/missing", {"hashes": list(hashes)}))
        return found["missing"]

    def put(self, name: str, content: bytes) -> None:
        self._ask("PUT", f"/blobs/{name}", content)

    def get(self, name: str) -> bytes | None:
        """A content; None if the hub has none of that name."""
        try:
            return self._ask("GET", f"/blobs/{name}")
        except HubRefused as error:
            if error.status == http.HTTPStatus.NOT_FOUND:
                return None
            raise

    def requests(self) -> list[RequestDocument]:
        """What waits for this machine."""
        return cast("RequestsDocument", self._json("GET", "/requests"))["requests"]

    def answer(self, number: int, outcome: OutcomeDocument) -> None:
        """Say what became of a request."""
        self._json("PUT", f"/requests/{number}", outcome)

    def words(self) -> Iterator[bool]:
        """Whenever somebody asks for something, True; False now and then, to say that the hub is there. Ends
        when the connection does."""
        with closing(self._connect()) as connection:
            try:
                connection.request("GET", f"{self._path}/requests/events", headers=self._headers())
                response = connection.getresponse()
                if response.status in AWAY:
                    raise self._away(f"it answered {response.status}")
                if response.status != http.HTTPStatus.OK:
                    raise _refusal(response.status, response.read())
                yield False
                while line := response.readline(LONGEST_LINE):
                    if line.startswith((b"data:", b":")):
                        yield line.startswith(b"data:")
            except (OSError, http.client.HTTPException) as error:
                raise self._away(error or type(error).__name__) from error

    def _away(self, why: object) -> HubAway:
        return HubAway(
            f"the hub at {self.url} cannot be reached: {why}",
            hint="what is recorded here is sent later: blueline sync",
        )

    def journal(self, after: int) -> Iterator[bytes]:
        """The bytes of the journal behind an offset. A connection that breaks leaves less: ask again."""
        with closing(self._connect()) as connection:
            try:
                connection.request("GET", f"{self._path}/journal/bytes?from={after}", headers=self._headers())
                response = connection.getresponse()
                if response.status != http.HTTPStatus.OK:
                    raise _refusal(response.status, response.read())
                while piece := response.read(PIECE):
                    yield piece
            except (OSError, http.client.HTTPException) as error:
                raise self._away(error or type(error).__name__) from error

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _json(self, method: str, path: str, said: object | None = None) -> Any:
        body = None if said is None else json.dumps(said).encode()
        return self._parsed(self._ask(method, path, body, "application/json"))

    def _parsed(self, answer: bytes) -> Any:
        try:
            return json.loads(answer)
        except ValueError:
            raise HubAway(
                f"what answers at {self.url} is no hub",
                hint="check the address, and whether this network asks you to log in first",
            ) from None

    def _ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/octet-stream"
    ) -> bytes:
        failure: BluelineError | None = None
        for attempt in range(self._attempts):
            if attempt:
                self._sleep(FIRST_WAIT_SECONDS * 2 ** (attempt - 1))
            try:
                status, answer = self._once(method, path, body, kind)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                failure = self._away(error or type(error).__name__)
                continue
            if status < http.HTTPStatus.MULTIPLE_CHOICES:
                return answer
            refusal = _refusal(status, answer)
            if status not in AWAY:
                raise refusal
            failure = HubAway(f"the hub at {self.url} has no time: {refusal}", hint=refusal.hint)
        assert failure is not None, "every attempt answers or fails"
        raise failure

    def _once(self, method: str, path: str, body: bytes | None, kind: str) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = self._connect()
        headers = self._headers() | ({} if body is None else {"Content-Type": kind})
        self._connection.request(method, self._path + path, body, headers)
        response = self._connection.getresponse()
        return response.status, response.read()

    def _connect(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=self._timeout)

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"}


def _refusal(status: int, answer: bytes) -> HubRefused:
    """What the hub says, in one line: it is a stranger, and what it says reaches a terminal."""
    try:
        said = json.loads(answer)
        message, hint = str(said["error"]), str(said.get("hint", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        message, hint = f"it answered {status}", ""
    refusal = HubRefused(
        f"the hub: {visible(message)[:LONGEST_MESSAGE]}", hint=visible(hint)[:LONGEST_MESSAGE]
    )
    refusal.status = status
    return refusal
