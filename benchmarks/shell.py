"""What looking at a whole tree before and after a shell command costs, beside `git status` of that tree."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.figures import (
    HEADING,
    Figure,
    doing,
    ms,
    peak_mb,
    programs_seconds,
    seconds,
    show,
    side_by_side,
)
from benchmarks.hook import OURS
from blueline.desk import state_folder

FILES_IN_A_FOLDER = 20
FOLDERS_IN_A_FOLDER = 20
TIMES = 7
TARGET, WATCHED_TARGET = "3 at most", "0.5 at most"
SMALL = 5_000
"""Here two interpreters are most of what ours takes: no target is set."""
SIZES = (SMALL, 20_000, 100_000)


class Tree:
    """A git repository with many small files, all committed, that is a project of ours."""

    def __init__(self, base: Path, size: int) -> None:
        self.root = base / "project"
        self.number = 0
        self.files: list[Path] = []
        for number in range(size):
            inner, outer = number // FILES_IN_A_FOLDER, number // FILES_IN_A_FOLDER // FOLDERS_IN_A_FOLDER
            folder = self.root / f"part{outer}" / f"module{inner}"
            if number % FILES_IN_A_FOLDER == 0:
                folder.mkdir(parents=True)
            self.files.append(folder / f"file{number}.py")
            self.files[-1].write_text(f"value = {number}\n" * 20)
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(base),
            "XDG_STATE_HOME": str(base / "state"),
            "CLAUDE_PROJECT_DIR": str(self.root),
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.git("init", "-q")
        self.git("config", "gc.auto", "0")  # it would go on in the background
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "start")
        self.state = state_folder.create(self.root, self.environ)

    def git(self, *words: str) -> None:
        subprocess.run(
            ["git", *words], cwd=self.root, env=self.environ, check=True, stdout=subprocess.DEVNULL
        )

    def hook(self, event: str) -> None:
        """One event of a shell call, told to the hook as an agent does."""
        payload = {
            "session_id": "5f2c",
            "cwd": str(self.root),
            "hook_event_name": event,
            "tool_name": "Bash",
            "tool_input": {"command": "make"},
            "tool_use_id": f"toolu_{self.number}",
        }
        raw = json.dumps(payload).encode()
        subprocess.run(OURS, input=raw, env=self.environ, cwd=self.root, check=True, capture_output=True)

    def command(self) -> None:
        """Both looks around a command that changes three files, of which ours has the bytes already."""
        self.number += 1
        self.hook("PreToolUse")
        for file in self.files[:3]:
            file.write_text(f"value = {self.number}\n" * 20)
        self.hook("PostToolUse")

    def idle(self) -> None:
        """Both looks around a command that changes nothing."""
        self.number += 1
        self.hook("PreToolUse")
        self.hook("PostToolUse")

    def status(self) -> None:
        self.git("status", "--porcelain")

    @contextmanager
    def watched(self) -> Iterator[None]:
        """With `blueline watch` running."""
        command = [sys.executable, "-m", "blueline", "watch"]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=self.root, env=self.environ, stderr=pipe, stdout=pipe)
        assert process.stderr is not None
        process.stderr.readline()  # it says when it has begun
        try:
            yield
        finally:
            process.terminate()
            process.communicate()


def main() -> None:
    """Print the figures."""
    show([HEADING])
    for size in SIZES:
        doing(f"a tree of {size:,} files")
        with tempfile.TemporaryDirectory() as folder:
            _measure(Tree(Path(folder), size), size)


def _measure(tree: Tree, size: int) -> None:
    name = f"{size:,} files"
    tree.status()  # both begin with a tree that the machine has just read
    first = [sys.executable, "-c", FIRST, str(tree.root), str(tree.state)]
    took, peak = peak_mb(first, tree.environ, str(tree.root))
    started = time.perf_counter()
    tree.status()
    rival = time.perf_counter() - started
    show([Figure(f"{name}: the first look", ms(took), f"git status {ms(rival)}", f"{took / rival:.1f}")])
    show([Figure(f"{name}: memory of the first look", f"{peak:.0f} MB", "")])
    tree.command()  # from now on, the bytes from before are ours
    for what, act in (
        ("before and after, 3 files changed", tree.command),
        ("before and after, idle", tree.idle),
    ):
        _compare(f"{name}: {what}", act, tree.status, TARGET * (size > SMALL))
    with tree.watched():
        tree.idle()  # who watches is known from now on
        _compare(f"{name}: the same, watched", tree.command, tree.status, WATCHED_TARGET * (size > SMALL))


def _compare(name: str, act: Callable[[], None], rival: Callable[[], None], target: str) -> None:
    """By the clock, and by the processor's time, which is the same however busy the machine is."""
    for how, measure in (("", seconds), (", processor", programs_seconds)):
        ours, theirs = side_by_side(act, rival, times=TIMES, measure=measure)
        figure = Figure(f"{name}{how}", ms(ours), f"git status {ms(theirs)}", f"{ours / theirs:.2f}", target)
        show([figure])


FIRST = """\
import sys
from pathlib import Path
from blueline.desk.tree_watch import know_tree
know_tree(Path(sys.argv[1]), Path(sys.argv[2]))
"""


if __name__ == "__main__":
    main()
