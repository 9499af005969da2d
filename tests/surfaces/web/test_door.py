"""Connections that never come to their request."""

from __future__ import annotations

import contextlib
import socket

from tests.support.workbench import Browser, Workbench


def test_a_request_that_never_comes_to_its_end_is_broken_off(served: Workbench) -> None:
    answer = served.raw(b"GET / HTTP/1.1\r\nHost: x")
    assert answer == b""


def test_many_connections_leave_room_for_ours(served: Workbench, known: Browser) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(600):
            stack.enter_context(socket.create_connection(("127.0.0.1", served.port)))
        assert known.get("/api/projects").status == 200
