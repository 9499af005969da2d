"""Whether the steps of a batch can be done: compare every path with what is expected there. Changes nothing.

What is found is noted in the steps themselves: that one is done already, or refused; that a file is to come
by rename; the name of its temporary file; which other steps have to come first.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from blueline.hook import disk
from blueline.model.fact import Write
from blueline.model.file_state import Absent, Folder, Link, Regular
from blueline.workspace.exchange import is_being_written
from blueline.workspace.landing import Landing
from blueline.workspace.look import (
    LookResult,
    NoFolder,
    OpenFolders,
    above,
    leaf,
    look_below,
    parent,
    parts,
    same,
)
from blueline.workspace.steps import (
    FOLDER,
    OPEN,
    OUTSIDE,
    UNWRITABLE,
    WriteStep,
    as_file,
    difference,
    is_folder,
)


def is_temporary(path: str) -> bool:
    """Whether a path is one of ours, which exist for a moment while a decision is carried out."""
    return disk.is_temporary(os.fsencode(leaf(path)))


def temporary_in(folder: str) -> str:
    # Nobody can guess it, and make it first.
    name = os.fsdecode(disk.temporary_name(os.urandom(8)))
    return f"{folder}/{name}" if folder else name


def check(landing: Landing, writes: Sequence[Write], steps: dict[str, WriteStep]) -> list[str]:
    """Look at everything; says which folders have to be made before anything lands, outermost first."""
    folders = landing.folders
    for write in writes:
        join_spellings(folders, write, steps)
    found = {path: compare(landing, step)._replace(content=b"") for path, step in steps.items()}
    for write in writes:
        join_move(folders, write, steps, found)
    wanted: dict[str, None] = {}
    for path, step in steps.items():
        if step.outcome is None and not isinstance(step.after, Absent):
            if is_folder(found[path].state) and not isinstance(step.after, Folder):
                free_from_folder(landing.root, step, steps)
            find_home(folders, step, steps, wanted)
            if isinstance(step.after, Folder) and isinstance(step.before, Regular | Link):
                step.temporary = temporary_in(parent(path))
        elif step.is_going and not step.is_carried and not isinstance(step.before, Folder):
            step.temporary = temporary_in(parent(path))
    return list(wanted)


def compare(landing: Landing, step: WriteStep) -> LookResult:
    """Compare one path with what is expected there."""
    try:
        parts(step.path)
    except ValueError:
        step.refuse(OUTSIDE)
        return LookResult(Absent(), None)
    found = look_below(landing.folders, step.path)
    if not isinstance(step.after, Regular | Link | Folder | Absent):
        step.refuse(UNWRITABLE)
    elif is_folder(found.state) and isinstance(step.after, Folder):
        step.outcome = "already"
    elif is_folder(found.state) and isinstance(step.before, Folder):
        pass  # it goes, if nothing is in it
    elif isinstance(found.state, Absent) and isinstance(step.before, Folder):
        step.before = Absent()
        if isinstance(step.after, Absent):
            step.outcome = "already"
    elif same(as_file(found.state), step.after):
        step.outcome = "already"
    elif is_folder(found.state) and isinstance(step.before, Absent):
        pass  # it may go with the files in it, see `free_from_folder`
    elif why := difference(found.state, step.before):
        step.refuse(why)
    elif isinstance(found.state, Regular):
        landing.secure(found)
        if is_being_written(landing.folders.of(step.path), leaf(step.path)):
            step.refuse(OPEN)
    return found


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
