"""Requests to a host's API: one host, one token, and answers of any kind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from blueline.hosts import api_client
from blueline.hosts.api_client import ApiClient, ForgeFailed


@contextmanager
def host(answer: bytes, *asked: list[str]) -> Iterator[str]:
    """A host that says one thing, as bytes, to everybody."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            for one in asked:
                one.append(self.path)
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def client(url: str) -> ApiClient:
    return ApiClient("Somewhere", url, {"Authorization": "Bearer secret"}, sleep=lambda seconds: None)


def test_qb14_a_token_is_not_taken_to_where_an_answer_points() -> None:
    stolen: list[str] = []
    with (
        host(b"HTTP/1.0 200 OK\r\n\r\n{}", stolen) as thief,
        host(f"HTTP/1.0 302 Found\r\nLocation: {thief}/\r\n\r\n".encode()) as url,
        pytest.raises(ForgeFailed, match="Somewhere answered 302"),
    ):
        client(url).get("looking", "here")
    assert stolen == []


@pytest.mark.parametrize(
    "answer", [b"", b"nonsense\r\n\r\n", b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n{}"]
)
def test_an_answer_that_is_none_is_a_failure_with_a_hint(answer: bytes) -> None:
    with host(answer) as url, pytest.raises(ForgeFailed, match="could not be reached") as caught:
        client(url).get("looking", "here")
    assert caught.value.hint == "check the network and the address of the API"


def test_an_answer_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_client, "LARGEST_ANSWER", 10)
    with (
        host(b'HTTP/1.0 200 OK\r\n\r\n{"a": "' + b"x" * 100 + b'"}') as url,
        pytest.raises(ForgeFailed, match="the answer is too long"),
    ):
        client(url).get("looking", "here")


@pytest.mark.parametrize(
    ("status", "said"), [(b"200 OK", "answered something that is no JSON"), (b"404 No", "answered 404")]
)
def test_an_answer_that_is_no_json_is_a_failure(status: bytes, said: str) -> None:
    with (
        host(b"HTTP/1.0 " + status + b"\r\n\r\n<html>") as url,
        pytest.raises(ForgeFailed, match=f"Somewhere {said}"),
    ):
        client(url).get("looking", "here")


def test_what_is_asked_for_cannot_leave_its_place() -> None:
    asked: list[str] = []
    with host(b"HTTP/1.0 200 OK\r\n\r\n{}", asked) as url:
        client(url).get("looking", "a/../b?c", 5, since="2026-01-01T00:00:00Z")
    assert asked == ["/a%2F..%2Fb%3Fc/5?since=2026-01-01T00%3A00%3A00Z"]


def test_only_the_web_is_spoken_to() -> None:
    with pytest.raises(ForgeFailed, match="no such kind of address"):
        client("file:///etc").get("looking", "passwd")


def test_a_failure_names_its_errors() -> None:
    said = b'{"message": "no", "errors": [{"message": "\\u001b[31mred"}, "and more"]}'
    with (
        host(b"HTTP/1.0 422 No\r\n\r\n" + said) as url,
        pytest.raises(ForgeFailed, match=r"Somewhere answered 422 no .*red and more") as caught,
    ):
        client(url).get("looking", "here")
    assert "\x1b" not in str(caught.value)
