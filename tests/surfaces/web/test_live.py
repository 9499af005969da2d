"""What happens is told as it happens, and nothing is missed when a stream breaks off."""

from __future__ import annotations

import signal
import threading

import pytest

from tests.support.project import Project
from tests.support.workbench import Browser, Workbench, running


@pytest.fixture
def version(browser: Browser) -> int:
    return int(browser.document("/api/overview")["version"])


def test_what_a_hook_records_is_told(project: Project, browser: Browser, version: int) -> None:
    stream = browser.events(after=str(version))
    code, _, _ = project.hook(project.event("UserPromptSubmit", prompt="once more"))
    assert code == 0
    said = stream.next()
    assert (said.event, said.id) == ("changed", said.data["version"])
    assert said.data["turns"] == ["t2"]
    project.edit("src/a.py", "two\n", "TWO\n")
    files, turns = set[str](), set[str]()
    while said.data["counts"]["hunks"] != 3:
        said = stream.next()
        files |= {*said.data["files"]}
        turns |= {*said.data["turns"]}
    assert (files, turns) == ({"src/a.py"}, {"t2"})
    assert not said.data["gate"]["open"]
    assert (said.data["mode"], said.data["everything"]) == ("review", False)


def test_an_edit_in_an_editor_is_told(project: Project, browser: Browser, version: int) -> None:
    stream = browser.events(after=str(version))
    project.sub("poem.txt", "line 19\n", "line nineteen\n")
    assert stream.next().data["files"] == ["poem.txt"]


def test_decisions_of_others_are_told(project: Project, browser: Browser, version: int) -> None:
    stream = browser.events(after=str(version))
    with project.desk() as desk:
        desk.decide("reject", ["t1"])
    said = stream.next().data
    while said["counts"]["hunks"]:
        said = stream.next().data
    assert (said["files"], said["turns"]) == (["poem.txt"], ["t1"])
    # What is left to do is a review: nothing is undecided any more.
    assert [reason["code"] for reason in said["gate"]["reasons"]] == ["no-review"]


def test_two_browsers_are_told_the_same(project: Project, browser: Browser, version: int) -> None:
    streams = [browser.events(after=str(version)) for _ in range(2)]
    browser.post("/api/mode", mode="hold")
    for stream in streams:
        assert stream.next().data["mode"] == "hold"


def test_a_stream_without_a_beginning_says_how_things_are(browser: Browser, version: int) -> None:
    said = browser.events().next()
    assert (said.id, said.data["files"], said.data["everything"]) == (version, [], False)


def test_nothing_is_said_when_nothing_happens(browser: Browser, version: int) -> None:
    assert browser.events(after=str(version)).is_quiet()


def test_what_was_missed_is_told_in_one(project: Project, browser: Browser, version: int) -> None:
    first = browser.events(after=str(version))
    project.prompt()
    project.edit("src/a.py", "two\n", "TWO\n")
    project.edit("poem.txt", "line 1\n", "LINE 1\n")
    latest = browser.document("/api/overview")["version"]
    first.until(latest)
    said = browser.events(after=str(version)).next()
    assert (said.id, said.data["files"], said.data["turns"]) == (latest, ["poem.txt", "src/a.py"], ["t2"])
    assert not said.data["everything"]


def test_a_browser_says_where_it_stopped(project: Project, browser: Browser, version: int) -> None:
    found = browser.ask("GET", "/api/overview", headers={"Last-Event-ID": "x"})
    assert found.status == 200
    browser.post("/api/mode", mode="hold")
    assert browser.events(after=str(version)).next().data["mode"] == "hold"


def test_behind_what_is_known_everything_is_new(project: Project, browser: Browser) -> None:
    assert browser.events(after="0").next().data["everything"]
    assert browser.events(after="999999").next().data["everything"]


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "9" * 200])
def test_only_numbers_are_places(known: Browser, after: str) -> None:
    assert known.get("/api/events", after=after).status == 400


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_after_a_restart_the_stream_goes_on(project: Project, number: int) -> None:
    with running(project) as first:
        browser = first.enter()
        version = browser.document("/api/overview")["version"]
        stream = browser.events(after=str(version))
        first.stop(number)
        assert stream.ends()
    project.prompt()
    project.edit("src/a.py", "two\n", "TWO\n")
    with running(project, port=first.port) as second:
        browser = second.enter()
        said = browser.events(after=str(version)).next()
        assert said.data["everything"]
        assert said.data["counts"]["hunks"] == 3
        assert browser.events(after=str(said.id)).is_quiet()


def test_stopping_ends_streams_and_says_so(project: Project) -> None:
    for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130), (signal.SIGHUP, 0)):
        with running(project) as workbench:
            stream = workbench.enter().events()
            stream.next()
            assert workbench.stop(number) == code
            assert stream.ends()
            assert workbench.said == b""


def test_no_event_is_lost_while_everybody_writes(project: Project, browser: Browser, version: int) -> None:
    """Hooks, decisions and saves at once: what the stream told adds up to what is there."""
    stream = browser.events(after=str(version))

    def agent() -> None:
        for number in range(13, 19):
            project.edit("poem.txt", f"line {number}\n", f"LINE {number}\n")

    project.prompt()
    working = threading.Thread(target=agent)
    working.start()
    for _ in range(3):
        browser.decide("accept", everything=True)
        browser.post("/api/undo", key=browser.key())
    working.join()
    latest = browser.document("/api/overview")
    said = stream.until(latest["version"])
    assert said[-1].data["counts"] == latest["counts"]
    assert {"poem.txt"} == {path for one in said for path in one.data["files"]}
    assert [one.id for one in said] == sorted({one.id or 0 for one in said})


def test_a_project_that_cannot_be_opened_is_said_to_be(project: Project, workbench: Workbench) -> None:
    browser = workbench.enter()
    stream = browser.events()
    stream.next()
    (project.state / "format").write_bytes(b"blueline 99\n")
    project.put("unknown.txt", "nobody is asked about it\n")
    said = stream.next()
    assert said.event == "failed"
    assert "format" in said.data["error"]
    assert browser.get("/api/overview").status == 409
    (project.state / "format").write_bytes(b"blueline 2\n")
    assert stream.next().event == "changed", "said once, and then that it is over"
    assert browser.get("/api/overview").status == 200
