"""Who gets what from a hub, and what is made of anything else that is sent."""

from __future__ import annotations

import http.client
import json
import secrets
from contextlib import closing
from hashlib import sha256
from typing import NamedTuple

import pytest

from blueline.journal.frames import EVENT
from blueline.kernel import disk
from tests.support.hub_process import Hub

FRAME = disk.frame(EVENT, b'{"n":1}')
NOBODY = "blm_" + "0" * 32 + "_nothing"


class Answered(NamedTuple):
    status: int
    body: bytes

    @property
    def error(self) -> str:
        return str(json.loads(self.body)["error"])


class Machine:
    """Whoever holds a token."""

    def __init__(self, hub: Hub, project: str, token: str) -> None:
        self._hub = hub
        self.project = project
        self.token = token

    def ask(self, method: str, path: str, body: bytes | None = None, project: str = "") -> Answered:
        connection = http.client.HTTPConnection("127.0.0.1", self._hub.port, timeout=60)
        try:
            where = f"/v1/projects/{project or self.project}{path}"
            headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
            connection.request(method, where, body, headers)
            response = connection.getresponse()
            return Answered(response.status, response.read())
        finally:
            connection.close()


def joined(hub: Hub, project: str = "", invitation: str = "") -> Machine:
    project = project or secrets.token_hex(16)
    machine = Machine(hub, project, invitation or hub.invitation())
    token = f"blm_{project}_{secrets.token_urlsafe(32)}"
    digest = sha256(token.encode()).hexdigest()
    said = {"name": "poem", "machine": "laptop", "format": "blueline 2", "token": digest}
    answer = machine.ask("PUT", "", json.dumps(said).encode())
    assert answer.status == 201, answer.body
    return Machine(hub, project, token)


ASKED = [
    ("GET", "/journal", None),
    ("PUT", "/journal?from=0", FRAME),
    ("POST", "/journal", b'{"instead_of": 1}'),
    ("GET", "/journal/bytes", None),
    ("POST", "/blobs/missing", b'{"hashes": []}'),
    ("PUT", f"/blobs/{disk.blob_id(b'x')}", b"x"),
    ("GET", f"/blobs/{disk.blob_id(b'x')}", None),
    ("POST", "/blobs/forget", b'{"hashes": []}'),
    ("GET", "/requests", None),
]
ENDLESS_OR_UNKNOWN = [
    ("GET", "/requests/events", None),
    ("PUT", "/requests/1", b'{"state": "done"}'),
]


def test_every_route_refuses_who_has_no_right_to_it(hub: Hub) -> None:
    mine, other = joined(hub), joined(hub)
    assert mine.ask("PUT", f"/blobs/{disk.blob_id(b'x')}", b"x").status == 204
    taken_over = joined(hub, mine.project, hub.invitation(mine.project))

    for method, path, body in ASKED + ENDLESS_OR_UNKNOWN:
        for token in ("", "nonsense", NOBODY, mine.token):
            assert Machine(hub, mine.project, token).ask(method, path, body).status == 401, (method, path)
        known = other.ask(method, path, body, project=mine.project)
        unknown = other.ask(method, path, body, project=secrets.token_hex(16))
        assert known == unknown, "whether it exists is nobody else's business"
        assert known.status == 404
    for method, path, body in ASKED:
        assert taken_over.ask(method, path, body).status < 300, (method, path)


def test_an_invitation_is_good_once_and_for_what_it_was_made(hub: Hub) -> None:
    code = hub.invitation()
    mine = joined(hub, invitation=code)

    said = json.dumps({"name": "a", "machine": "b", "format": "c", "token": "0" * 64}).encode()
    for token, project in (
        (code, ""),
        (code, secrets.token_hex(16)),
        (hub.invitation(mine.project), "f" * 32),
    ):
        answer = Machine(hub, mine.project, token).ask("PUT", "", said, project=project)
        assert answer.status == 403, answer.body
    again = Machine(hub, mine.project, hub.invitation()).ask("PUT", "", said)
    assert again.status == 409, "a project that has joined is taken over by an invitation for it alone"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("PUT", "/journal", FRAME, 400, "from is missing"),
        ("PUT", "/journal?from=-1", FRAME, 400, "from must be a number"),
        ("PUT", f"/journal?from={'9' * 5000}", FRAME, 400, "from must be a number"),
        ("PUT", "/journal?from=7", FRAME, 409, "only 0 are known"),
        ("PUT", "/journal?from=0", FRAME[:-1], 400, "no whole frame"),
        ("PUT", "/journal?from=0&damaged=1-x", FRAME, 400, "stretches such as"),
        ("POST", "/journal", b"{}", 400, "instead_of is missing"),
        ("POST", "/journal", b"[", 400, "not JSON"),
        ("POST", "/blobs/missing", b'{"hashes": ["../../etc"]}', 400, "40 hexadecimal digits"),
        ("PUT", f"/blobs/{'0' * 40}", b"x", 400, "not the content"),
        ("PUT", "/blobs/zz", b"x", 400, "40 hexadecimal digits"),
        ("GET", f"/blobs/{'0' * 40}", None, 404, "not stored here"),
        ("DELETE", "/journal", None, 405, "Method Not Allowed"),
    ],
)
def test_bad_input_is_refused_in_words_and_changes_nothing(
    hub: Hub, method: str, path: str, body: bytes | None, status: int, error: str
) -> None:
    mine = joined(hub)

    answer = mine.ask(method, path, body)

    assert (answer.status, error in answer.error) == (status, True), answer
    assert json.loads(mine.ask("GET", "/journal").body)["length"] == 0


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(hub: Hub) -> None:
    machine = joined(hub)
    for path in ("/journal?from=0", f"/blobs/{'0' * 40}"):
        with closing(http.client.HTTPConnection("127.0.0.1", hub.port, timeout=60)) as connection:
            connection.putrequest("PUT", f"/v1/projects/{machine.project}{path}")
            connection.putheader("Authorization", f"Bearer {machine.token}")
            connection.putheader("Content-Length", str(1 << 40))
            connection.endheaders()
            response = connection.getresponse()
            assert response.status == 413
            assert json.loads(response.read())["hint"] == "send less at a time"
    assert json.loads(machine.ask("GET", "/journal").body)["length"] == 0
