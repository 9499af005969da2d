"""Decisions made at a hub: they wait, and the machine carries each out once, or says why not."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from blueline.contract.hub import OutcomeDocument, WishDocument
from blueline.hub.people import HubPerson
from blueline.hub.requests import Asked
from blueline.sync import membership
from blueline.sync.exchange import Exchange
from blueline.sync.hub_client import HubAway, HubClient
from blueline.sync.hub_requests import carry_out
from tests.support.hub_process import TEXT, Hub, project_of, sync
from tests.support.postgresql import Server
from tests.support.project import Document, Project

SOON_SECONDS = 60


@pytest.fixture
def anna(hub: Hub) -> HubPerson:
    return hub.person("Anna")


def wish(machine: Project, verb: Any = "reject", **more: Any) -> WishDocument:
    """What somebody asks for who has seen what is pending."""
    shown = {hunk["id"]: hunk["digest"] for hunk in seen(machine)}
    made: WishDocument = {"verb": verb, "hunks": shown, "decision": "", "dependents": "ask", "reason": ""}
    return {**made, **more}  # type: ignore[typeddict-item]


def seen(machine: Project) -> list[Document]:
    with machine.desk() as desk:
        return [*desk.workbench.file("a.txt")["hunks"]]


def outcomes(hub: Hub, machine: Project) -> list[tuple[str, OutcomeDocument | None]]:
    return [(one.state, one.outcome) for one in hub.asked(project_of(machine))]


def made(machine: Project) -> list[Document]:
    return [one for one in machine.log("decision") if one["request"]]


def test_a_decision_waits_until_the_machine_is_there_and_carries_the_persons_name(
    machine: Project, hub: Hub, anna: HubPerson
) -> None:
    hub.ask(project_of(machine), anna, "r1", wish(machine, reason="no shouting"))
    assert outcomes(hub, machine) == [("waiting", None)]
    assert machine.text("a.txt") == TEXT.replace("two", "TWO")

    said = sync(machine)

    assert machine.text("a.txt") == TEXT
    (one,) = made(machine)
    assert (one["by"], one["request"], one["reason"]) == ("Anna", "r1", "no shouting")
    assert outcomes(hub, machine) == [
        ("done", {"state": "done", "decision": one["id"], "error": "", "hint": ""})
    ]
    assert [each["outcome"]["state"] for each in said["requests"]] == ["done"]
    assert "Anna, at the hub" in machine.command("show", one["id"]).stdout
    assert sync(machine)["requests"] == []


def test_an_agent_that_sends_is_not_who_decided(machine: Project, hub: Hub, anna: HubPerson) -> None:  # D5
    """It brings what a person has decided at the hub, in their name, and nothing of its own."""
    hub.ask(project_of(machine), anna, "r1", wish(machine))
    machine.environ["CLAUDECODE"] = "1"
    sync(machine)
    (one,) = machine.log("decision")
    assert (one["by"], one["agent"], one["request"], one["verdict"]) == ("Anna", "", "r1", "reject")
    assert machine.command("undo").returncode == 1
    assert machine.log("decision") == [one]


def test_what_was_shown_is_not_there_any_more(machine: Project, hub: Hub, anna: HubPerson) -> None:
    asked = wish(machine)
    machine.edit("a.txt", "TWO", "2")
    hub.ask(project_of(machine), anna, "r1", asked)

    sync(machine)

    ((state, outcome),) = outcomes(hub, machine)
    assert outcome is not None
    assert (state, outcome["error"]) == ("refused", "what was shown is not there any more")
    assert machine.text("a.txt") == TEXT.replace("two", "2")
    assert made(machine) == []


def test_what_others_build_on_is_refused_and_done_when_that_was_chosen(
    machine: Project, hub: Hub, anna: HubPerson
) -> None:
    machine.write("b.txt", "a file of its own\n")
    machine.edit("b.txt", "its own", "two calls")
    (first, *_) = [one for one in machine.hunks("b.txt") if "created" in one["kind"] or one["new_start"] == 1]
    with machine.desk() as desk:
        shown = {one["id"]: one["digest"] for one in desk.workbench.file("b.txt")["hunks"]}
    asked = {**wish(machine), "hunks": {first["id"]: shown[first["id"]]}}
    hub.ask(project_of(machine), anna, "r1", asked)  # type: ignore[arg-type]
    sync(machine)
    ((state, outcome),) = outcomes(hub, machine)
    assert outcome is not None
    assert (state, outcome["error"]) == ("refused", "other changes build on this")
    assert machine.exists("b.txt")

    hub.ask(project_of(machine), anna, "r2", {**asked, "dependents": "with"})  # type: ignore[typeddict-item]
    sync(machine)

    assert outcomes(hub, machine)[1][0] == "done"
    assert not machine.exists("b.txt")


def test_an_undo_is_a_request_too(machine: Project, hub: Hub, anna: HubPerson) -> None:
    hub.ask(project_of(machine), anna, "r1", wish(machine))
    sync(machine)
    (decision,) = made(machine)

    hub.ask(project_of(machine), anna, "r2", wish(machine, "undo", hunks={}, decision=decision["id"]))
    sync(machine)

    assert machine.text("a.txt") == TEXT.replace("two", "TWO")
    assert [one["request"] for one in made(machine)] == ["r2", "r1"]
    assert [state for state, _ in outcomes(hub, machine)] == ["done", "done"]


def test_asked_twice_it_is_one_request_and_told_twice_it_is_one_decision(
    machine: Project, hub: Hub, anna: HubPerson
) -> None:
    asked = wish(machine)
    for _ in range(2):
        hub.ask(project_of(machine), anna, "r1", asked)
    (waiting,) = hub.asked(project_of(machine))

    with machine.desk() as desk:
        first = carry_out(desk, waiting.request)
    with machine.desk() as desk:
        again = carry_out(desk, waiting.request)

    assert first == again
    assert len(made(machine)) == 1


class Cut(HubClient):
    """A machine that is killed at its next word of one kind: before it, or when it was heard already."""

    def __init__(self, machine: Project, word: str, *, is_heard: bool) -> None:
        member = membership.read(machine.state)
        super().__init__(member.url, member.project, member.token)
        self._word, self._is_heard = word, is_heard

    def _ask(self, method: str, path: str, *given: Any) -> bytes:
        if f"{method} {path}".startswith(self._word):
            if self._is_heard:
                super()._ask(method, path, *given)
            raise HubAway("killed")
        return super()._ask(method, path, *given)


@pytest.mark.parametrize("word", ["PUT /journal", "PUT /requests"])
@pytest.mark.parametrize("is_heard", [False, True])
def test_killed_at_any_word_it_is_neither_lost_nor_done_twice(
    machine: Project, hub: Hub, anna: HubPerson, word: str, is_heard: bool
) -> None:
    hub.ask(project_of(machine), anna, "r1", wish(machine))

    def ask(verb: Any) -> Any:
        with machine.desk() as desk:
            return verb(desk)

    with Cut(machine, word, is_heard=is_heard) as cut, pytest.raises(HubAway):
        Exchange(cut, ask, ()).carry_out()
    assert len(made(machine)) == 1, "it was carried out before anything was said of it"
    sync(machine)

    (one,) = made(machine)
    ((state, outcome),) = outcomes(hub, machine)
    assert outcome is not None
    assert (state, outcome["decision"]) == ("done", one["id"])
    assert machine.text("a.txt") == TEXT


KILLED = """
import os
from blueline.journal.log import Journal
from blueline.surfaces.cli.main import main
from blueline.workspace.staging import Staged
{place} = lambda *given, **more: os._exit(9)
main(["sync"])
"""


@pytest.mark.parametrize("place", ["Journal.write", "Staged.commit"])
def test_a_machine_killed_before_or_behind_the_event_carries_it_out_once(
    machine: Project, hub: Hub, anna: HubPerson, place: str
) -> None:
    hub.ask(project_of(machine), anna, "r1", wish(machine))
    killed = subprocess.run(
        [sys.executable, "-c", KILLED.format(place=place)], cwd=machine.root, env=machine.environ, check=False
    )
    assert killed.returncode == 9
    assert outcomes(hub, machine) == [("waiting", None)]

    sync(machine)

    (one,) = made(machine)
    assert [outcome and outcome["decision"] for _, outcome in outcomes(hub, machine)] == [one["id"]]
    assert machine.text("a.txt") == TEXT


@contextmanager
def following(machine: Project) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", "--json", "sync", "--follow"],
        cwd=machine.root,
        env=machine.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=SOON_SECONDS)


def answered(hub: Hub, machine: Project, count: int) -> list[Asked]:
    until = time.monotonic() + SOON_SECONDS
    while time.monotonic() < until:
        found = hub.asked(project_of(machine))
        if len(found) == count and all(one.state != "waiting" for one in found):
            return found
        time.sleep(0.05)
    raise AssertionError(hub.asked(project_of(machine)))


def test_a_machine_that_follows_hears_of_it_at_once_whichever_process_it_was_asked_at(
    machine: Project, hub: Hub, anna: HubPerson, postgresql: Server
) -> None:
    with following(machine) as process:
        hub.ask(project_of(machine), anna, "r1", wish(machine))
        answered(hub, machine, 1)
        assert machine.text("a.txt") == TEXT

        hub.kill()
        hub.again()
        machine.edit("a.txt", "two", "2")
        hub.ask(project_of(machine), anna, "r2", wish(machine))
        answered(hub, machine, 2)

        postgresql.kill()
        postgresql.start()
        machine.edit("a.txt", "two", "II")
        hub.ask(project_of(machine), anna, "r3", wish(machine))
        assert [one.state for one in answered(hub, machine, 3)] == ["done"] * 3
        assert machine.text("a.txt") == TEXT
        process.send_signal(signal.SIGTERM)
        assert process.wait(SOON_SECONDS) == 0


def test_a_machine_that_was_taken_over_is_told_and_stops(machine: Project, hub: Hub, tmp_path: Path) -> None:
    project = project_of(machine)
    other, place = Project(tmp_path / "other"), str(tmp_path / "here")
    with following(machine) as process:
        code = hub.invitation(project)
        done = other.command("hub", "restore", hub.url, project, place, "--invitation", code)
        assert done.returncode == 0, done.stderr
        machine.edit("a.txt", "one", "ONE")
        assert process.wait(SOON_SECONDS) == 1
        assert process.stderr is not None
        assert "token is not good" in process.stderr.read()


def test_decisions_that_waited_are_carried_out_where_the_review_goes_on(
    machine: Project, hub: Hub, anna: HubPerson, tmp_path: Path
) -> None:
    project = project_of(machine)
    hub.ask(project, anna, "r1", wish(machine))
    other, place = Project(tmp_path / "other"), tmp_path / "here"
    other.command("hub", "restore", hub.url, project, str(place), "--invitation", hub.invitation(project))
    assert (place / "a.txt").read_text() == TEXT.replace("two", "TWO")

    done = other.command("-C", str(place), "sync")

    assert done.returncode == 0, done.stderr
    assert (place / "a.txt").read_text() == TEXT
    assert outcomes(hub, machine)[0][0] == "done"
