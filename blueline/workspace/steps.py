"""What has to be done with each path: worked out from the writes of a decision, and whether it can be done.

Nothing is changed here. Every path is compared with what is expected there, and what is found is noted in the
steps themselves: that one is done already, or refused; that a file is to come by rename; the name of its
temporary file; which other steps have to come first. When all is over, they say what became of each write.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from blueline.kernel import disk
from blueline.model.fact import Write
from blueline.model.file_state import Absent, FileState, Folder, Link, Regular
from blueline.model.ids import BlobId
from blueline.workspace.look import (
    FOLDER,
    OPEN,
    TAKEN,
    LookResult,
    as_file,
    difference,
    is_being_written,
    is_folder,
    look_below,
    same,
)
from blueline.workspace.open_folders import NoFolder, OpenFolders, above, leaf, parent, parts

Outcome = Literal["written", "already", "conflict", "left"]

OUTSIDE = "it is outside the project"
UNWRITABLE = "what should stand there cannot be written"


class BlobSink(Protocol):
    """As much of a blob store as is needed here."""

    def put(self, content: bytes) -> BlobId: ...

    def get(self, blob: BlobId) -> bytes: ...

    def has(self, blob: BlobId) -> bool: ...


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
            if comes and write.path != write.old_path and not _changes_with_its_folder(write):
                # Nothing may go before it stands where it goes to.
                old.waits_for.append(write.path)
    return steps


def _changes_with_its_folder(write: Write) -> bool:
    """Whether a file takes the place of a folder that it was in, or back: it has to go first."""
    one, other = f"{write.path}/", f"{write.old_path}/"
    return one.startswith(other) or other.startswith(one)


def is_idle(write: Write) -> bool:
    return write.path == write.old_path and same(write.before, write.after)


def is_temporary(path: str) -> bool:
    """Whether a path is one of ours, which exist for a moment while a decision is carried out."""
    return disk.is_temporary(os.fsencode(leaf(path)))


def temporary_in(folder: str) -> str:
    start, end = map(os.fsdecode, disk.TEMPORARY)
    # Nobody can guess it, and make it first.
    name = f"{start}{os.urandom(8).hex()}{end}"
    return f"{folder}/{name}" if folder else name


def check(
    folders: OpenFolders, blobs: BlobSink, writes: Sequence[Write], steps: dict[str, WriteStep]
) -> list[str]:
    """Look at everything; says which folders have to be made before anything lands, outermost first."""
    for write in writes:
        join_spellings(folders, write, steps)
    found = {path: compare(folders, blobs, step)._replace(content=b"") for path, step in steps.items()}
    for write in writes:
        join_move(folders, write, steps, found)
    wanted: dict[str, None] = {}
    for path, step in steps.items():
        if step.outcome is None and not isinstance(step.after, Absent):
            if is_folder(found[path].state) and not isinstance(step.after, Folder):
                free_from_folder(Path(folders.root), step, steps)
            find_home(folders, step, steps, wanted)
            if isinstance(step.after, Folder) and isinstance(step.before, Regular | Link):
                step.temporary = temporary_in(parent(path))
        elif step.is_going and not step.is_carried and not isinstance(step.before, Folder):
            step.temporary = temporary_in(parent(path))
    return list(wanted)


def compare(folders: OpenFolders, blobs: BlobSink, step: WriteStep) -> LookResult:
    """Compare one path with what is expected there."""
    try:
        parts(step.path)
    except ValueError:
        step.refuse(OUTSIDE)
        return LookResult(Absent(), None)
    found = look_below(folders, step.path)
    has_folder = is_folder(found.state)
    if not isinstance(step.after, Regular | Link | Folder | Absent):
        step.refuse(UNWRITABLE)
    elif has_folder and isinstance(step.after, Folder):
        step.outcome = "already"
    elif has_folder and isinstance(step.before, Folder):
        pass  # it goes, if nothing is in it
    elif isinstance(found.state, Absent) and isinstance(step.before, Folder):
        step.before = Absent()
        if isinstance(step.after, Absent):
            step.outcome = "already"
    elif same(Absent() if has_folder else found.state, step.after):
        step.outcome = "already"
    elif has_folder and isinstance(step.before, Absent):
        pass  # it may go with the files in it, see `free_from_folder`
    elif why := difference(found.state, step.before):
        step.refuse(why)
    elif isinstance(found.state, Regular):
        secure(found, blobs)
        if is_being_written(*folders.place(step.path)):
            step.refuse(OPEN)
    return found


def secure(found: LookResult, blobs: BlobSink) -> None:
    """What is about to be overwritten must be in the blob store, whoever should have put it there."""
    if isinstance(found.state, Regular) and not blobs.has(found.state.blob):
        blobs.put(found.content)


def refuse_taken(writes: Sequence[Write], steps: Mapping[str, WriteStep]) -> None:
    """Where a file is to move to, another one may stand that holds the same: it is somebody's, and stays."""
    for write in writes:
        new = steps.get(write.path)
        if new is None or write.path == write.old_path or isinstance(write.before, Absent):
            continue
        if new.outcome == "already" and isinstance(new.before, Absent):
            new.refuse(TAKEN)


def join_spellings(folders: OpenFolders, write: Write, steps: dict[str, WriteStep]) -> None:
    """Where `a` and `A` are one name, a rename from one to the other is one step and not two."""
    step = steps.get(write.old_path)
    if step and write.path in step.waits_for and step.is_going and are_one(folders, write):
        step.after, step.respelled = write.after, write.path
        step.waits_for.remove(write.path)
        del steps[write.path]


def join_move(
    folders: OpenFolders, write: Write, steps: dict[str, WriteStep], found: dict[str, LookResult]
) -> None:
    """A file that only changes its name is renamed, so that it stays the same file."""
    new, old = steps.get(write.path), steps.get(write.old_path)
    if new is None or old is None or new is old or not same(write.before, write.after):
        return
    if _changes_with_its_folder(write):
        return
    if new.outcome is None and isinstance(new.before, Absent) and old.is_going:
        signature = found[old.path].signature
        if signature and signature.dev == device(folders, parent(new.path)):
            new.source, old.is_carried = old.path, True


def free_from_folder(root: Path, step: WriteStep, steps: dict[str, WriteStep]) -> None:
    """Where a folder stands there is room for a file only if all in it goes, and the folder with it."""
    going = [
        path
        for path, other in steps.items()
        if isinstance(other.after, Absent)  # gone already, perhaps, but not its folders
        and path.startswith(f"{step.path}/")
        and f"{step.path}/".startswith(f"{other.missing}/")
    ]
    freed = {root / each for path in going for each in (path, *above(path))}
    if isinstance(step.before, Folder):
        freed.add(root / step.path)
    if only_holds(root / step.path, freed):
        step.waits_for += going
    else:
        step.refuse(FOLDER)


def find_home(
    folders: OpenFolders, step: WriteStep, steps: dict[str, WriteStep], wanted: dict[str, None]
) -> None:
    """Find a folder in which a new file can be made ready: its own, if that is there or can be made."""
    home = parent(step.path)
    try:
        folders.at(home)
    except NoFolder as missing:
        if not missing.blocked:
            way = above(step.path)
            wanted.update(dict.fromkeys(way[way.index(missing.where) :]))
        elif missing.where in steps and steps[missing.where].is_going:
            # What stands in the way goes first. What is beside it is on the same file system.
            step.waits_for.append(missing.where)
            home = parent(missing.where)
        else:
            step.refuse(f"{missing.where} is no longer a folder")
    except OSError as error:
        step.refuse(f"its folder cannot be opened: {error.strerror}")
    if step.needs_file:
        step.temporary = temporary_in(home)


def device(folders: OpenFolders, folder: str) -> int:
    """The file system a folder is on, or will be on once it is made; -1 if that cannot be told."""
    while True:
        try:
            return os.fstat(folders.at(folder)).st_dev
        except NoFolder as error:
            folder = parent(error.where)
        except OSError:
            return -1


def are_one(folders: OpenFolders, write: Write) -> bool:
    """Whether the two paths of a write are two spellings of one name."""
    names = {leaf(write.path), leaf(write.old_path)}
    try:
        folder = os.fstat(folders.of(write.old_path))
        file = os.stat(leaf(write.old_path), dir_fd=folders.of(write.old_path), follow_symlinks=False)
        here = folders.of(write.path)
        found = os.stat(leaf(write.path), dir_fd=here, follow_symlinks=False)
        if not (os.path.samestat(folder, os.fstat(here)) and os.path.samestat(file, found)):
            return False
        # A file with two names in one folder has both of them in the list; one with two spellings has not.
        return len(names) == 1 or not names <= listing(here)
    except (OSError, NoFolder, ValueError):
        return False


def listing(folder: int) -> set[str]:
    fd = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
    try:
        return set(os.listdir(fd))
    finally:
        os.close(fd)


def only_holds(folder: Path, going: set[Path]) -> bool:
    """Whether there is nothing in a folder, at any depth, but these files and folders."""

    def fail(error: OSError) -> None:
        raise error

    try:
        for here, folders, names in os.walk(folder, onerror=fail):
            if any(Path(here) / name not in going for name in folders + names):
                return False
    except OSError:
        return False
    return folder in going


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
