"""Where a project's state is kept, and who may change it."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time

from blueline.errors import BluelineError
from blueline.kernel import disk, project_folder, user_wide

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from _typeshed import StrPath

    from blueline.contract.overview import Mode

FORMAT = project_folder.FORMAT
MODES: dict[bytes, Mode] = {b"review": "review", b"hold": "hold", b"direct": "direct"}
EARLIER = (b"blueline 1\n",)
"""Formats that this one reads as they are; what it adds to them, it alone can read."""
CONFIG = """\
# Blueline: what AI agents do to these files is recorded and reviewed. Commit this file.
format = 1

# on_commit = "accept"  # what a person commits is accepted by that; the gate does not take it for a review
# fold_history = false  # what was decided long ago can be taken back for ever, and files under review grow

# Folders of these names are counted after a shell command and not itemised, unless git tracks something in
# them; the second list only where git ignores the folder. Both have a long list of usual names.
# [capture]
# counted = ["node_modules", ".venv", "__pycache__"]
# counted_if_ignored = ["build", "dist", "target"]
# largest = 67108864  # bytes; of larger files a shell command's change is seen, but cannot be taken back

# What `blueline review` runs, in four loops; `blueline init --loops` proposes commands for this project.
# [review.loops.1]
# commands = ["make check"]
"""


class NotAProject(BluelineError):
    """There is no project here, or its state cannot be used."""


class NoProjectHere(NotAProject):
    """Nobody has made a project of this folder, or of one around it."""


def find(start: StrPath, environ: Mapping[str, str]) -> tuple[Path, Path]:
    """The root of the project that a folder is in, and its state folder."""
    from pathlib import Path

    root, state = located(start, environ)
    return Path(root), Path(state)


def located(start: StrPath, environ: Mapping[str, str]) -> tuple[str, str]:
    """The same for who only looks, as names: paths take longer to load than a short command has."""
    settings = _bytes(environ)
    here = os.fsencode(start if os.path.isabs(start) else os.path.join(os.getcwd(), start))
    home = project_folder.state_home(settings)
    found = project_folder.find_project(here, home)
    if found is None and user_wide.is_on(home):
        found = user_wide.project(here, home, settings)
    if found is None:
        from pathlib import Path

        raise NoProjectHere(f"{Path(start)} is not inside a Blueline project", hint="run: blueline init")
    return os.fsdecode(found[0]), os.fsdecode(found[1])


def enter(start: Path, environ: Mapping[str, str]) -> tuple[Path, Path]:
    """As `find`, with the state folder made, if it is missing, and known to be one that can be used."""
    root, state = find(start, environ)
    prepare(state, os.fsencode(root))
    return root, state


def state_of(root: Path, environ: Mapping[str, str]) -> Path:
    """Where the state of a folder is, or would be, if it is a project."""
    return _state(os.fsencode(root.resolve(strict=True)), project_folder.state_home(_bytes(environ)))


def create(root: Path, environ: Mapping[str, str]) -> Path:
    """Make the state folder and the project's config file, where they are missing; says the state folder."""
    real = os.fsencode(root.resolve(strict=True))
    state = _state(real, project_folder.state_home(_bytes(environ)))
    prepare(state, real)
    # So that no hook has to make folders while an agent waits for it.
    disk.spread(os.fsencode(state) + b"/blobs")
    folder = root / ".blueline"
    folder.mkdir(exist_ok=True)
    config = folder / "config.toml"
    if not config.exists():
        config.write_text(CONFIG)
    return state


def prepare(state: Path, root: bytes) -> None:
    """Make the state folder if it is missing, and see that this version can read it."""
    from blueline.kernel import identity  # who only looks makes none

    try:
        found = _format(state)
        if not found:
            identity.prepare(os.fsencode(state), root)
            found = _format(state)
        if found in EARLIER:
            disk.put_in_place(os.fsencode(state / "format"), FORMAT, os.fsencode(state) + b"/blobs/tmp")
            found = FORMAT
        if found == FORMAT and not (state / "id").exists():  # from before there were ids
            identity.give(os.fsencode(state), root)
    except OSError as error:
        raise NotAProject(
            f"cannot use the state folder {state}: {error.strerror}",
            hint="check its owner, its permissions and the free space",
        ) from error
    if found != FORMAT:
        raise NotAProject(
            f"{state} is in a format this version does not know ({found.strip()!r})",
            hint="update Blueline",
        )


def _format(state: Path) -> bytes:
    """What a state folder says of itself; nothing if it is not there."""
    try:
        return (state / "format").read_bytes()
    except FileNotFoundError:
        return b""


_DENIED = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EIO,
    errno.ENOTDIR,
    errno.ELOOP,
)


def unusable(error: OSError, environ: Mapping[str, str]) -> NotAProject | None:
    """What to say if the system denied us a file of the state; None if it is another's, or our own fault."""
    name = error.filename
    if error.errno not in _DENIED or not isinstance(name, str | bytes | os.PathLike):
        return None
    home = os.path.realpath(project_folder.state_home(_bytes(environ)))
    place = os.path.realpath(os.fsencode(name))
    if place != home and not place.startswith(home + b"/"):
        return None
    return NotAProject(
        f"cannot use {os.fsdecode(place)}, a part of the state folder: {error.strerror}",
        hint="check its owner, its permissions and the free space",
    )


def narrow(state: Path) -> str:
    """See that nobody else gets at the state: folders 0700, files 0600. What was put right, in words."""
    try:
        about = state.lstat()
        if not about.st_mode & 0o077 or about.st_uid != os.geteuid():
            return ""
        os.chmod(state, 0o700)
        for here, folders, files in os.walk(state):
            for name in (*folders, *files):
                place = os.path.join(here, name)
                mode = os.lstat(place).st_mode
                if mode & 0o077 and not stat.S_ISLNK(mode):
                    os.chmod(place, stat.S_IMODE(mode) & 0o700)
    except OSError as error:
        return f"other accounts can read {state}, and that cannot be changed: {error.strerror}"
    mode = stat.S_IMODE(about.st_mode)
    return f"other accounts could get at {state} (mode {mode:o}); it is closed to them again (700)"


def _state(root: bytes, home: bytes) -> Path:
    from pathlib import Path

    return Path(os.fsdecode(home)) / project_folder.state_key(root)


def _bytes(environ: Mapping[str, str]) -> dict[bytes, bytes]:
    return {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}


class Lock:
    """One process at a time changes a project's state. Hooks do not wait for it."""

    PATIENCE_SECONDS = 30

    def __init__(self, path: StrPath, patience: float | None = None) -> None:
        try:
            self._fd = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise NotAProject(
                f"cannot write to the state folder {os.path.dirname(path)}: {error.strerror}",
                hint="check its owner, its permissions and the free space",
            ) from error
        self._wait(self.PATIENCE_SECONDS if patience is None else patience)

    def _wait(self, patience: float) -> None:
        until = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    os.close(self._fd)
                    raise NotAProject(
                        "another Blueline command is busy with this project",
                        hint="wait for it to end, or stop it, then try again",
                    ) from None
                time.sleep(0.02)
            else:
                return

    def release(self) -> None:
        """Let the next one in."""
        os.close(self._fd)


def now() -> str:
    """The time, as events are dated."""
    return iso(time.time_ns())


def iso(nanoseconds: int) -> str:
    """A point in time, as it is shown and stored."""
    from datetime import UTC, datetime  # who only looks dates nothing

    moment = datetime.fromtimestamp(nanoseconds / 1e9, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def mode_of(folder: StrPath) -> Mode:
    """How edits are taken. What cannot be understood is `review`."""
    return MODES[project_folder.read_mode(os.fsencode(folder))]
