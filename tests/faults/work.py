"""Work that is cut off somewhere: agents edit, a person types and decides, and what is done is acknowledged.

Whoever cuts it off reads the acknowledgements, and holds what is left against them.
"""

from __future__ import annotations

import os
import random
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from blueline.journal.frames import OBSERVATION, Damage, length_at, read
from blueline.journal.observation import parse
from blueline.kernel.disk import HEADER_SIZE
from tests.support.project import Project

FILES = ("a.md", "deep/b.md", "c.md")
LINES = "".join(f"line {number}\n" for number in range(1, 21))


class Done(NamedTuple):
    """Something that was acknowledged."""

    what: str
    """edit, typed, or decision."""
    name: str
    """The line of an edit or of what was typed, the id of a decision."""
    raw: bytes = b""
    """The last message of an edit."""


class Failure(AssertionError):
    """Something was lost, doubled or damaged."""


def put(project: Project, path: str, text: str) -> None:
    """Write a file as an editor does that wants it on the disk: whole or not at all."""
    place, new = project.root / path, project.home / "new"
    new.write_text(text)
    _sync(new)
    os.replace(new, place)
    _sync(place.parent)


def _sync(place: Path) -> None:
    fd = os.open(place, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def _with_line(text: str, line: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    lines.insert(chance.randrange(len(lines) + 1), line)
    return "".join(lines)


def edit(project: Project, name: str, chance: random.Random) -> Done:
    """An agent adds a line, and its hook has recorded it."""
    path, line = chance.choice(FILES), f"agent {name}\n"
    call = project.call("Edit", path, old_string="", new_string=line)._replace(key=f"toolu_{name}")
    project.record(project.before(call))
    put(project, path, _with_line(project.text(path), line, chance))
    raw = project.after(call)
    project.record(raw)
    return Done("edit", line, raw)


def typed(project: Project, name: str, chance: random.Random) -> Done:
    """A person adds a line."""
    path, line = chance.choice(FILES), f"typed {name}\n"
    put(project, path, _with_line(project.text(path), line, chance))
    return Done("typed", line)


def decide(project: Project, name: str, chance: random.Random) -> Done | None:
    """A person decides about something, or takes a decision back."""
    pending = project.hunks()
    verb = chance.choice(("accept", "reject", "reject", "undo"))
    if verb == "undo":
        document = project.undo()
    elif pending:
        hunk = chance.choice(pending)["id"]
        document = project.decide("accept" if verb == "accept" else "reject", [hunk])
    else:
        return None
    return Done("decision", document["decision"]) if document["decision"] else None


def rebuild(project: Project, name: str, chance: random.Random) -> None:
    project.lose_index()
    project.hunks()


def take_in(project: Project, name: str, chance: random.Random) -> None:
    project.hunks()


ACTS: list[Any] = [edit, edit, edit, typed, decide, decide, decide, take_in, rebuild]


def work(project: Project, seed: str, told: Connection) -> None:
    """Do one thing after the other, for ever; each is told once it is done."""
    chance = random.Random(seed)
    project.prompt(f"work {seed}")
    number = 0
    while True:
        number += 1
        done = chance.choice(ACTS)(project, f"{seed}.{number}", chance)
        told.send(done)


def examine(project: Project, known: list[Done]) -> None:
    """Raise Failure unless all that was acknowledged is there, once, and nothing is damaged."""
    project.stop()
    hunks = project.hunks(status="all")
    torn = {f"journal, byte {at}" for at in torn_records(project.journal.read_bytes())}
    problems = [
        one for one in project.check()["problems"] if not one["harmless"] and one["where"] not in torn
    ]
    _must(not problems, f"damage: {problems}")
    raws = [parse(frame.payload).raw for frame in project.frames() if frame.kind == OBSERVATION]
    decisions = [entry["id"] for entry in project.log("decision")]
    texts = {path: project.text(path) for path in FILES}
    whole = "".join(texts.values())
    for done in known:
        if done.what == "decision":
            _must(
                decisions.count(done.name) == 1,
                f"decision {done.name} is there {decisions.count(done.name)} times",
            )
        elif done.what == "typed":
            _must(whole.count(done.name) == 1, f"{done.name!r} stands there {whole.count(done.name)} times")
        else:
            _must(raws.count(done.raw) == 1, f"{done.name!r} was recorded {raws.count(done.raw)} times")
            # Two lines that were typed as one are one hunk, and show what an agent put between them later.
            own = [hunk for hunk in hunks if hunk["actor"]["kind"] != "external"]
            about = [hunk for hunk in own if done.name in hunk["new"].splitlines(keepends=True)]
            _must(len(about) == 1, f"{done.name!r} is in {len(about)} hunks: {about}")
            expected = 0 if about[0]["status"] == "rejected" else 1
            _must(
                whole.count(done.name) == expected,
                f"{done.name!r}: {about[0]['status']}, and stands there so",
            )
    for path, text in texts.items():
        lines = text.splitlines(keepends=True)
        _must(len(lines) == len(set(lines)), f"{path} has a line twice")
        _must(
            [line for line in lines if line.startswith("line ")] == LINES.splitlines(keepends=True),
            f"{path} is damaged",
        )


def torn_records(journal: bytes) -> list[int]:
    """Where a process was killed in the middle of a record: the next one begins before the end it announces.

    The system cuts a write off between two pages. Nobody was told that such a record is there.
    """
    found = []
    for one in read(journal):
        if isinstance(one, Damage):
            length = length_at(journal, one.start)
            if one.end - one.start < HEADER_SIZE or (length or 0) > one.end - one.start - HEADER_SIZE:
                found.append(one.start)
    return found


def _must(holds: bool, said: str) -> None:
    if not holds:
        raise Failure(said)
