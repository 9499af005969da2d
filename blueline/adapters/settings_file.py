"""A file of an agent's settings: changed whole or not at all, and given back byte for byte.

What was there before is kept in the project's state folder, one file for each agent, until the hooks go.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import blueline.hook
from blueline.adapters import SIGNATURE as SIGNATURE
from blueline.errors import BluelineError
from blueline.kernel import disk
from blueline.kernel.plain_file import read_plain

TOLD = "told-that-hooks-are-gone"
"""Beside the state folders: a person was told, and is not told for every tool again."""


class SettingsUnusable(BluelineError):
    """The settings are there, but cannot be changed safely."""


class Former(NamedTuple):
    """How things were before the hooks came, kept in the state folder until they go."""

    before: bytes | None
    """The file's bytes; None when there was no file."""
    after: str
    """The digest of what was written. Only while it is the file's, nobody else has changed it."""
    folders: tuple[str, ...]
    """The folders that were made for it, outermost first, as seen from the project's root."""


# The command


def recorder() -> Path:
    """The program that writes events down."""
    return Path(blueline.hook.__file__).parent / "recorder.py"


def words(agent: str, python: str = sys.executable, *, everywhere: bool = False) -> list[str]:
    """What starts the recorder."""
    # In double quotes, so that the whole can stand in single ones.
    folder = json.dumps(str(recorder().parent), ensure_ascii=False)
    given = f'"{agent}",True' if everywhere else f'"{agent}"'
    return [python, "-I", "-S", "-c", f"import sys;sys.path[:0]=[{folder}];{SIGNATURE}{given})"]


def command(agent: str, python: str = sys.executable, *, everywhere: bool = False) -> str:
    """The shell command for an agent; the same for every event, so that equal ones run once."""
    return shlex.join(words(agent, python, everywhere=everywhere))


def shared_command(agent: str, python: str = sys.executable) -> str:
    """The same for a file that a team may commit: where this Python is not, it does nothing.

    There it would fail otherwise, and some agents take that for a refusal.
    """
    return f"{_here(python)} || exit 0; exec {command(agent, python)}"


def guarded_command(agent: str, python: str = sys.executable, *, everywhere: bool = False) -> str:
    """The same for a file of this machine: where Python or Blueline is gone, the person is told once.

    An agent that got an error for every tool would stop working, or its person would take the hooks out.
    """
    told = f'"${{XDG_STATE_HOME:-$HOME/.local/state}}/blueline/{TOLD}"'
    again = "blueline init --user" if everywhere else "blueline init"
    words = f"Blueline records nothing here: {python} or {recorder()} is gone. Run: {again}"
    said = f"printf %s {shlex.quote(json.dumps({'systemMessage': words}, ensure_ascii=False))}"
    if agent != "claude-code":  # the others have no such message, and might take it for their answer
        said = f"printf '%s\\n' {shlex.quote(words)} >&2"
    # Not `:`, which ends the shell if it cannot write.
    once = f"test -e {told} || {{ {{ printf '' >{told}; }} 2>/dev/null && {said}; }}"
    return f"{_here(python)} || {{ {once}; exit 0; }}; exec {command(agent, python, everywhere=everywhere)}"


def _here(python: str) -> str:
    """Whether what is to be started is there, as a shell asks."""
    return f"test -x {shlex.quote(python)} && test -r {shlex.quote(str(recorder()))}"


def is_ours(run: object, agent: str) -> bool:
    """Whether a shell command starts our recorder for this agent."""
    if not isinstance(run, str):
        return False
    try:
        return any(SIGNATURE in word and f'"{agent}"' in word for word in shlex.split(run))
    except ValueError:  # quotes that do not close
        return False


def must_be_text(run: str) -> None:
    try:
        run.encode()
    except UnicodeEncodeError:
        raise BluelineError(
            "the path of Python or of Blueline is not valid UTF-8, and settings cannot hold it",
            hint="install Blueline below a folder with a plain name",
        ) from None


# The file


@contextlib.contextmanager
def understandable(path: Path) -> Iterator[None]:
    """Errors of the system become ones that a person can put right."""
    try:
        yield
    except OSError as error:
        raise SettingsUnusable(
            f"{error.filename or path} cannot be read or written: {error.strerror}",
            hint="check who owns it and its permissions",
        ) from error


def real(root: Path, path: Path) -> Path:
    """The file behind links, which must be inside the project; for a person's own settings `root` is `/`."""
    found = path.resolve()
    if not found.is_relative_to(root.resolve()):
        raise SettingsUnusable(
            f"{path} is a link that leads out of the project, so it was left as it is",
            hint="replace the link by a file of its own",
        )
    return found


def read(path: Path) -> bytes | None:
    try:
        return read_plain(path)
    except FileNotFoundError:
        return None


def replace(path: Path, data: bytes) -> None:
    """Write a whole file or nothing, keeping its permissions."""
    try:
        mode = path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mode = None
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{time.time_ns()}")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        with open(fd, "wb") as file:
            file.write(data)
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    disk.sync_folder(os.fsencode(path.parent))


def put(root: Path, path: Path, state: Path, agent: str, data: bytes, *, theirs: bool) -> None:
    """Write settings with hooks in them. `theirs` is false if there were hooks of ours in what was there."""
    before = read(path)
    known = former(state, agent)
    missing = _missing_folders(root, path)
    if known is not None and before is not None and digest(before) == known.after:
        # Ours, of an earlier time: what was there before that still counts.
        kept = Former(known.before, digest(data), known.folders)
    elif before is not None and not theirs:
        # Somebody changed the file since, or the state is lost: bytes with hooks must not come back.
        kept = Former(known.before, "", known.folders) if known is not None else Former(None, "", ())
    else:
        earlier = known.folders if known is not None and before is None else ()
        kept = Former(before, digest(data), tuple(dict.fromkeys((*earlier, *missing))))
    where = {"path": str(path.relative_to(root.resolve())), "hooks": data.count(SIGNATURE.encode())}
    _keep(state, agent, kept, where)
    (state.parent / TOLD).unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, data)


def give_back(path: Path, known: Former | None, now: bytes) -> bool:
    """Put the former bytes back if nobody has changed the file since; False if somebody has."""
    if known is None or digest(now) != known.after:
        return False
    if known.before is None:
        path.unlink()
    else:
        replace(path, known.before)
    return True


def forget(root: Path, state: Path | None, agent: str, known: Former | None) -> None:
    """Remove the folders that were made for the file, and the memory of it."""
    if state is None or known is None:
        return
    for folder in reversed(known.folders):
        with contextlib.suppress(OSError):  # somebody else has put something there
            (root / folder).resolve().rmdir()
    _memory(state, agent).unlink(missing_ok=True)


def _missing_folders(root: Path, path: Path) -> list[str]:
    top = root.resolve()
    folders = [folder for folder in path.parents if folder != top and folder.is_relative_to(top)]
    return [str(folder.relative_to(top)) for folder in reversed(folders) if not folder.is_dir()]


# The memory


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _memory(state: Path, agent: str) -> Path:
    return state / f"installed-{agent}.json"


def former(state: Path | None, agent: str) -> Former | None:
    """What was kept; None if nothing was, or it cannot be read any more."""
    if state is None:
        return None
    try:
        kept = json.loads(_memory(state, agent).read_bytes())
        before = kept["before"]
        # Before there were several agents, there was one folder.
        folders = kept.get("folders", [".claude"] if kept["folder_made"] is True else [])
        return Former(
            before=None if before is None else base64.b64decode(before),
            after=str(kept["after"]),
            folders=tuple(str(folder) for folder in folders),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(state: Path, agent: str, kept: Former, where: dict[str, object]) -> None:
    """Remember. `where` is for those who only look whether the hooks are still there."""
    before = None if kept.before is None else base64.b64encode(kept.before).decode()
    folders = {"folder_made": bool(kept.folders), "folders": kept.folders}
    data = json.dumps({"before": before, "after": kept.after, **folders, **where}).encode()
    # For the owner only, like everything in the state folder: settings may hold secrets.
    disk.place(os.fsencode(_memory(state, agent)), data, os.fsencode(state / "blobs" / "tmp"))
