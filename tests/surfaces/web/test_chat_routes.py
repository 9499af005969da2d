"""The chat through the workbench's server: a process of its own, asked over a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.chat.place import FILES, TWO_TURNS, Place, texts
from tests.support.workbench import Browser, Workbench, running

Document = dict[str, Any]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def server(place: Place) -> Iterator[Workbench]:
    with running(place.project) as workbench:
        yield workbench


def begin(browser: Browser, **fields: Any) -> str:
    found = browser.post("/api/chat/new", agent="scripted", key=browser.key(), **fields)
    assert found.status == 200, found.body
    return str(found.json["id"])


def prompt(browser: Browser, name: str, text: str) -> None:
    found = browser.post("/api/chat/prompt", id=name, text=text, key=browser.key())
    assert found.status == 200, found.body


def conversation(browser: Browser, name: str) -> Document:
    return browser.document("/api/chat/conversation", id=name)


def until(browser: Browser, name: str, is_so: Callable[[Document], bool]) -> Document:
    """Follow the stream until a conversation is as it should be."""
    stream = browser.events()
    while not is_so(found := conversation(browser, name)):
        stream.next()
    return found


def is_over(found: Document) -> bool:
    return not found["running"]


def test_a_conversation_over_the_stream(place: Place, server: Workbench) -> None:
    place.script(TWO_TURNS)
    browser = server.enter()
    (scripted,) = [one for one in browser.document("/api/chat")["agents"] if one["name"] == "scripted"]
    assert scripted["missing"] == ""
    name = begin(browser)
    prompt(browser, name, "first")
    found = until(browser, name, is_over)
    assert texts(found, "agent") == ["Done one."]
    (listed,) = browser.document("/api/chat")["conversations"]
    assert (listed["id"], listed["title"], listed["turns"]) == (name, "first", ["t1"])
    assert {hunk["turn"] for hunk in browser.document("/api/overview")["hunks"]} == {"t1"}

    done = browser.post("/api/chat/decide", verdict="reject", turn="t1", key=browser.key())
    assert (done.status, done.json["edits"]) == (200, 2)
    assert {path: place.text(path) for path in FILES} == FILES
    assert conversation(browser, name)["composer"]["text"] == "first"
    browser.post("/api/undo", decision=done.json["decisions"][0], key=browser.key())
    found = conversation(browser, name)
    assert (texts(found, "user"), found["composer"]["text"]) == (["first"], "")

    accepted = browser.post("/api/chat/decide", verdict="accept", turn="t1", key=browser.key())
    assert (accepted.status, accepted.json["edits"]) == (200, 2)
    assert browser.document("/api/overview")["counts"]["hunks"] == 0
    assert texts(conversation(browser, name), "user") == ["first"]


@pytest.mark.parametrize("route", ["/api/undo", "/api/chat/undo"])
def test_choices_for_single_files_are_one_decision_and_one_undo(
    place: Place, server: Workbench, route: str
) -> None:
    place.script({**TWO_TURNS, "second": [["edit", "a.md", "a.md ONE", "a.md UNO"]]})
    browser = server.enter()
    name = begin(browser)
    for text in ("first", "second"):
        prompt(browser, name, text)
        until(browser, name, is_over)
    before = {path: place.text(path) for path in FILES}
    asked = browser.post("/api/chat/decide", verdict="reject", turn="t1", key=browser.key())
    assert (asked.status, [need["path"] for need in asked.json["needs"]]) == (409, ["a.md"])
    about: Document = {"verdict": "reject", "turn": "t1", "choices": {"a.md": "alone"}}
    done = browser.post("/api/chat/decide", key=browser.key(), **about)
    (decision,) = done.json["decisions"]
    assert done.json["conversation"] == name
    assert texts(conversation(browser, name), "user") == ["second"]
    browser.post(route, decision=decision, decisions=[decision], key=browser.key())
    found = conversation(browser, name)
    assert (texts(found, "user"), found["composer"]["text"]) == (["first", "second"], "")
    assert {path: place.text(path) for path in FILES} == before


def test_an_agent_that_started_the_workbench_decides_nothing_about_turns(place: Place) -> None:
    """Rule D5: neither what was asked nor what was decided already, nor by prompting for more."""
    place.script(TWO_TURNS)
    with running(place.project) as server:
        browser = server.enter()
        name = begin(browser)
        for text in ("first", "second"):
            prompt(browser, name, text)
            until(browser, name, is_over)
        done = browser.post("/api/chat/decide", verdict="accept", turn="t1", key=browser.key())
    place.configure(auto_accept=True)
    before = place.project.on_disk(), place.project.log("decision"), place.project.hunks()
    place.project.environ["CLAUDECODE"] = "1"
    with running(place.project) as server:
        browser = server.enter()
        said = [
            browser.post("/api/chat/decide", verdict="accept", turn="t2", key="1"),
            browser.post("/api/chat/decide", verdict="reject", turn="t2", key="2"),
            browser.post("/api/chat/undo", decisions=done.json["decisions"], key="3"),
            browser.post("/api/chat/prompt", id=name, text="more", key="4"),
        ]
    assert [(one.status, "claude-code may not" in one.json.get("error", "")) for one in said] == [
        (409, True)
    ] * len(said)
    assert (place.project.on_disk(), place.project.log("decision"), place.project.hunks()) == before


def test_what_is_asked_twice_happens_once(place: Place, server: Workbench) -> None:
    browser = server.enter()
    name = begin(browser)
    for _ in range(2):
        found = browser.post("/api/chat/prompt", id=name, text="hello", key="the same")
        assert found.status == 200
    assert len(until(browser, name, is_over)["rounds"]) == 1
    assert browser.post("/api/chat/prompt", id=name, text="another", key="the same").status == 400


def test_strange_requests_are_refused(place: Place, server: Workbench) -> None:
    browser = server.enter()
    name = begin(browser)
    key = browser.key
    for status, route, fields in (
        (404, "prompt", {"id": "k00000000", "text": "x", "key": key()}),
        (404, "prompt", {"id": "../journal", "text": "x", "key": key()}),
        (409, "new", {"agent": "nobody", "key": key()}),
        (409, "prompt", {"id": name, "text": " ", "key": key()}),
        (400, "prompt", {"id": name, "text": "x", "context": ["a.md"], "key": key()}),
        (409, "answer", {"id": name, "entry": 7, "option": "yes"}),
        (404, "decide", {"verdict": "reject", "turn": "t99", "key": key()}),
        (400, "decide", {"verdict": "reject", "turn": "t1", "choices": {"a.md": "perhaps"}, "key": key()}),
    ):
        found = browser.post(f"/api/chat/{route}", **fields)
        assert found.status == status, (route, fields, found.body)
        assert found.json["error"]


def test_a_server_that_is_started_again_goes_on(place: Place) -> None:
    place.script(
        {"go": [["edit", "a.md", "a.md one", "a.md ONE"], ["say", "waiting"], ["wait", "for ever"]]}, "load"
    )
    with running(place.project) as workbench:
        browser = workbench.enter()
        name = begin(browser)
        prompt(browser, name, "go")
        until(browser, name, lambda found: texts(found, "agent") == ["waiting"])
        workbench.stop()
    with running(place.project) as workbench:
        browser = workbench.enter()
        found = conversation(browser, name)
        assert (found["running"], found["composer"]["text"]) == (False, "go")
        assert texts(found, "agent") == ["waiting"]
        prompt(browser, name, "hello")
        until(browser, name, is_over)
    assert place.log("prompt")[-1]["remembers"] == ["go"]
