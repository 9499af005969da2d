"""What an agent leaves running: the same for all agents that have a shell."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path

from tests.support.agents.agent import Agent
from tests.support.agents.place import Place
from tests.support.scripted_model import ScriptedModel, says
from tests.support.waiting import wait_until, wait_while_it_runs


def two_files(root: Path, kind: type[Agent]) -> Place:
    """A small project with hooks for one agent."""
    place = Place(root, {"a.md": "a\n", "b.md": "b\n"})
    place.init(kind.NAME)
    return place


def late_work(go: Path) -> str:
    """A command that changes nothing before it is told to."""
    return f"until [ -e {shlex.quote(str(go))} ]; do sleep 0.05; done; echo late >> a.md; echo new > late.md"


def check_background(place: Place, home: Path, kind: type[Agent], go: Path, alone: str = "nohup") -> None:
    """A process in the background that writes after the turn's end does so for the call that started it."""
    before = place.on_disk()
    with ScriptedModel() as model:
        agent = kind(place.root, home, model)
        # One that takes its shells with it must not do so before this one has left them.
        left = shlex.quote(str(go.with_name("left")))
        late = shlex.quote(f": > {left}; {late_work(go)}")
        waits = f"until [ -e {left} ]; do sleep 0.05; done"
        command = f"{alone} sh -c {late} >/dev/null 2>&1 & {waits}; echo begun >> b.md"
        model.then([[agent.runs(command)], [says("Done.")]])
        agent.turn("leave it running")
    assert {hunk["path"] for hunk in place.blueline("list")["hunks"]} == {"b.md"}
    go.touch()
    wait_until(lambda: (place.root / "late.md").exists())
    _check(place, {"a.md", "b.md", "late.md"})
    place.blueline("reject", "t1")
    assert place.on_disk() == before


def check_killed(place: Place, home: Path, kind: type[Agent], go: Path | None) -> None:
    """The turn of an agent that is killed has ended; what its shell goes on to do is still its call's.

    Without `go`, its shell does not outlive it.
    """
    before = place.on_disk()
    with ScriptedModel() as model:
        agent = kind(place.root, home, model)
        late = late_work(go) if go is not None else "sleep 600"
        model.then([[agent.runs(f"echo begun >> b.md; {late}")], [says("Never said.")]])
        with agent.start("take your time") as process:
            wait_while_it_runs(process, lambda: (place.root / "b.md").read_text() != "b\n")
            (turn,) = place.turns().values()
            assert turn["ended"] is None
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    (turn,) = place.turns().values()
    assert turn["ended"] is not None
    assert place.blueline("status")["turns_running"] == 0
    _check(place, {"b.md"})
    if go is not None:
        go.touch()
        wait_until(lambda: (place.root / "late.md").exists())
        _check(place, {"a.md", "b.md", "late.md"})
    place.blueline("reject", "t1")
    assert place.on_disk() == before


def _check(place: Place, paths: set[str]) -> None:
    hunks = place.blueline("list")["hunks"]
    assert {hunk["path"] for hunk in hunks} == paths
    assert {(hunk["turn"], hunk["call"], hunk["actor"]["kind"]) for hunk in hunks} == {("t1", "c1", "agent")}
