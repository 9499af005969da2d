"""Connections that never come to their request."""

from __future__ import annotations

import contextlib
import socket

from tests.support.workbench import Browser, Workbench


def test_a_request_that_never_comes_to_its_end_is_broken_off(served: Workbench) -> None:
    answer = served.raw(b"GET / HTTP/1.1\r\nHost: x")
    assert answer == b""


def test_many_streams_of_one_browser_leave_room_for_its_pages(served: Workbench, known: Browser) -> None:
    request = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nCookie: {known.cookie}\r\n\r\n"
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(300):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", served.port)))
            one.sendall(request.encode())
            assert one.recv(12) == b"HTTP/1.1 200"
            opened.append(one)
        assert known.get("/api/projects").status == 200
        # The first have ended, as a stream does, and the last go on.
        opened[0].settimeout(10)
        said = b""
        while not said.endswith(b"0\r\n\r\n"):
            part = opened[0].recv(4096)
            assert part, said
            said += part
        opened[-1].setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while part := opened[-1].recv(4096):
                assert not part.endswith(b"0\r\n\r\n")


def test_many_connections_leave_room_for_ours(served: Workbench, known: Browser) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(600):
            stack.enter_context(socket.create_connection(("127.0.0.1", served.port)))
        assert known.get("/api/projects").status == 200
