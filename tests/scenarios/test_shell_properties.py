"""Random trees, random commands: to reject gives back what was there, to accept changes nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.workspace.open_folders import above
from tests.support.asking import answering
from tests.support.ground import remove
from tests.support.orders import reject_one_by_one
from tests.support.project import Project

PATHS = (
    "a.md",
    "b.md",
    "run.sh",
    ".env",
    "d/a.md",
    "d/b.md",
    "d/e/c.md",
    "d/e/f/g.md",
    "new/h.md",
    "bin",
    "d",
    "d/e",
)
MINE = ("mine.md", "own/mine.md", "d/mine.md", "new/mine.md")
CONTENTS = (
    b"",
    b"one\n",
    b"one\ntwo\nthree\nfour\n",
    b"one\nTWO\nthree\nfour\n",
    b"five\nsix\r\nseven",
    b"\0\1\2",
    b"\0\1\3\xff",
    "\u00e4\u00f6\n".encode(),
    b"\xff\xfe not text\n",
)
MODES = (0o644, 0o755, 0o600)


class Act(NamedTuple):
    """One thing that somebody does to the tree."""

    what: str
    path: str
    other: str
    content: bytes
    mode: int


def acts(
    *what: str, paths: tuple[str, ...] = PATHS, modes: tuple[int, ...] = MODES
) -> st.SearchStrategy[Act]:
    path, content = st.sampled_from(paths), st.sampled_from(CONTENTS)
    return st.builds(Act, st.sampled_from(what), path, path, content, st.sampled_from(modes))


def do(root: Path, act: Act) -> None:
    """Do it, if it can be done; nothing else is put out of the way."""
    what, path, other, content, mode = act
    place, second = root / path, root / other
    is_file = place.is_file() and not place.is_symlink()
    is_folder = place.is_dir() and not place.is_symlink()
    match what:
        case "write" if not is_folder and not place.is_symlink() and room(root, path):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        case "append" if is_file:
            place.write_bytes(place.read_bytes() + content)
        case "remove" if os.path.lexists(place):
            remove(place)
        case "move" if os.path.lexists(place) and not os.path.lexists(second) and room(root, other):
            if not f"{other}/".startswith(f"{path}/"):
                second.parent.mkdir(parents=True, exist_ok=True)
                place.rename(second)
        case "copy" if is_file and not os.path.lexists(second) and room(root, other):
            second.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(place, second)
        case "mode" if is_file:
            place.chmod(mode)
        case "mkdir" if not os.path.lexists(place) and room(root, path):
            place.mkdir(parents=True)
        case "rmdir" if is_folder and not any(place.iterdir()):
            place.rmdir()
        case "link" if not is_folder and room(root, path):
            place.parent.mkdir(parents=True, exist_ok=True)
            remove(place)
            place.symlink_to(other)
        case _:
            pass


def room(root: Path, path: str) -> bool:
    """Whether all on the way to a path is a folder, or could be one."""
    above = [root.joinpath(*path.split("/")[:count]) for count in range(1, path.count("/") + 1)]
    return not any(place.is_symlink() or (place.exists() and not place.is_dir()) for place in above)


EVERYTHING = ("write", "write", "append", "remove", "move", "move", "copy", "mode", "mkdir", "rmdir", "link")
TREES = st.lists(acts("write", "write", "mode", "mkdir", "link"), max_size=10)
CALLS = st.lists(st.lists(acts(*EVERYTHING), min_size=1, max_size=4), min_size=1, max_size=5)


@contextmanager
def projects() -> Iterator[Project]:
    with tempfile.TemporaryDirectory() as base, answering():
        yield Project(Path(base))


def call(p: Project, steps: list[Act], *, prune: bool = False) -> None:
    """The agent's shell does something; with `prune`, it leaves no empty folder behind."""
    begun = p.begin_bash()
    for act in steps:
        do(p.root, act)
    if prune:
        for here, folders, names in os.walk(p.root, topdown=False):
            if ".git" not in here.split("/") and not folders + names:
                os.removedirs(here)
    p.end(begun)


def check_decisions(p: Project, before: dict[str, object], seed: int) -> None:
    """Everything is taken back at once, and bit by bit, and given back; then it is kept."""
    after, known = p.on_disk(), p.hunks(status="all")
    whole = p.decide("reject", [])
    assert whole["needs"] == []
    assert (p.on_disk(), p.hunks()) == (before, [])
    if whole["decision"]:
        p.undo(whole["decision"])
        assert p.on_disk() == after
        assert p.hunks(status="all") == known
    made = reject_one_by_one(p, seed)
    assert p.on_disk() == before
    for decision in reversed(made):
        p.undo(decision)
    assert p.on_disk() == after
    assert p.hunks(status="all") == known
    p.accept()
    assert (p.on_disk(), p.hunks()) == (after, [])


@settings(max_examples=max(40, settings().max_examples // 2))
@given(tree=TREES, calls=CALLS, git=st.booleans(), seed=st.integers(0, 99))
def test_r03_r04_what_the_agent_alone_did_comes_back_exactly(
    tree: list[Act], calls: list[list[Act]], git: bool, seed: int
) -> None:
    with projects() as p:
        for act in tree:
            do(p.root, act)
        if git:
            p.put(".gitignore", ".env\n")
            p.shell("git init -q && git add -A && git commit -qm start")
        before = p.on_disk()
        p.prompt()
        for number, steps in enumerate(calls):
            call(p, steps)
            if git and number % 2:
                p.shell("git add -A && git commit -qm more --allow-empty")
        check_decisions(p, before, seed)
        p.assert_sound()


@settings(max_examples=max(25, settings().max_examples // 3))
@given(
    tree=TREES,
    steps=st.lists(
        st.tuples(st.just("agent"), acts("write", "append", "remove", "copy", "mode", "mkdir", "link"))
        | st.tuples(st.just("person"), acts("write", "append", "remove", "mode", "link", paths=MINE))
        | st.tuples(st.sampled_from(("prompt", "look")), st.none()),
        min_size=2,
        max_size=14,
    ),
    seed=st.integers(0, 99),
)
def test_r03_what_is_left_is_what_the_person_alone_would_have(
    tree: list[Act], steps: list[tuple[str, Act | None]], seed: int
) -> None:
    """The person keeps to files of their own, which the agent leaves alone, in folders of both."""
    with projects() as p, tempfile.TemporaryDirectory() as other:
        for first in tree:
            do(p.root, first)
        alone = Path(other) / "project"
        shutil.copytree(p.root, alone, symlinks=True)
        agents: set[str] = set()
        """Folders that were there already when the person wrote into them, and alone would not have been."""
        p.prompt()
        for who, act in steps:
            if who == "prompt":
                p.prompt()
            if who == "look":
                p.hunks()
            if act is None:
                continue
            if who == "agent" and not holds_mine(p.root / act.path):
                call(p, [act])
            elif who == "person" and room(alone, act.path) and room(p.root, act.path):
                agents |= {one for one in above(act.path) if (p.root / one).is_dir() > (alone / one).is_dir()}
                do(p.root, act)
                do(alone, act)
        after = p.on_disk()
        reject_one_by_one(p, seed)
        for folder in sorted(agents, reverse=True):
            if (alone / folder).is_dir() and not any((alone / folder).iterdir()):
                (alone / folder).rmdir()
        here, p.root = p.root, alone
        expected = p.on_disk()
        p.root = here
        assert p.on_disk() == expected
        assert {path: held for path, held in after.items() if path in MINE} == {
            path: held for path, held in expected.items() if path in MINE
        }


def holds_mine(place: Path) -> bool:
    """Whether a person's file stands below, which the agent would remove with the folder."""
    return (
        place.is_dir()
        and not place.is_symlink()
        and any(found.name == "mine.md" for found in place.rglob("*"))
    )


GIT = ("commit", "commit", "branch", "stash and pop", "away", "away in two", "reset and back")


def but_for_commits(p: Project) -> list[dict[str, object]]:
    """What is undecided, whether a person has committed it or not (rule D3)."""
    return [{**hunk, "committed": None} for hunk in p.hunks()]


@settings(max_examples=max(15, settings().max_examples // 4))
@given(
    tree=st.lists(acts("write", "write", "mode", modes=(0o644, 0o755)), min_size=1, max_size=8),
    calls=st.lists(
        st.sampled_from(GIT)
        | st.lists(
            acts("write", "append", "remove", "copy", "mode", "link", modes=(0o644, 0o755)),
            min_size=1,
            max_size=3,
        ),
        min_size=2,
        max_size=7,
    ),
    seed=st.integers(0, 99),
    by_person=st.booleans(),
)
def test_z29_whatever_git_does_in_between(
    tree: list[Act], calls: list[str | list[Act]], seed: int, by_person: bool
) -> None:
    """Commits, branches, stashes: whoever goes away comes back, and then everything is as it was."""
    with projects() as p:
        for act in tree:
            do(p.root, act)
        p.put(".gitignore", ".env\n")
        p.shell("git init -q -b start && git add -A && git commit -qm start && git checkout -qb work")
        before = p.on_disk()
        p.prompt()
        run = p.shell if by_person else p.bash
        for number, what in enumerate(calls):
            if not isinstance(what, str):
                call(p, what, prune=True)  # as git does, whenever it gets the chance
                continue
            known, there = but_for_commits(p), p.on_disk()
            if what == "stash and pop":
                run("git stash -qu && (git stash pop -q || true)" if dirty(p) else "true")
            elif what == "branch":
                run(f"git checkout -qb b{number}")
            else:
                run("git add -A && git commit -qm more --allow-empty")
                there = p.on_disk()
            if what == "away":
                run("git checkout -q start && git checkout -q -")
            elif what == "away in two":
                run("git checkout -q start")
                run("git checkout -q -")
            elif what == "reset and back":
                run("git branch -f keep && git reset -q --hard start")
                run("git reset -q --hard keep")
            assert p.on_disk() == there
            assert but_for_commits(p) == known
        check_decisions(p, before, seed)


def dirty(p: Project) -> bool:
    return bool(p.git("status", "--porcelain"))
