"""Processes that are killed: at random moments, and at every call to the system of each kind of work."""

from __future__ import annotations

import multiprocessing
import random
import shutil
import signal
from collections.abc import Callable, Generator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from tests.faults.work import FILES, LINES, Done, Failure, decide, edit, examine, rebuild, take_in, work
from tests.support.killing import count_steps, survives
from tests.support.project import Project

LONGEST_LIFE = 0.6
"""Seconds until a process is killed, at most."""

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["tests.faults.work"])


def made(base: Path) -> Project:
    return Project(base, dict.fromkeys(FILES, LINES))


def cut_off(project: Project, seed: str, seconds: float, known: list[Done]) -> None:
    """Let it work, kill it after a while, and learn what it acknowledged."""
    receiver, sender = processes.Pipe(duplex=False)
    process = processes.Process(target=work, args=(project, seed, sender))
    process.start()
    sender.close()
    # The first word says that it is at work.
    if receiver.poll(60):
        learn(receiver, known, least=1)
    process.join(seconds)
    process.kill()
    process.join()
    if process.exitcode != -signal.SIGKILL:
        raise Failure("the work itself failed")
    learn(receiver, known)


def learn(receiver: Connection, known: list[Done], least: int = 0) -> None:
    """Take up what was told; nothing that was begun is half told."""
    count = 0
    while count < least or receiver.poll():
        try:
            done = receiver.recv()
        except (EOFError, OSError):
            return
        count += 1
        if done is not None:
            known.append(done)


def at_random(base: Path, chance: random.Random) -> Generator[str]:
    """Kill at a random moment, again and again; a new project from time to time."""
    for number in range(10**9):
        place = base / f"random-{number}"
        project, known = made(place), list[Done]()
        for round_ in range(20):
            cut_off(project, f"{number}.{round_}", chance.random() * LONGEST_LIFE, known)
            examine(project, known)
            yield "random moments"
        shutil.rmtree(place)


def _hook(project: Project) -> None:
    edit(project, "hook", random.Random(1))


def _take_in(project: Project) -> None:
    take_in(project, "", random.Random(1))


def _decision(project: Project) -> None:
    decide(project, "", random.Random(5))


def _undo(project: Project) -> None:
    project.undo()


def _rebuild(project: Project) -> None:
    rebuild(project, "", random.Random(1))


KINDS: dict[str, Callable[[Project], None]] = {
    "hook": _hook,
    "take-in": _take_in,
    "decision": _decision,
    "undo": _undo,
    "rebuild": _rebuild,
}


def at_calls(base: Path, chance: random.Random) -> Generator[str]:
    """Kill before each call to the system, of each kind of work, in any order."""
    places: list[tuple[str, int]] = []
    for kind, act in KINDS.items():
        project, _ = _history(base / f"count-{kind}", kind)
        steps = count_steps(partial(act, project), looking=True)
        places += [(kind, step) for step in range(steps)]
    chance.shuffle(places)
    for kind, step in places:
        place = base / "call"
        project, known = _history(place, kind)
        survives(partial(KINDS[kind], project), step, torn=chance.random() < 0.3, looking=True)
        examine(project, known)
        yield f"calls of {kind}"
        shutil.rmtree(place)


def _history(base: Path, kind: str) -> tuple[Project, list[Done]]:
    """A project with something decided and something to do."""
    project, known, chance = made(base), list[Done](), random.Random(3)
    project.prompt()
    for number in range(3):
        known.append(edit(project, f"h{number}", chance))
    project.hunks()
    if (done := decide(project, "", random.Random(4))) is not None:
        known.append(done)
    if kind == "take-in":
        known.append(edit(project, "last", chance))
    return project, known
