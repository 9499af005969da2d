"""The gate where `ship` is not used: git's own hooks, and the pre-commit framework's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gate.yard import Yard

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hooked(yard: Yard) -> Yard:
    said = yard.run("init", "--agent", "claude-code", "--git-hooks", "--json")
    assert [hook["name"] for hook in said.document["git_hooks"]] == ["pre-commit", "pre-push"]
    yard.git("add", "-A")
    yard.git("commit", "-q", "--no-verify", "-m", "with Claude Code's files")
    yard.git("push", "-q", "--no-verify")
    return yard


def git(yard: Yard, *words: str) -> subprocess.CompletedProcess[str]:
    # The hook starts the interpreter of these tests, which finds the package where it was installed from.
    return subprocess.run(
        ["git", *words],
        cwd=yard.root,
        env={**yard.project.environ, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_commit_and_a_push_go_through_the_gate_or_not_at_all(hooked: Yard) -> None:
    before = hooked.there()
    hooked.put("a.md", "two\n")
    hooked.git("add", "-A")
    done = git(hooked, "commit", "-qm", "unreviewed")
    assert done.returncode != 0
    assert "no review has been run" in done.stderr
    assert "to do: run: blueline review" in done.stderr
    hooked.git("commit", "-q", "--no-verify", "-m", "unreviewed")
    done = git(hooked, "push", "-q")
    assert done.returncode != 0
    assert hooked.there() == before
    hooked.open()
    assert git(hooked, "push", "-q").returncode == 0
    assert hooked.there() == hooked.git("rev-parse", "HEAD").strip()


def test_qg14_the_hook_asks_about_what_is_pushed(hooked: Yard) -> None:
    hooked.put("a.md", "two\n")
    hooked.open()
    assert git(hooked, "commit", "-qam", "reviewed").returncode == 0
    reviewed = hooked.git("rev-parse", "HEAD").strip()
    hooked.put("a.md", "three\n")
    hooked.git("commit", "-q", "--no-verify", "-am", "not reviewed")
    assert git(hooked, "push", "-q", "origin", "HEAD:main").returncode != 0
    assert git(hooked, "push", "-q", "origin", f"{reviewed}:refs/heads/main").returncode == 0
    # To delete a branch brings no bytes.
    hooked.git("push", "-q", "--no-verify", "origin", f"{reviewed}:refs/heads/old")
    assert git(hooked, "push", "-q", "origin", ":old").returncode == 0


def test_a_part_of_what_was_reviewed_can_be_committed(hooked: Yard) -> None:
    hooked.put("a.md", "two\n")
    hooked.put("b.md", "new\n")
    hooked.open()
    assert git(hooked, "commit", "-qm", "a part", "a.md").returncode == 0
    hooked.git("add", "b.md")
    hooked.put("b.md", "changed since\n")
    # What is staged was reviewed, what is in the work tree was not.
    assert git(hooked, "commit", "-qm", "the rest").returncode == 0
    hooked.git("add", "b.md")
    done = git(hooked, "commit", "-qm", "unreviewed")
    assert done.returncode != 0
    assert "b.md" in done.stderr


def test_hooks_that_were_there_still_run_and_come_back(yard: Yard) -> None:
    hooks = yard.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "pre-push"):
        (hooks / name).write_text(
            f"#!/bin/sh\ncat > {yard.root}/out/{name}\nexit $(cat {yard.root}/out/code)\n"
        )
        (hooks / name).chmod(0o755)
    before = {path.name: path.read_bytes() for path in hooks.iterdir()}
    yard.put("out/code", "0\n")
    assert yard.run("init", "--agent", "claude-code", "--git-hooks").code == 0
    assert "found" in yard.run("init", "--agent", "claude-code", "--git-hooks").out
    yard.put("a.md", "two\n")
    yard.open()
    yard.git("add", "-A")
    assert git(yard, "commit", "-qm", "two").returncode == 0
    assert git(yard, "push", "-q").returncode == 0
    assert yard.project.text("out/pre-push").split()[2] == "refs/heads/main"
    yard.put("out/code", "7\n")
    assert git(yard, "commit", "-q", "--allow-empty", "-m", "x").returncode != 0
    yard.run("init", "--uninstall")
    assert {path.name: path.read_bytes() for path in hooks.iterdir()} == before


def test_another_folder_for_hooks_is_respected(yard: Yard, tmp_path: Path) -> None:
    yard.git("config", "core.hooksPath", str(tmp_path / "hooks"))
    yard.run("init", "--agent", "claude-code", "--git-hooks")
    assert (tmp_path / "hooks" / "pre-push").exists()
    assert git(yard, "commit", "-q", "--allow-empty", "-m", "x").returncode == 0
    assert git(yard, "push", "-q").returncode != 0
    yard.run("init", "--uninstall")
    assert list((tmp_path / "hooks").iterdir()) == []


def test_without_blueline_the_hook_refuses(hooked: Yard) -> None:
    place = hooked.root / ".git" / "hooks" / "pre-push"
    place.write_text(place.read_text().replace(sys.executable, "/nowhere/python"))
    done = git(hooked, "push", "-q", "origin", "HEAD:refs/heads/new")
    assert done.returncode != 0
    assert "cannot be asked" in done.stderr


def test_the_frameworks_push_names_its_commit_in_the_environment(yard: Yard) -> None:
    yard.put("a.md", "two\n")
    yard.commit("more")
    said = yard.run("gate", "hook", "pre-push", PRE_COMMIT_TO_REF="HEAD")
    assert (said.code, "closed" in said.err) == (1, True)
    yard.open()
    assert yard.run("gate", "hook", "pre-push", PRE_COMMIT_TO_REF="HEAD").code == 0


def test_the_manifest_names_commands_that_are_there() -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    assert "entry: blueline gate hook pre-commit" in text
    assert "entry: blueline gate hook pre-push" in text
