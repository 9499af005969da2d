"""The webhook receiver: only what GitHub signed, each delivery once, and nothing stops it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn

from blueline.errors import BluelineError
from blueline.forge.receiver import LARGEST, CannotServe, Receiver, WebhookServer
from blueline.forge.responder import Handled
from blueline.hosts.github import GITHUB
from blueline.hosts.github_events import is_signed
from blueline.hosts.host import Comment
from tests.forge.ground import Ground
from tests.forge.webhooks import SECRET, event, post, signed

DELIVERY = "72d3162e-cc78-11e3-81ab-4c9367dc0958"


class Desk:
    """Remembers what it was given."""

    def __init__(self) -> None:
        self.comments: list[Comment] = []
        self.said: list[str] = []
        self.failing: list[Exception] = []
        self.receiver = Receiver(GITHUB, SECRET, self.handle, self.said.append)
        self.receiver.start()

    def handle(self, comment: Comment) -> Handled:
        if self.failing:
            raise self.failing.pop()
        self.comments.append(comment)
        return Handled(outcome="done")

    def take(self, payload: bytes, delivery: str = DELIVERY, signature: str | None = None) -> int:
        signature = signed(payload) if signature is None else signature
        status, _ = self.receiver.take("issue_comment", delivery, signature, payload)
        if status == 202:
            self.receiver.wait()
        return status


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.receiver.stop()


@pytest.mark.parametrize(
    "signature", ["", "sha256=", "sha256=" + "0" * 64, signed(b"something else"), "sha1=abc", "é" * 71]
)
def test_qb7_an_event_without_the_right_signature_is_refused(desk: Desk, signature: str) -> None:
    assert desk.take(event(), signature=signature) == 401
    assert desk.comments == []


def test_qb7_the_signature_of_another_secret_is_refused(desk: Desk) -> None:
    assert desk.take(event(), signature=signed(event(), "another secret altogether")) == 401


def test_the_signature_is_the_one_of_githubs_documentation() -> None:
    wanted = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert is_signed(b"It's a Secret to Everybody", b"Hello, World!", wanted)


def test_qb7_a_delivery_that_comes_twice_is_done_once(desk: Desk) -> None:
    assert [desk.take(event()) for _ in range(3)] == [202, 200, 200]
    assert len(desk.comments) == 1


def test_qb7_a_replay_under_another_delivery_is_done_once_by_its_comment(ground: Ground) -> None:
    ground.suggest({"a.py": "one\nTWO\nthree\n"})
    receiver = Receiver(
        GITHUB, SECRET, lambda comment: ground.responder().handle(comment), ground.said.append
    )
    receiver.start()
    payload = event()
    ground.github.comments.append({"id": 1002, "issue": 5, "body": "/apply all", "html_url": ""})
    for delivery in ("first-delivery", "second-delivery"):
        assert receiver.take("issue_comment", delivery, signed(payload), payload)[0] == 202
        receiver.wait()
    receiver.stop()
    assert [line.rpartition(": ")[2] for line in ground.said] == ["done", "again"]
    assert len(ground.answers()) == 1


def test_qb7_what_failed_can_be_sent_again(desk: Desk) -> None:
    desk.failing = [BluelineError("no network")]
    assert desk.take(event()) == 202
    assert desk.comments == []
    assert "no network" in desk.said[-1]
    assert desk.take(event()) == 202
    assert len(desk.comments) == 1


def test_a_bug_in_one_event_does_not_end_the_service(desk: Desk) -> None:
    desk.failing = [ZeroDivisionError("secret content")]
    desk.take(event())
    assert "a bug in Blueline (ZeroDivisionError)" in desk.said[-1]
    assert "secret content" not in desk.said[-1]
    assert desk.take(event(), delivery="another-one") == 202
    assert len(desk.comments) == 1


@pytest.mark.parametrize("payload", [b"", b"[]", b'{"action": "created"}', b"\xff", b"[" * 50_000])
def test_qb7_a_signed_event_that_is_none_is_refused(desk: Desk, payload: bytes) -> None:
    assert desk.take(payload) == 400


def test_other_events_and_pings_are_taken_and_ignored(desk: Desk) -> None:
    assert desk.receiver.take("ping", DELIVERY, signed(b"{}"), b"{}")[0] == 200
    assert desk.receiver.take("push", DELIVERY, signed(b"{}"), b"{}")[0] == 200
    assert desk.receiver.take("<script>", DELIVERY, signed(b"{}"), b"{}")[0] == 400
    assert desk.receiver.take("ping", "no delivery!", signed(b"{}"), b"{}")[0] == 400


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(CannotServe, match="shorter than 16"):
        Receiver(GITHUB, "secret", lambda comment: Handled(outcome="done"), print)


def test_a_line_of_the_log_is_one_line(desk: Desk) -> None:
    user = {"login": "ada\nrefused: nobody", "id": 1, "type": "User"}
    comment = {"id": 1, "body": "/apply all", "user": user, "created_at": ""}
    desk.take(event(comment=comment, sender=user))
    assert all("\n" not in line for line in desk.said)


@contextmanager
def listening(desk: Desk) -> Iterator[int]:
    server = WebhookServer(desk.receiver, "127.0.0.1", 0)
    running = uvicorn.Server(server.config())
    thread = threading.Thread(target=running.run, kwargs={"sockets": [server._socket]}, daemon=True)
    thread.start()
    try:
        yield server.port
    finally:
        running.should_exit = True
        thread.join()


def test_qb7_over_http_it_takes_one_path_one_method_and_no_more_than_it_can_hold(desk: Desk) -> None:
    payload = event()
    headers = {
        "X-GitHub-Event": "issue_comment",
        "X-GitHub-Delivery": DELIVERY,
        "X-Hub-Signature-256": signed(payload),
        "Content-Type": "application/json",
    }
    with listening(desk) as port:
        assert post(port, payload, headers) == 202
        desk.receiver.wait()
        assert post(port, payload, headers) == 200
        assert post(port, payload, {**headers, "X-Hub-Signature-256": ""}) == 401
        assert post(port, payload, {}) == 401
        assert post(port, b"", headers, method="GET") == 405
        assert post(port, payload, headers, path="/other") == 404
        # Only its length is said: nothing of it is read.
        assert post(port, b"", {**headers, "Content-Length": str(25 << 20)}) == 413
        assert LARGEST < 25 << 20
    assert len(desk.comments) == 1
