"""The routes of the gate: asked over a socket, as the page does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.gate.yard import Make, Yard
from tests.support.workbench import Browser, Workbench

Document = dict[str, Any]


@pytest.fixture
def browser(yard: Yard) -> Iterator[Browser]:
    server = Workbench(yard.project)
    yield server.enter()
    server.stop()


def events(browser: Browser) -> list[Document]:
    """Everything a review says, to its end."""
    raw = browser.ask("GET", "/api/review/events").body.decode()
    return [json.loads(part[6:]) for part in raw.split("\n\n") if part.startswith("data: ")]


def trust(browser: Browser) -> None:
    digest = browser.document("/api/gate")["config"]
    assert browser.post("/api/gate/trust", digest=digest).status == 200


def test_a_review_from_its_start_to_its_end(yard: Yard, browser: Browser) -> None:
    found = browser.document("/api/gate")
    assert (found["open"], found["trusted"], found["review"]) == (False, False, None)
    assert [loop["loop"] for loop in browser.document("/api/gate/plan?loops=1,2&scope=all")["loops"]] == [
        1,
        2,
    ]
    trust(browser)
    assert browser.post("/api/review").json == {"run": 1}
    said = events(browser)
    assert said[0] == {"event": "loop-started", "loop": 1, "name": "builds and basic checks"}
    assert (said[-2]["event"], said[-2]["gate"]["open"]) == ("reviewed", True)
    assert said[-1] == {"event": "ended", "code": 0, "error": ""}
    # Whoever comes later hears all of it.
    assert events(browser) == said
    found = browser.document("/api/gate")
    assert (found["open"], found["review"]) == (True, {"run": 1, "running": False})
    assert browser.document("/api/overview")["gate"]["open"]
    yard.put("a.md", "two\n")
    assert not browser.document("/api/overview")["gate"]["open"]


def test_nothing_runs_untrusted_here_either(yard: Yard, browser: Browser) -> None:
    browser.post("/api/review")
    (ended,) = events(browser)
    assert ended["code"] == 1
    assert "not trusted" in ended["error"]
    assert browser.post("/api/gate/trust", digest="0" * 64).status == 409
    assert browser.post("/api/gate/trust", digest="--forget").status == 409


def test_shipping(yard: Yard, browser: Browser) -> None:
    refused = browser.post("/api/ship", message="x")
    assert refused.status == 409
    assert [reason["code"] for reason in refused.json["reasons"]] == ["no-review"]
    yard.put("a.md", "two\n")
    trust(browser)
    browser.post("/api/review")
    events(browser)
    plan = browser.post("/api/ship", dry_run=True).json
    assert (plan["dry_run"], plan["remote"], plan["branch"]) == (True, "origin", "main")
    done = browser.post("/api/ship", message="--amend is not an option").json
    assert (done["pushed"], done["verified"]) == (True, True)
    assert yard.git("log", "-1", "--format=%s").strip() == "--amend is not an option"


def test_an_override(yard: Yard, browser: Browser) -> None:
    assert browser.post("/api/gate/override", reason="", expires="1h").status == 409
    assert browser.post("/api/gate/override", reason="down", expires="--reason=x").status == 409
    assert (
        browser.post("/api/gate/override", reason="down", expires="1h").json["override"]["reason"] == "down"
    )
    assert browser.document("/api/overview")["gate"]["override"]["reason"] == "down"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/review", {"loops": "1;touch x"}),
        ("POST", "/api/review", {"scope": "../.."}),
        ("POST", "/api/gate/trust", {}),
        ("POST", "/api/gate/override", {"reason": 1, "expires": "1h"}),
        ("GET", "/api/gate/plan?loops=9", None),
        ("GET", "/api/review/events", None),
    ],
)
def test_wrong_requests_are_refused(known: Browser, method: str, path: str, body: Document | None) -> None:
    answer = known.post(path, **body) if body is not None else known.ask(method, path)
    assert answer.status == 400
    assert answer.json["error"]


def test_a_stranger_gets_nothing(yard: Yard, browser: Browser) -> None:
    stranger = Browser(browser.port)
    assert stranger.ask("GET", "/api/gate").status == 401
    assert stranger.post("/api/ship").status == 401


def test_the_server_leaves_nothing_running(make: Make) -> None:
    yard = make('[review.loops.1]\ncommands = ["echo $$ > out/pid; echo ready; sleep 300"]\n')
    (yard.root / "out").mkdir()
    server = Workbench(yard.project)
    browser = server.enter()
    trust(browser)
    browser.post("/api/review")
    assert browser.post("/api/review").status == 409
    while not (yard.root / "out" / "pid").exists() or not yard.project.text("out/pid").strip():
        browser.document("/api/gate")
    server.stop()
    pid = yard.project.text("out/pid").strip()
    assert yard.project.shell(f"ps -o stat= -p {pid} | grep -v Z || true").stdout == ""
