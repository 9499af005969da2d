"""Power cuts: a file system on a loop image that goes down with work under way, as if the machine had.

ext4 is told to stop at once and to flush nothing (`EXT4_IOC_SHUTDOWN`), then mounted anew: what nobody had
synced is gone. A disk that lies about its cache, or writes in another order, is not tried.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import random
import signal
import struct
import subprocess
from collections.abc import Generator
from multiprocessing.connection import Connection
from pathlib import Path

from blueline.errors import BluelineError
from tests.faults.kills import learn, made, processes
from tests.faults.work import Done, Failure, examine, work
from tests.support.project import Project

SHUTDOWN, FLUSH_NOTHING = 0x8004587D, 2
CLONE_NEWNS = 0x20000
MEGABYTES = 96
ROUNDS = 20
LONGEST_LIFE = 0.6


def are_possible(base: Path) -> str:
    """Why there can be no power cuts here; empty if there can. Before any process is started."""
    if os.geteuid() != 0:
        return "loop images need root"
    try:
        _be_alone()
        with Image(base / "try") as image:
            image.cut()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no loop image could be mounted: {error}"
    return ""


def _be_alone() -> None:
    """Mount where nobody else sees it.

    A sandbox that somebody starts meanwhile gets all mounts there are, and keeps them: a file system that
    went down then stays there, is found again at the next mount, and answers everything with EIO.
    """
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "no mounts of its own")
    _run("mount", "--make-rprivate", "/")


class Image:
    """A file system in a file."""

    def __init__(self, base: Path) -> None:
        base.mkdir(parents=True, exist_ok=True)
        self._file, self.place = base / "image", base / "mounted"
        self.place.mkdir(exist_ok=True)
        with open(self._file, "wb") as file:
            file.truncate(MEGABYTES << 20)
        _run("mkfs.ext4", "-q", "-F", str(self._file))

    def __enter__(self) -> Image:
        _run("mount", "-o", "loop", str(self._file), str(self.place))
        return self

    def __exit__(self, *_: object) -> None:
        _run("umount", str(self.place))

    def cut(self) -> None:
        """The power goes, and comes back."""
        fd = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(fd, SHUTDOWN, struct.pack("I", FLUSH_NOTHING))
        finally:
            os.close(fd)

    def restart(self) -> None:
        _run("umount", str(self.place))
        _run("mount", "-o", "loop", str(self._file), str(self.place))


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


def cuts(base: Path, chance: random.Random) -> Generator[str]:
    """Cut the power, again and again."""
    for number in range(10**9):
        with Image(base / "cut") as image:
            project, known = made(image.place / f"p{number}"), list[Done]()
            os.sync()
            for round_ in range(ROUNDS):
                _cut_off(image, project, f"{number}.{round_}", chance.random() * LONGEST_LIFE, known)
                examine(project, known)
                yield "power cuts"


def _work(project: Project, seed: str, told: Connection) -> None:
    """Work, and say nothing when the ground is gone."""
    with contextlib.suppress(OSError, BluelineError):
        work(project, seed, told)


def _cut_off(image: Image, project: Project, seed: str, seconds: float, known: list[Done]) -> None:
    receiver, sender = processes.Pipe(duplex=False)
    process = processes.Process(target=_work, args=(project, seed, sender))
    process.start()
    sender.close()
    if receiver.poll(60):
        learn(receiver, known, least=1)
    process.join(seconds)
    if not process.is_alive():
        raise Failure("the work itself failed")
    # Whatever it acknowledges from now on may be of this side of the cut or of the other.
    learn(receiver, known)
    image.cut()
    process.kill()
    process.join()
    if process.exitcode not in (0, -signal.SIGKILL):
        raise Failure("what it met when the ground was gone is not told as a fault of the disk")
    receiver.close()
    image.restart()
