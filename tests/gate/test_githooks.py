"""The gate where `ship` is not used: git's own hooks, and the pre-commit framework's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gate.yard import LOOPS, Yard, typed

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hooked(yard: Yard) -> Yard:
    said = yard.run("init", "--agent", "claude-code", "--git-hooks", "--json")
    assert [hook["name"] for hook in said.document["git_hooks"]] == [
        "pre-commit",
        "pre-merge-commit",
        "pre-push",
    ]
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


def test_every_commit_that_goes_out_is_asked_about(hooked: Yard) -> None:
    before = hooked.there()
    hooked.put("a.md", "a secret that goes out all the same\n")
    hooked.commit("unreviewed")
    between = hooked.git("rev-parse", "HEAD").strip()
    hooked.put("a.md", "two\n")
    hooked.open()
    assert git(hooked, "commit", "-qam", "reviewed").returncode == 0
    done = git(hooked, "push", "-q")
    assert (done.returncode != 0, hooked.there()) == (True, before)
    assert f"pre-push: commit {between[:12]}" in done.stderr
    # The commit itself, put right, is no longer in the way.
    hooked.git("reset", "-q", "--soft", "HEAD~2")
    assert git(hooked, "commit", "-qm", "in one").returncode == 0
    assert git(hooked, "push", "-q").returncode == 0


def test_parts_of_what_was_reviewed_go_out_one_by_one(hooked: Yard) -> None:
    hooked.put("a.md", "two\n")
    hooked.put("b.md", "new\n")
    hooked.open()
    for name in ("a.md", "b.md"):
        hooked.git("add", name)
        assert git(hooked, "commit", "-qm", name).returncode == 0
    # Other loops from now on; what was reviewed under the earlier ones was reviewed.
    hooked.configure(LOOPS.replace("! -e BROKEN-1", "! -e OTHER"))
    hooked.open()
    assert git(hooked, "commit", "-qam", "loops").returncode == 0
    assert git(hooked, "push", "-q").returncode == 0
    assert hooked.there() == hooked.git("rev-parse", "HEAD").strip()


def test_what_is_older_than_blueline_goes_out_unasked(yard: Yard, tmp_path: Path) -> None:
    for number in range(3):
        yard.put("a.md", f"{number}\n")
        yard.commit("before")
    assert yard.run("init", "--agent", "claude-code", "--git-hooks").code == 0
    yard.open()
    yard.git("add", "-A")
    assert git(yard, "commit", "-qm", "since").returncode == 0
    elsewhere = tmp_path / "new.git"
    subprocess.run(["git", "init", "-q", "--bare", str(elsewhere)], check=True)
    assert git(yard, "push", "-q", str(elsewhere), "HEAD:refs/heads/main").returncode == 0
    # What came since is asked about, wherever it goes.
    yard.put("a.md", "unreviewed\n")
    yard.commit("unreviewed")
    yard.put("a.md", "2\n")
    yard.commit("as it was")
    assert git(yard, "push", "-q", str(elsewhere), "HEAD:refs/heads/other").returncode != 0


def test_a_merge_is_asked_about(hooked: Yard) -> None:
    hooked.git("branch", "topic")
    hooked.put("b.md", "on main\n")
    hooked.open()
    hooked.git("add", "-A")
    assert git(hooked, "commit", "-qm", "on main").returncode == 0
    main = hooked.git("rev-parse", "HEAD").strip()
    hooked.git("checkout", "-q", "topic")
    hooked.put("c.md", "nobody looked at it\n")
    hooked.commit("unreviewed")
    hooked.git("checkout", "-q", "main")
    done = git(hooked, "merge", "-q", "--no-edit", "topic")
    assert (done.returncode != 0, hooked.git("rev-parse", "HEAD").strip()) == (True, main)
    assert "blueline: pre-merge-commit: commit" in done.stderr
    # The result can be reviewed as it stands, and committed.
    hooked.open()
    done = git(hooked, "commit", "-q", "--no-edit")
    assert done.returncode == 0, done.stderr
    assert git(hooked, "push", "-q").returncode == 0


def test_a_merge_of_what_others_have_brings_nothing_new(hooked: Yard, tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(hooked.remote), str(other)], check=True)
    for words in (
        ["config", "user.email", "o@example.org"],
        ["config", "user.name", "o"],
        ["commit", "-q", "--allow-empty", "-m", "nothing"],
    ):
        subprocess.run(["git", "-C", str(other), *words], check=True)
    (other / "theirs.md").write_text("theirs\n")
    subprocess.run(["git", "-C", str(other), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(other), "commit", "-qm", "theirs"], check=True)
    subprocess.run(["git", "-C", str(other), "push", "-q"], check=True)
    hooked.put("a.md", "two\n")
    hooked.open()
    assert git(hooked, "commit", "-qam", "ours").returncode == 0
    done = git(hooked, "pull", "-q", "--no-rebase", "--no-edit")
    assert done.returncode == 0, done.stderr
    # Both together are bytes that nobody has looked at yet.
    assert git(hooked, "push", "-q").returncode != 0
    hooked.open()
    assert git(hooked, "push", "-q").returncode == 0


def test_a_folder_of_hooks_for_several_repositories_is_asked_about(yard: Yard, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    yard.git("config", "core.hooksPath", str(hooks))
    said = yard.run("init", "--agent", "claude-code", "--git-hooks")
    assert (said.code, hooks.exists(), "--shared-hooks" in said.out) == (1, False, True)
    code, screen = typed(yard, "n\n", "init", "--agent", "claude-code", "--git-hooks")
    assert (code, hooks.exists(), str(hooks) in screen) == (1, False, True)
    assert yard.run("init", "--agent", "claude-code", "--git-hooks", "--shared-hooks").code == 0
    assert (hooks / "pre-push").exists()
    assert git(yard, "commit", "-q", "--allow-empty", "-m", "x").returncode == 0
    assert git(yard, "push", "-q").returncode != 0
    # Others may want them still.
    said = yard.run("init", "--uninstall")
    assert ((hooks / "pre-push").exists(), "--shared-hooks" in said.out) == (True, True)
    yard.run("init", "--uninstall", "--shared-hooks")
    assert list(hooks.iterdir()) == []


def test_a_folder_of_hooks_in_the_project_is_asked_about_unless_git_ignores_it(yard: Yard) -> None:
    yard.git("config", "core.hooksPath", ".hooks")
    assert yard.run("init", "--agent", "claude-code", "--git-hooks").code == 1
    yard.put(".gitignore", "out/\n.hooks/\n")
    assert yard.run("init", "--agent", "claude-code", "--git-hooks").code == 0
    assert (yard.root / ".hooks" / "pre-commit").exists()


def test_a_repository_without_blueline_is_let_pass(yard: Yard, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    yard.git("config", "core.hooksPath", str(hooks))
    assert yard.run("init", "--agent", "claude-code", "--git-hooks", "--shared-hooks").code == 0
    # One beside the project, and one in a folder of it, whose project is another repository's.
    for other in (tmp_path / "other", yard.root / "out" / "other"):
        subprocess.run(["git", "init", "-q", str(other)], check=True)
        (other / "a.md").write_text("one\n")
        for python in (sys.executable, "/nowhere/python"):
            for hook in hooks.iterdir():
                hook.write_text(hook.read_text().replace(sys.executable, python))
            words = ["-c", f"core.hooksPath={hooks}", "-C", str(other)]
            done = git(yard, *words, "add", "-A")
            done = git(yard, *words, "commit", "-q", "--allow-empty", "-m", "theirs")
            assert (done.returncode, done.stderr) == (0, "")
            for hook in hooks.iterdir():
                hook.write_text(hook.read_text().replace("/nowhere/python", sys.executable))


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
