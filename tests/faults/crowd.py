"""Many recorders at once, and a reviewer who decides all the time."""

from __future__ import annotations

import random
import time
from collections.abc import Generator
from multiprocessing.connection import Connection
from pathlib import Path

from tests.faults.kills import learn, processes
from tests.faults.work import Done, Failure
from tests.support.project import Project

RECORDERS = 64
EDITS = 20
PAUSE = 2.0
"""Seconds between two edits of one agent, at most. Without any, a command looks again and again."""


def record(project: Project, number: int, edits: int, told: Connection) -> None:
    """One agent, in a conversation and a file of its own, which it appends to."""
    project.conversation = f"agent-{number}"
    project.prompt(f"do {number}")
    path = f"file-{number}.md"
    for count in range(edits):
        line = f"agent {number}.{count}\n"
        time.sleep(random.random() * PAUSE)
        call = project.call("Edit", path, old_string="", new_string=line)._replace(
            key=f"toolu_{number}_{count}"
        )
        project.record(project.before(call))
        with open(project.root / path, "a") as file:
            file.write(line)
        project.record(project.after(call))
        told.send(Done("edit", line))
    project.stop()


def review(project: Project, told: Connection) -> None:
    """A person who accepts and rejects whatever there is."""
    chance = random.Random(7)
    told.send(None)
    while True:
        for hunk in project.hunks()[:5]:
            answer = project.decide(chance.choice(("accept", "accept", "reject")), [hunk["id"]])
            if answer["decision"]:
                told.send(Done("decision", answer["decision"]))


def crowd(base: Path, recorders: int, edits: int = EDITS) -> Generator[str]:
    """All of them at once; one `yield` for each message that was acknowledged."""
    files = {f"file-{number}.md": "line\n" for number in range(recorders)}
    project = Project(base / "crowd", files)
    receiver, sender = processes.Pipe(duplex=False)
    judge = processes.Process(target=review, args=(project, sender))
    heard, known = processes.Pipe(duplex=False), list[Done]()
    agents = [processes.Process(target=record, args=(project, n, edits, heard[1])) for n in range(recorders)]
    judge.start()
    learn(receiver, known, least=1)
    for agent in agents:
        agent.start()
    for agent in agents:
        while agent.is_alive():
            agent.join(0.2)
            learn(heard[0], known)
            learn(receiver, known)
    learn(heard[0], known)
    if not any(done.what == "decision" for done in known):
        learn(receiver, known, least=1)  # all is still there to be decided
    judge.kill()
    judge.join()
    learn(receiver, known)
    _examine(project, known, recorders, edits)
    yield from (f"{done.what}s in a crowd" for done in known)


def _examine(project: Project, known: list[Done], recorders: int, edits: int) -> None:
    told = sum(done.what == "edit" for done in known)
    if told != recorders * edits:
        raise Failure(f"{told} of {recorders * edits} edits were acknowledged")
    hunks = project.hunks(status="all")
    if others := [one for one in hunks if one["actor"]["kind"] != "agent"]:
        raise Failure(f"nobody but agents did anything: {others}")
    lines = [line for hunk in hunks for line in hunk["new"].splitlines(keepends=True)]
    statuses = {line: hunk["status"] for hunk in hunks for line in hunk["new"].splitlines(keepends=True)}
    decisions = [entry["id"] for entry in project.log("decision")]
    for done in known:
        times = decisions.count(done.name) if done.what == "decision" else lines.count(done.name)
        if times != 1:
            about = [hunk for hunk in hunks if done.name in hunk["new"]]
            raise Failure(f"{done.name!r} is there {times} times: {about}")
    for number in range(recorders):
        text = project.text(f"file-{number}.md")
        own = [f"agent {number}.{count}\n" for count in range(edits)]
        if text != "".join(["line\n", *(line for line in own if statuses[line] != "rejected")]):
            raise Failure(f"file-{number}.md is damaged: {text!r}")
    problems = [one for one in project.check()["problems"] if not one["harmless"]]
    if problems:
        raise Failure(f"damage: {problems}")
