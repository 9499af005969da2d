"""What becomes of each path, worked out from the writes of a decision. Nothing happens yet."""

import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from blueline.model.fact import Write
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown
from blueline.workspace.look import same

Outcome = Literal["written", "already", "conflict", "left"]

CHANGED = "it was changed meanwhile"
GONE = "it is no longer there"
TAKEN = "something else stands there now"
FOLDER = "a folder stands there now"
OPEN = "another program has it open for writing"
OUTSIDE = "it is outside the project"
UNWRITABLE = "what should stand there cannot be written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """What became of one write."""

    path: str
    outcome: Outcome
    """`left`: not written, because another write of the same batch met a conflict."""
    why: str = ""
    """Of a conflict."""


@dataclass(slots=True, kw_only=True)
class WriteStep:
    """One path, from one state to the next.

    A rename is two steps, for two paths. So a path is done when it holds `after` and to do when it holds
    `before`, whatever became of the others: after a crash nothing else has to be known.
    """

    path: str
    before: FileState = field(default_factory=Absent)
    after: FileState = field(default_factory=Absent)
    missing: str = ""
    """The outermost folder to remove, if empty, once the file is gone."""
    waits_for: list[str] = field(default_factory=list)
    """Paths whose steps come first. If one of those has a conflict this is not done."""
    source: str = ""
    """The file comes from here as it is, by one rename."""
    is_carried: bool = False
    """The file goes by that rename: here is nothing left to do."""
    respelled: str = ""
    """The name it gets, where the file system takes that for the name it has."""
    temporary: str = ""
    """Holds the new file until it lands, then the old one until that is removed."""
    outcome: Outcome | None = None
    """None if there is something to do."""
    why: str = ""

    def refuse(self, why: str) -> None:
        self.outcome, self.why = "conflict", why

    @property
    def is_going(self) -> bool:
        return self.outcome is None and isinstance(self.after, Absent)

    @property
    def changes_mode_only(self) -> bool:
        before, after = self.before, self.after
        return isinstance(before, Regular) and isinstance(after, Regular) and before.blob == after.blob

    @property
    def needs_file(self) -> bool:
        """Whether a new file has to be ready before this lands."""
        is_folder = isinstance(self.after, Folder)
        return not (self.outcome or self.source or self.is_going or self.changes_mode_only or is_folder)


def is_folder(state: FileState) -> bool:
    return isinstance(state, Other) and stat.S_ISDIR(state.mode)


def as_file(state: FileState) -> FileState:
    """A folder is nothing by itself: it goes with the last file in it, and comes with the first."""
    return Absent() if is_folder(state) else state


def steps_of(writes: Iterable[Write]) -> dict[str, WriteStep]:
    """The steps by path. Where one write frees a path and another fills it, that is one step."""
    steps: dict[str, WriteStep] = {}
    for write in writes:
        if is_idle(write):
            continue
        before, after = as_file(write.before), as_file(write.after)
        comes, goes = not isinstance(after, Absent), not isinstance(before, Absent)
        if comes:
            steps.setdefault(write.path, WriteStep(path=write.path)).after = after
        if goes:
            old = steps.setdefault(write.old_path, WriteStep(path=write.old_path))
            old.before, old.missing = before, write.missing
            if comes and write.path != write.old_path:
                # Nothing may go before it stands where it goes to.
                old.waits_for.append(write.path)
    return steps


def is_idle(write: Write) -> bool:
    return write.path == write.old_path and same(write.before, write.after)


def ordered(steps: Mapping[str, WriteStep]) -> list[WriteStep]:
    """Every step after those it waits for; in a circle, somewhere has to be the start."""
    done: dict[str, WriteStep] = {}
    begun: set[str] = set()
    for first in steps:
        todo = [first]
        while todo:
            path = todo[-1]
            waiting = [other for other in steps[path].waits_for if other in steps and other not in begun]
            if path not in begun and waiting:
                begun.add(path)
                todo += waiting
                continue
            begun.add(path)
            done.setdefault(todo.pop(), steps[path])
    return list(done.values())


def answers(writes: Sequence[Write], steps: Mapping[str, WriteStep]) -> list[Landed]:
    """What became of each write, from what became of its paths."""
    return [
        Landed(path=write.path, outcome="already") if is_idle(write) else answer(write, steps)
        for write in writes
    ]


def answer(write: Write, steps: Mapping[str, WriteStep]) -> Landed:
    own = [steps[path] for path in (write.path, write.old_path) if path in steps]
    for step in own:
        if step.outcome == "conflict":
            return Landed(path=write.path, outcome="conflict", why=step.why)
    for outcome in (None, "left", "written"):
        if any(step.outcome == outcome for step in own):
            return Landed(path=write.path, outcome=outcome or "left")
    return Landed(path=write.path, outcome="already")


def difference(found: FileState, expected: FileState) -> str:
    """Why a path does not hold what it should, for a person; empty if it does."""
    if same(found, expected):
        return ""
    match found:
        case Absent():
            return GONE
        case Unknown():
            return f"it cannot be read ({found.why})"
        case Folder():
            return FOLDER
        case Other():
            return FOLDER if is_folder(found) else TAKEN
        case Regular() | Link():
            return TAKEN if isinstance(expected, Absent) else CHANGED
