"""With somebody who watches, a look finds what a full look finds; without an answer, it is a full look."""

from __future__ import annotations

import fcntl
import marshal
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from blueline.hook import capture, touched_folders
from blueline.workspace import inotify, tree_watcher
from blueline.workspace.tree_watcher import TreeWatcher
from tests.support.ground import counts, states
from tests.support.systems import CANNOT
from tests.support.waiting import PATIENCE_SECONDS, wait_until
from tests.support.watched_tree import Watched

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason=f"{CANNOT}inotify is Linux's")

PATIENT = 60 * 10**9


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    # However small the tree, and however busy the machine.
    monkeypatch.setattr(touched_folders, "ASKED_FROM", 0)
    monkeypatch.setattr(touched_folders, "PATIENCE_NS", PATIENT)
    monkeypatch.setattr(tree_watcher, "TICK_MS", 20)
    monkeypatch.setattr(tree_watcher, "AGAIN_SECONDS", 0.01)
    return Watched(tmp_path)


def seen(lines: list[bytes]) -> dict[bytes, bytes]:
    """What a look says each path is now."""
    rows = [line[5:].split(b"\0") for line in lines if line.startswith(b"seen ")]
    return {path: after.split(b" ")[0] for path, _, after, _ in rows}


def test_only_what_was_touched_is_looked_at(project: Watched) -> None:
    project.put("a/one")
    project.put("b/two")
    project.look()
    with project.watching():
        assert project.touched() is None  # whoever watches was not known to the last look
        project.look()
        assert project.touched() == []
        (project.root / "a" / "one").write_text("other\n")
        assert project.touched() == [b"a"]
        assert seen(project.look()) == {b"a/one": b"file"}
        assert seen(project.look()) == {}


def test_a_new_folder_is_watched_before_the_answer(project: Watched) -> None:
    project.put("a/one")
    project.look()
    with project.watching():
        project.look()
        project.put("new/in/it/file")
        assert seen(project.look()) == {b"new/in/it/file": b"file"}
        project.put("new/in/it/file", "changed\n")
        assert project.touched() == [b"new/in/it"]
        assert seen(project.look()) == {b"new/in/it/file": b"file"}


def test_a_folder_that_moved_is_watched_where_it_is(project: Watched) -> None:
    project.put("a/b/one")
    project.look()
    with project.watching():
        project.look()
        (project.root / "c").mkdir()
        (project.root / "a").rename(project.root / "c" / "d")
        project.look()
        project.put("c/d/b/one", "changed\n")
        assert project.touched() == [b"c/d/b"]
        assert seen(project.look()) == {b"c/d/b/one": b"file"}


def test_any_changes_are_seen_as_by_a_full_look(project: Watched) -> None:
    chance = random.Random(7)
    folders = ["", "a/", "a/b/", "a/b/c/", "d/", "node_modules/p/", "e/f/"]
    names = ["one", "two", "three"]
    for folder in folders:
        project.put(folder + "one")
    project.look()

    def place() -> Path:
        return project.root / (chance.choice(folders) + chance.choice(names))

    def act() -> None:
        here, there = place(), place()
        match chance.randrange(8):
            case 0 | 1 | 2 if not here.is_dir() and here.parent.is_dir():
                here.write_text(str(chance.random()))
            case 3 if here.is_file():
                here.unlink()
            case 4 if here.parent != project.root and here.parent.is_dir():
                shutil.rmtree(here.parent)
            case 5 if here.parent != project.root and here.parent.is_dir() and not there.exists():
                if there.parent.is_dir() and here.parent not in (there.parent, *there.parents):
                    here.parent.rename(there)
            case 6:
                if not any(one.is_file() for one in here.parents):
                    here.parent.mkdir(parents=True, exist_ok=True)
            case 7 if here.exists():
                here.chmod(0o755 if here.stat().st_mode & 0o777 == 0o700 else 0o700)
            case _:
                pass

    with project.watching():
        project.look()
        asked = 0
        for _ in range(120):
            for _ in range(chance.randrange(12)):
                act()
            asked += project.touched() is not None
            project.look()
            full = project.full()
            assert states(project.index()) == states(full)
            assert counts(project.index()) == counts(full)
        assert asked == 120


def test_while_a_program_writes_nothing_is_missed(project: Watched) -> None:
    for number in range(20):
        project.put(f"d{number}/file")
    project.look()
    stop = threading.Event()

    def write() -> None:
        chance, number = random.Random(3), 0
        while not stop.is_set():
            number += 1
            folder = project.root / f"d{chance.randrange(40)}"
            if chance.random() < 0.1 and folder.is_dir():
                shutil.rmtree(folder)
            else:
                folder.mkdir(exist_ok=True)
                (folder / f"file{chance.randrange(3)}").write_text(str(number))

    with project.watching():
        project.look()
        for _ in range(15):
            stop.clear()
            thread = threading.Thread(target=write)
            thread.start()
            for _ in range(5):
                project.look()
            stop.set()
            thread.join()
            project.look()
            assert states(project.index()) == states(project.full())


def test_nobody_watches_any_more(project: Watched) -> None:
    project.put("a/one")
    project.look()
    with project.watching():
        project.look()
    project.put("a/one", "changed\n")
    assert project.touched() is None
    assert seen(project.look()) == {b"a/one": b"file"}
    with project.watching():
        # Another one, that knows nothing of what the first was asked.
        project.put("a/one", "once more\n")
        assert project.touched() is None
        assert seen(project.look()) == {b"a/one": b"file"}
        assert project.touched() == []


def test_a_queue_that_was_too_short_means_a_full_look(
    project: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.put("a/one")
    project.look()
    read, is_full = inotify.Inotify.read, threading.Event()

    def overflowing(self: inotify.Inotify) -> Iterator[inotify.KernelEvent]:
        told = list(read(self))
        if is_full.is_set():
            is_full.clear()
            told = [inotify.KernelEvent(-1, inotify.OVERFLOW, b"")]
        yield from told

    monkeypatch.setattr(inotify.Inotify, "read", overflowing)
    with project.watching():
        project.look()
        assert project.touched() == []
        is_full.set()
        project.put("a/one", "changed\n")
        wait_until(lambda: not is_full.is_set())
        wait_until(lambda: touched_folders.is_watched(os.fsencode(project.state)))
        assert project.touched() is None
        assert seen(project.look()) == {b"a/one": b"file"}


def test_a_file_with_another_name_means_full_looks(project: Watched) -> None:
    first = project.put("a/one")
    project.put("b/two")
    project.look()
    with project.watching():
        project.look()
        assert project.touched() == []
        os.link(first, project.root / "b" / "same")
        project.look()
        with (project.root / "b" / "same").open("a") as file:
            file.write("more\n")
        assert project.touched() is None
        assert seen(project.look()) == {b"a/one": b"file", b"b/same": b"file"}
        (project.root / "b" / "same").unlink()
        project.look()
        assert project.touched() is not None


def test_other_names_in_counted_folders_do_not_matter(project: Watched) -> None:
    stored = project.root.parent / "store"
    stored.write_text("package\n")
    project.put("a/one")
    project.look()
    with project.watching():
        project.look()
        (project.root / "node_modules" / "p").mkdir(parents=True)
        os.link(stored, project.root / "node_modules" / "p" / "index.js")
        project.look()
        assert project.touched() is not None


def test_all_is_looked_at_now_and_then(project: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    project.put("a/one")
    project.look()
    with project.watching():
        project.look()
        assert project.touched() == []
        monkeypatch.setattr(touched_folders, "FULL_LOOK_NS", 0)
        assert project.touched() is None


def test_another_folder_in_the_projects_place(project: Watched) -> None:
    project.put("a/one")
    project.look()
    with project.watching() as thread:
        project.look()
        project.root.rename(project.root.parent / "moved")
        project.put("a/one", "another\n")
        thread.join(PATIENCE_SECONDS)  # there is nothing left that it could watch
        assert not thread.is_alive()
        assert project.touched() is None
        assert seen(project.look()) == {b"a/one": b"file"}


@pytest.mark.parametrize("said", [b"", b"nonsense", b"ready\n"])
def test_whatever_stands_in_the_folder_without_a_lock_counts_for_nothing(
    project: Watched, said: bytes
) -> None:
    project.put("a/one")
    project.look()
    (project.state / "watch" / "lock").write_bytes(said)
    (project.state / "watch" / "ask-1-2-3-4").write_bytes(b"nonsense")
    assert project.touched() is None
    with project.watching():
        project.look()
        assert project.touched() == []
        assert project.questions() == []


def test_nobody_is_asked_before_everything_is_watched(
    project: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.put("a/one")
    project.look()
    state = os.fsencode(project.state)
    begin, is_asked = TreeWatcher.begin, []

    def beginning(self: TreeWatcher) -> None:
        is_asked.append(touched_folders.is_watched(state))
        begin(self)
        is_asked.append(touched_folders.is_watched(state))

    monkeypatch.setattr(TreeWatcher, "begin", beginning)
    with project.watching():
        assert is_asked == [False, False]
        project.look()
        assert project.touched() == []


def test_a_hook_that_asked_the_watcher_before_is_answered_by_the_next(project: Watched) -> None:
    project.put("a/one")
    project.look()
    root, state = os.fsencode(project.root), os.fsencode(project.state)
    fcntl.flock(project.lock, fcntl.LOCK_EX)
    question = touched_folders.Question(root, state, project.index().watch, 0)
    fcntl.flock(project.lock, fcntl.LOCK_UN)
    watcher = TreeWatcher(root, state)
    watcher.begin()
    said = question.answer()
    assert said is not None
    assert said.folders is None
    assert project.questions() == []
    question.close()
    watcher.close()


@pytest.mark.parametrize(
    "said",
    [
        None,
        ("blueline-touched 0", 1, 2, b"w", 1, []),
        ("blueline-touched 1", 1, 3, b"w", 1, []),
        ("blueline-touched 1", 1, 2, "w", 1, []),
        ("blueline-touched 1", 1, 2, b"w", 1, ["a"]),
        ("blueline-touched 1", 1, 2, b"w", 1, b"a"),
    ],
)
def test_an_answer_that_is_none_is_not_believed(said: Any) -> None:
    assert touched_folders.read_answer(marshal.dumps(said), (1, 2)) is None


@pytest.mark.parametrize("said", [b"", b"\xff" * 40])
def test_what_is_no_value_is_no_answer(said: bytes) -> None:
    assert touched_folders.read_answer(said, (1, 2)) is None


def test_what_does_not_come_from_this_kernel_is_not_watched(
    project: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tree_watcher.is_local(os.fsencode(project.root))
    monkeypatch.setattr(tree_watcher, "LOCAL", frozenset())
    watcher = TreeWatcher(os.fsencode(project.root), os.fsencode(project.state))
    with pytest.raises(tree_watcher.CannotWatch):
        watcher.begin()
    watcher.close()
    tree_watcher.tell_hooks(project.root, project.state, threading.Event())  # ends


PROGRAM = """
import sys, threading
from pathlib import Path
from blueline.workspace import tree_watcher
tree_watcher.tell_hooks(Path(sys.argv[1]), Path(sys.argv[2]), threading.Event())
"""


@contextmanager
def apart(project: Watched) -> Iterator[subprocess.Popen[bytes]]:
    """Somebody watches in a process of its own."""
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(project.root), str(project.state)])
    try:
        wait_until(lambda: touched_folders.is_watched(os.fsencode(project.state)))
        yield process
    finally:
        process.kill()
        process.wait()


def test_of_two_that_stay_one_watches_and_the_other_takes_over_when_it_is_killed(project: Watched) -> None:
    project.put("a/one")
    project.look()
    with apart(project) as first, apart(project):
        project.look()
        watched_by = project.index().watch[0]
        project.look()
        assert project.index().watch[0] == watched_by
        first.kill()
        first.wait()
        project.put("a/one", "changed\n")
        wait_until(lambda: touched_folders.is_watched(os.fsencode(project.state)))
        assert project.touched() is None
        assert seen(project.look()) == {b"a/one": b"file"}
        assert project.index().watch[0] != watched_by
        assert project.touched() == []


def test_a_watcher_that_stands_still_is_not_waited_for(
    project: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.put("a/one")
    project.look()
    with apart(project) as process:
        project.look()
        assert project.touched() == []
        process.send_signal(signal.SIGSTOP)
        project.put("a/one", "changed\n")
        monkeypatch.setattr(touched_folders, "PATIENCE_NS", 10**6)
        assert project.touched() is None
        assert seen(project.look()) == {b"a/one": b"file"}
        assert project.questions() == []
        process.send_signal(signal.SIGCONT)
        monkeypatch.setattr(touched_folders, "PATIENCE_NS", PATIENT)
        project.put("a/one", "once more\n")
        assert project.touched() == [b"a"]
        assert seen(project.look()) == {b"a/one": b"file"}


def test_a_look_asks_before_it_does_anything_else_and_takes_back_what_it_does_not_wait_for(
    project: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.put("a/one")
    project.look()
    asked: list[str] = []

    def fails(_: capture.Capture) -> list[bytes]:
        asked.extend(project.questions())
        raise capture.CannotLook

    monkeypatch.setattr(capture.Capture, "_who", fails)
    with project.watching():
        with pytest.raises(capture.CannotLook):
            project.look()
        assert len(asked) == 1
        assert project.questions() == []


def test_killed_at_any_time_nothing_is_missed(project: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        project.put(f"d{number}/file")
    project.look()
    monkeypatch.setattr(touched_folders, "PATIENCE_NS", 2 * 10**9)
    chance = random.Random(5)
    for _ in range(4):
        with apart(project) as process:
            project.look()
            killer = threading.Timer(chance.random() * 0.05, process.kill)
            killer.start()
            for number in range(8):
                project.put(f"d{chance.randrange(40)}/file", f"{number} {chance.random()}\n")
                project.look()
                assert states(project.index()) == states(project.full())
            killer.join()
