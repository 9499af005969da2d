"""One repository with several work trees: what a conversation does is recorded where it does it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import interpret
from blueline.desk import Desk, state_folder
from blueline.hook import worktrees
from tests.support.home import environment
from tests.support.hook_process import command as hook_command


class Trees:
    """A project, a work tree inside it, and one beside it."""

    def __init__(self, base: Path) -> None:
        self.main, self.inner, self.beside = (
            base / "main",
            base / "main/.claude/worktrees/w1",
            base / "beside",
        )
        home = base / "home"
        home.mkdir()
        self.main.mkdir()
        self.environ = {"PATH": os.environ["PATH"], **environment(home)}
        (self.main / "a.md").write_text("one\ntwo\n")
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
        state_folder.create(self.main, self.environ)
        self.calls = 0

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.main, env=self.environ, check=True, capture_output=True)

    def hook(self, name: str, **fields: object) -> int:
        common = {"session_id": "s", "cwd": str(self.main), "hook_event_name": name, **fields}
        done = subprocess.run(
            ["sh", "-c", hook_command()],
            cwd=self.main,
            env={**self.environ, "CLAUDE_PROJECT_DIR": str(self.main)},
            input=json.dumps(common).encode(),
            check=False,
        )
        return done.returncode

    def call(self, tool: str, given: dict[str, object], act: Callable[[], object], **fields: object) -> int:
        self.calls += 1
        about = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self.calls}", **fields}
        code = self.hook("PreToolUse", **about)
        if code == 0:
            act()
            self.hook("PostToolUse", tool_response={}, **about)
        return code

    def edit(self, path: Path) -> int:
        given: dict[str, object] = {"file_path": str(path), "old_string": "two", "new_string": "TWO"}
        return self.call("Edit", given, lambda: path.write_text(path.read_text().replace("two", "TWO")))

    def shell(self, command: str, cwd: Path | None = None) -> None:
        def act() -> None:
            subprocess.run(command, shell=True, cwd=cwd or self.main, env=self.environ, check=True)

        assert self.call("Bash", {"command": command}, act, cwd=str(cwd or self.main)) == 0

    def listed(self, root: Path) -> list[Any]:
        with Desk.open(root, environ=self.environ, interpret=interpret) as desk:
            return [*desk.list()["hunks"]]

    def turns(self, root: Path) -> list[Any]:
        with Desk.open(root, environ=self.environ, interpret=interpret) as desk:
            return [*desk.list(by="turn", status="all")["turns"]]


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    found = Trees(tmp_path.resolve())
    found.git("worktree", "add", "-q", "--detach", str(found.inner))
    found.git("worktree", "add", "-q", "--detach", str(found.beside))
    return found


def paths(hunks: list[Any]) -> list[str]:
    return [hunk["path"] for hunk in hunks]


def test_all_work_trees_of_a_repository_are_known_from_each_of_them(trees: Trees) -> None:
    every = {os.fsencode(tree) for tree in (trees.main, trees.inner, trees.beside)}
    for tree in every:
        assert {*worktrees.others(tree)} == every - {tree}


def test_a_work_tree_that_a_command_makes_is_one_line(tmp_path: Path) -> None:
    t = Trees(tmp_path.resolve())
    t.hook("UserPromptSubmit", prompt="make one")
    t.shell("git worktree add -q --detach .claude/worktrees/w1")
    assert t.listed(t.main) == []
    with Desk.open(t.main, environ=t.environ, interpret=interpret) as desk:
        (call,) = desk.list(by="call", status="all")["calls"]
        assert call["about"]["counted"] == [[".claude/worktrees/w1", 0, 1]]
        desk.decide("reject", [], everything=True)
    assert (t.inner / "a.md").read_text() == "one\ntwo\n"
    # It is a project of its own from the first call on that has to do with it.
    t.edit(t.inner / "a.md")
    assert paths(t.listed(t.inner)) == ["a.md"]
    assert [turn["prompt"] for turn in t.turns(t.inner)] == ["make one"]


@pytest.mark.parametrize("where", ["inner", "beside"])
def test_an_edit_in_another_work_tree_is_listed_there(trees: Trees, where: str) -> None:
    tree: Path = getattr(trees, where)
    trees.hook("UserPromptSubmit", prompt="do it over there")
    assert trees.edit(tree / "a.md") == 0
    assert (trees.listed(trees.main), paths(trees.listed(tree))) == ([], ["a.md"])
    trees.edit(trees.main / "a.md")
    trees.hook("Stop", stop_hook_active=False)
    assert (paths(trees.listed(trees.main)), paths(trees.listed(tree))) == (["a.md"], ["a.md"])
    (turn,) = trees.turns(tree)
    assert (turn["prompt"], turn["ended"] is not None) == ("do it over there", True)
    with Desk.open(tree, environ=trees.environ, interpret=interpret) as desk:
        desk.decide("reject", ["t1"])
    assert (tree / "a.md").read_text() == "one\ntwo\n"
    assert (trees.main / "a.md").read_text() == "one\nTWO\n"


@pytest.mark.parametrize(
    ("command", "inside"),
    [
        ("sed -i s/two/TWO/ .claude/worktrees/w1/a.md; echo new > .claude/worktrees/w1/new.md", False),
        ("cd .claude/worktrees/w1 && sed -i s/two/TWO/ a.md && echo new > new.md", False),
        ("sed -i s/two/TWO/ a.md; echo new > new.md", True),
    ],
    ids=["names its files", "goes there", "runs there"],
)
def test_a_command_in_another_work_tree_is_listed_there(trees: Trees, command: str, inside: bool) -> None:
    trees.hook("UserPromptSubmit", prompt="there")
    trees.shell(command, trees.inner if inside else None)
    assert sorted(paths(trees.listed(trees.inner))) == ["a.md", "new.md"]
    assert (trees.listed(trees.main), trees.listed(trees.beside) if _is_known(trees) else []) == ([], [])


def _is_known(trees: Trees) -> bool:
    """Whether anything was written down of the work tree that nobody had to do with."""
    states = Path(trees.environ["XDG_STATE_HOME"]) / "blueline"
    return any((state / "root").read_bytes() == os.fsencode(trees.beside) for state in states.iterdir())


def test_a_work_tree_that_a_command_has_nothing_to_do_with_is_left_alone(trees: Trees) -> None:
    trees.hook("UserPromptSubmit", prompt="here")
    trees.shell("sed -i s/two/TWO/ a.md")
    assert paths(trees.listed(trees.main)) == ["a.md"]
    assert not _is_known(trees)


def test_hold_in_the_other_work_tree_counts_there(trees: Trees) -> None:
    trees.edit(trees.beside / "a.md")
    with Desk.open(trees.beside, environ=trees.environ, interpret=interpret) as desk:
        desk.decide("reject", [], everything=True)
        desk.set_mode("hold")
    assert trees.edit(trees.beside / "a.md") == 2
    (hunk,) = trees.listed(trees.beside)
    assert hunk["held"]
    assert trees.edit(trees.main / "a.md") == 0
