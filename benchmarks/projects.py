"""Projects with a history, made fast: the records are written as the hook writes them, without waiting."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from blueline.adapters import interpret
from blueline.desk import Desk, state_folder
from blueline.desk.state_folder import iso
from blueline.hook import hosts, recorder
from blueline.journal.event_bytes import dump_event
from blueline.journal.frames import EVENT
from blueline.kernel import disk
from blueline.model.answer import ACCEPTED
from blueline.model.edit import Replacement
from blueline.model.fact import DecisionFinished, DecisionMade, Event, Fact, ProjectOpened
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId
from blueline.model.notice import CallBegan, CallFinished, Notice, PromptGiven, TurnStopped
from blueline.model.piece import PieceAnswer
from blueline.review.deciding.selected_pieces import undecided_pieces
from blueline.review.fold import fold_fact
from blueline.review.intake.taking import ObservedFiles, Taking
from blueline.review.ledger import Ledger
from tests.support.in_memory import NoSource


class Sample:
    """A project in a folder of its own, with an agent that edits it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.root.mkdir(parents=True)
        self.environ = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
        self.state = state_folder.create(self.root, self.environ)
        self._kept = ""

    def desk(self) -> Desk:
        """The project, open."""
        return Desk.open(self.root, environ=self.environ, interpret=interpret)

    def put(self, path: str, text: str) -> None:
        """Write a file."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def observe(self, event: str, **fields: object) -> None:
        """Record one event of the agent, as the hook does."""
        self.record([self.observation(event, 0, **fields)])

    def observation(self, event: str, after: int = 0, **fields: object) -> bytes:
        """What the hook records of an event, so many milliseconds after the first."""
        payload = {"session_id": "bench", "cwd": str(self.root), "hook_event_name": event, **fields}
        raw = json.dumps(payload).encode()
        seen = []
        if paths := hosts.reading("claude-code", payload, {}).paths:
            seen = recorder.looks(os.fsencode(self.root), paths, self.keep)
        at = 1_800_000_000_000_000_000 + after * 10**6
        return disk.frame(b"o", recorder.compose(at, "claude-code", event, b"review", seen, raw))

    def record(self, frames: Iterable[bytes]) -> None:
        """Write records down, and do not wait for the disk: this is not what is measured."""
        fd = os.open(self.state / "journal", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(fd, "ab") as file:
            file.writelines(frames)

    def keep(self, data: bytes) -> str:
        """Store content as the hook does, without waiting for the disk either."""
        name = disk.blob_id(data)
        if name != self._kept:  # what a call finds is mostly what the one before it left
            (self.state / "blobs" / name[:2] / name[2:]).write_bytes(b"0" + data)
            self._kept = name
        return name

    def edit(self, key: str, path: str, old: str, new: str) -> None:
        """The agent replaces one text by another."""
        text = (self.root / path).read_text()
        self.record(self.edited(key, path, text.replace(old, new, 1), old, new))

    def edited(
        self, key: str, path: str, text: str, old: str, new: str, after: int = 0
    ) -> tuple[bytes, bytes]:
        """What hooks record of a call that replaces one text by another, so that the file has this text."""
        given = {"file_path": str(self.root / path), "old_string": old, "new_string": new}
        about = {"tool_name": "Edit", "tool_use_id": key, "tool_input": given}
        begun = self.observation("PreToolUse", after, **about)
        (self.root / path).write_text(text)
        return begun, self.observation("PostToolUse", after + 1, **about, tool_response={})


def pending(folder: Path, *, files: int, hunks: int) -> Sample:
    """A project with pending hunks, spread over files, all taken in."""
    sample = Sample(folder)
    for number in range(files):
        sample.put(f"src/f{number}.txt", "".join(f"line {n} of file {number}\n" for n in range(40)))
    sample.observe("UserPromptSubmit", prompt="change all of it")
    for number in range(hunks):
        path, line = f"src/f{number % files}.txt", number // files * 5
        sample.edit(f"k{number}", path, f"line {line} of", f"LINE {line} of")
    sample.observe("Stop")
    with sample.desk():
        pass
    return sample


def with_events(folder: Path, *, events: int, files: int = 400) -> Sample:
    """A project whose journal holds this many events: turns of ten edits, each turn accepted at its end."""
    story = _Story(files)
    while story.ledger.counters.event < events:
        story.turn()
    sample = Sample(folder)
    for name, data in story.stored.items():
        # As the store keeps small content, without making each durable: this is not what is measured.
        (sample.state / "blobs" / name[:2] / name[2:]).write_bytes(b"0" + data)
    for number, lines in enumerate(story.texts):
        sample.put(f"src/f{number}.txt", "".join(lines))
    (sample.state / "journal").write_bytes(story.frames)
    (sample.state / "journal").chmod(0o600)
    return sample


class _Story:
    """Events, one after the other, in memory."""

    AT = iso(1_800_000_000_000_000_000)
    NOWHERE = ObservedFiles(agent="claude-code", path=None, outside=None, state=None, held=False, record=0)

    def __init__(self, files: int) -> None:
        self.texts = [[f"line {n} of file {number}\n" for n in range(60)] for number in range(files)]
        self.stored: dict[BlobId, bytes] = {}
        self.frames = bytearray()
        self.ledger = Ledger(NoSource())
        self._step = 0
        self._say([ProjectOpened(salt=1)])

    def turn(self) -> None:
        """One turn of ten edits, accepted."""
        self._notice(PromptGiven(conversation="bench", prompt=f"turn {self._step}"), self.NOWHERE)
        touched = [self._edit() for _ in range(10)]
        self._notice(TurnStopped(conversation="bench"), self.NOWHERE)
        changes = []
        for path in sorted(set(touched)):
            file = self.ledger.file_at(path)
            assert file is not None
            pieces = undecided_pieces(file)
            changes.append((file.number, tuple(PieceAnswer(piece, ACCEPTED) for piece in pieces)))
        number = self.ledger.counters.decision + 1
        made = DecisionMade(
            decision=number, verdict="accept", reason="", changes=tuple(changes), hunks=(), writes=()
        )
        self._say([made, DecisionFinished(decision=number)])

    def _edit(self) -> str:
        step = self._step
        self._step += 1
        number, line = step % len(self.texts), step // len(self.texts) % 60
        path, lines = f"src/f{number}.txt", self.texts[number]
        edits = (Replacement(old=lines[line], new=f"line {line} of file {number}, version {step}\n"),)
        key = f"k{step}"
        self._notice(
            CallBegan(conversation="bench", key=key, tool="Edit", edits=edits), self._look(path, lines)
        )
        lines[line] = edits[0].new
        finished = CallFinished(conversation="bench", key=key, tool="Edit", failed=False, edits=edits)
        self._notice(finished, self._look(path, lines))
        return path

    def _put(self, data: bytes) -> BlobId:
        name = BlobId(disk.blob_id(data))
        self.stored[name] = data
        return name

    def _look(self, path: str, lines: list[str]) -> ObservedFiles:
        data = "".join(lines).encode()
        state = Regular(mode=0o644, size=len(data), blob=self._put(data))
        return ObservedFiles(agent="claude-code", path=path, outside=None, state=state, held=False, record=0)

    def _notice(self, notice: Notice, look: ObservedFiles) -> None:
        taking = Taking(self.ledger, self.AT, self.stored.get, self._put)
        taking.notice(notice, look)
        self._append(taking.facts, source=0)

    def _say(self, facts: list[Fact]) -> None:
        for fact in facts:
            fold_fact(self.ledger, fact, self.AT, self.stored.get)
        self._append(facts, source=None)

    def _append(self, facts: list[Fact], source: int | None) -> None:
        number = self.ledger.counters.event + 1
        self.ledger.count(event=number)
        event = Event(number=number, at=self.AT, source=source, facts=tuple(facts))
        self.frames += disk.frame(EVENT, dump_event(event))
