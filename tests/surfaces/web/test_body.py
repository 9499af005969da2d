"""Requests that say something odd."""

from __future__ import annotations

import pytest

from tests.support.workbench import SUITABLE, Browser, Workbench
from tests.surfaces.web.all_routes import WRITES


@pytest.mark.parametrize("target", WRITES)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b'"x"',
        b"{",
        b"\xff\xfe",
        b'{"key": NaN}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"9" * 9999,
    ],
)
def test_a_write_wants_an_object(known: Browser, target: str, body: bytes) -> None:
    found = known.ask("POST", target, body=body, headers=SUITABLE)
    assert (found.status, set(found.json)) == (400, {"error", "hint"})


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\nConnection: close\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * (1 << 20) + b"\r\n\r\n",
        b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=lambda data: repr(data[:60]),
)
def test_requests_are_refused(served: Workbench, data: bytes) -> None:
    answer = served.raw(data)
    assert answer == b"" or answer.split(b" ")[1][:1] == b"4"


@pytest.mark.parametrize(
    "extra",
    [
        "Host: 127.0.0.1:{port}",
        "Origin: http://127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}",
        "Cookie: {cookie}",
        "X-Blueline: 1\r\nX-Blueline: 1",
        "Content-Length: 0\r\nTransfer-Encoding: chunked",
    ],
)
def test_what_is_said_twice_is_not_believed(served: Workbench, known: Browser, extra: str) -> None:
    lines = [
        "GET /api/projects HTTP/1.1",
        f"Host: 127.0.0.1:{served.port}",
        f"Cookie: {known.cookie}",
        "Connection: close",
        extra.format(port=served.port, cookie=known.cookie),
    ]
    answer = served.raw("\r\n".join([*lines, "", ""]).encode())
    assert answer.split(b" ")[1] == b"400"


def test_more_than_anybody_types_is_not_read(served: Workbench, known: Browser) -> None:
    head = [
        "POST /api/save HTTP/1.1",
        f"Host: 127.0.0.1:{served.port}",
        f"Cookie: {known.cookie}",
        "Content-Type: application/json",
        "X-Blueline: 1",
        "Content-Length: 99999999999",
    ]
    answer = served.raw("\r\n".join([*head, "", ""]).encode())
    assert answer.split(b" ")[1] == b"413"
