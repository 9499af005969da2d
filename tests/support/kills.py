"""A batch of writes of every kind, killed before each call to the system that changes something.

A program of its own, because it forks: `python -m tests.support.kills FOLDER`.
"""

from __future__ import annotations

import os
import posix
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from blueline.model.fact import Write
from blueline.model.file_state import Link, Other
from tests.support.workspace import ABSENT, Ground, stepping_in, write

FOLDER = Other(mode=0o040755)
MOST = 500


def batch(ground: Ground) -> list[Write]:
    """Make the files, and say what shall become of them."""
    put, file = ground.put, ground.file
    return [
        write("replaced", put("replaced", b"old" * 900), file(b"new" * 900, 0o755)),
        write("folder/replaced", put("folder/replaced", b"old"), file(b"new")),
        write("made/deep/file", ABSENT, file(b"new")),
        write("came/with/it", put("came/with/it", b"old"), ABSENT, missing="came"),
        write("came/too", put("came/too", b"old"), ABSENT, missing="came"),
        write("mode", put("mode", b"same"), file(b"same", 0o600)),
        write("retargeted", ground.link("retargeted", "old"), Link(target="new")),
        write("linked", put("linked", b"old"), Link(target="new")),
        write("back/renamed", put("away/renamed", b"same"), file(b"same"), old_path="away/renamed"),
        write("edited", put("renamed and edited", b"old"), file(b"new"), old_path="renamed and edited"),
        write("one", put("two", b"2"), file(b"2"), old_path="two"),
        write("two", put("one", b"1"), file(b"1"), old_path="one"),
        write("was folder", ground.link("was folder", "/"), FOLDER),
        write("was folder/file", ABSENT, file(b"new")),
        write("was file", FOLDER, file(b"new")),
        write("was file/a", put("was file/a", b"old"), ABSENT, missing="was file"),
    ]


AFTER = {
    "replaced": (0o755, b"new" * 900),
    "folder": None,
    "folder/replaced": (0o644, b"new"),
    "made": None,
    "made/deep": None,
    "made/deep/file": (0o644, b"new"),
    "mode": (0o600, b"same"),
    "retargeted": "new",
    "linked": "new",
    "away": None,
    "back": None,
    "back/renamed": (0o644, b"same"),
    "edited": (0o644, b"new"),
    "one": (0o644, b"2"),
    "two": (0o644, b"1"),
    "was folder": None,
    "was folder/file": (0o644, b"new"),
    "was file": (0o644, b"new"),
}

PAIRS = [("away/renamed", "back/renamed"), ("renamed and edited", "edited")]
"""Where a file comes from and where it goes: it is always at one of them."""


def survives(action: Callable[[], object], calls: int) -> bool:
    """Do something in a process that is killed before its call number `calls`; False if it was."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        assert status in (0, signal.SIGKILL), status
        return status == 0
    left = calls

    def kill(name: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            if name == "write":
                os.write(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)

    code = 1
    try:
        with stepping_in(kill):
            action()
        code = 0
    finally:
        os._exit(code)


def check_whole(ground: Ground, before: dict[str, object]) -> None:
    """Every path is as it was or as it shall be, never anything in between."""
    found = ground.on_disk()
    for path in {*before, *AFTER}:
        old, new = before.get(path, "none"), AFTER.get(path, "none")
        assert found.get(path, "none") in (old, new, "none" if None in (old, new) else old), (path, found)
    for old_path, path in PAIRS:
        assert old_path in found or path in found, found


def check_finish(ground: Ground, writes: list[Write]) -> None:
    ground.tree.sweep(ground.staged)
    assert ground.temporaries() == []
    assert not ground.staged.exists()
    landed = ground.tree.replace(writes, ground.staged, in_part=True)
    assert {each.outcome for each in landed} <= {"written", "already"}, landed
    assert ground.on_disk() == AFTER, ground.on_disk()
    assert not ground.staged.exists()


def attempt(ground: Ground, calls: int, sweeping: int) -> tuple[bool, bool]:
    """Kill a batch, then the sweep after it, and finish; whether the two came to their ends by themselves."""
    writes = batch(ground)
    before = ground.on_disk()
    if survives(lambda: ground.tree.replace(writes, ground.staged), calls):
        assert ground.on_disk() == AFTER
        return True, True
    check_whole(ground, before)
    swept = survives(lambda: ground.tree.sweep(ground.staged), sweeping)
    check_whole(ground, before)
    check_finish(ground, writes)
    return False, swept


def run(folder: Path) -> tuple[int, int]:
    """Kill at every call, and the sweep after it at every eighth; how many calls and sweeps that were."""
    sweeps = 0
    for calls in range(MOST):
        for sweeping in range(calls % 8, MOST, 8):
            shutil.rmtree(folder / "ground", ignore_errors=True)
            landed, swept = attempt(Ground(folder / "ground"), calls, sweeping)
            if landed:
                return calls, sweeps
            if swept:
                break
            sweeps += 1
    raise AssertionError("it never came to its end")


if __name__ == "__main__":
    # The blobs are written by all of it, and no power is cut here.
    os.fsync = posix.fsync = lambda fd: None
    print(*run(Path(sys.argv[1])))
