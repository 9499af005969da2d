"""What would ship: the tree that reviews and the gate speak of."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.gate.yard import Make, Yard


@pytest.mark.parametrize(
    "change",
    [
        "chmod +x a.md",
        "rm a.md",
        "touch new",
        "mv a.md b.md",
        "ln -sf a.md link",
        "printf 'one' > a.md",
        "printf 'one\\r\\n' > a.md",
        "git rm -q --cached a.md && echo a.md >> .gitignore",
    ],
)
def test_any_change_of_what_would_ship_closes_it(yard: Yard, change: str) -> None:
    yard.open()
    yard.project.shell(change)
    assert yard.codes() == ["stale-review"]


def test_a_change_of_what_git_ignores_does_not_ship(yard: Yard) -> None:
    yard.open()
    yard.put("out/built", "anything")
    assert yard.gate()["open"]


def test_qg4_a_rebase_with_identical_bytes_does_not_close_it(yard: Yard) -> None:
    yard.put("b.md", "two\n")
    yard.commit("second")
    yard.open()
    before = yard.git("rev-parse", "HEAD")
    yard.git("checkout", "-q", "-b", "other", "HEAD~1")
    yard.commit("a commit without content")
    yard.git("checkout", "-q", "main")
    yard.git("rebase", "-q", "other")
    assert yard.git("rev-parse", "HEAD") != before
    assert yard.gate()["open"]


def test_qg4_a_rebase_onto_other_bytes_closes_it(yard: Yard) -> None:
    yard.put("b.md", "two\n")
    yard.commit("second")
    yard.open()
    yard.git("checkout", "-q", "-b", "other", "HEAD~1")
    yard.put("c.md", "from elsewhere\n")
    yard.commit("third")
    yard.git("checkout", "-q", "main")
    yard.git("rebase", "-q", "other")
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["about"]) == ("stale-review", ["c.md"])


def test_qg6_amend_squash_cherry_pick_and_merge_give_the_same_answer(yard: Yard) -> None:
    yard.put("b.md", "two\n")
    yard.open()
    yard.commit("second")
    assert yard.gate()["open"]
    yard.git("commit", "-q", "--amend", "--no-verify", "-m", "another message")
    assert yard.gate()["open"]
    tip = yard.git("rev-parse", "HEAD").strip()
    yard.git("reset", "-q", "--hard", "HEAD~1")
    assert yard.codes() == ["stale-review"]
    yard.git("cherry-pick", tip)
    assert yard.gate()["open"]
    yard.git("reset", "-q", "--hard", "HEAD~1")
    yard.git("merge", "-q", "--no-ff", "-m", "merged", tip)
    assert yard.gate()["open"]
    assert yard.gate("--commit", tip)["open"]


def test_qg16_a_submodule_pointer_is_content(yard: Yard, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    subprocess.run(["git", "init", "-q", str(inner)], check=True)
    commit = ["git", "-C", str(inner), "commit", "-q", "--allow-empty", "-m"]
    subprocess.run([*commit, "one"], check=True)
    yard.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    yard.commit("with a submodule")
    yard.open()
    subprocess.run(
        ["git", "-C", str(yard.root / "sub"), "commit", "-q", "--allow-empty", "-m", "x"], check=True
    )
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["about"]) == ("stale-review", ["sub"])


def test_qg16_a_submodule_with_changes_of_its_own_is_incomplete(yard: Yard, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    subprocess.run(["git", "init", "-q", str(inner)], check=True)
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    (inner / "x.c").write_text("one\n")
    subprocess.run(["git", "-C", str(inner), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(inner), *identity, "commit", "-qm", "1"], check=True)
    yard.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    yard.commit("with a submodule")
    yard.open()
    for path, text in (("sub/x.c", "two\n"), ("sub/new.c", "new\n")):
        yard.put(path, text)
        (reason,) = yard.gate()["reasons"]
        assert (reason["code"], reason["about"]) == ("incomplete", ["sub"])
        assert yard.run("ship", "--json").code == 10
        yard.git("-C", "sub", "clean", "-qfd")
        yard.git("-C", "sub", "checkout", "-q", ".")
        assert yard.gate()["open"]
    # One that nobody has fetched holds nothing that could be forgotten.
    yard.git("submodule", "--quiet", "deinit", "-f", "sub")
    assert yard.gate()["open"]


@pytest.mark.parametrize("path", ["package-lock.json", "vendor/x.c", "big.bin"])
def test_qg16_lock_files_and_vendored_folders_are_content(yard: Yard, path: str) -> None:
    yard.put(path, "version https://git-lfs.github.com/spec/v1\noid sha256:00\n")
    yard.commit("more")
    yard.open()
    yard.put(path, "version https://git-lfs.github.com/spec/v1\noid sha256:01\n")
    (reason,) = yard.gate()["reasons"]
    assert reason["about"] == [path]


def test_qg19_what_is_ignored_and_shipped_counts_where_the_config_says_so(make: Make) -> None:
    yard = make(
        '[review]\nshipped = ["out"]\n' + "".join(f'[review.loops.{n}]\ncommands=["true"]\n' for n in "1234")
    )
    yard.put("out/image", "one")
    yard.open()
    yard.put("out/image", "two")
    assert yard.codes() == ["stale-review"]


def test_a_project_outside_of_git_has_a_tree_of_its_own(make: Make) -> None:
    yard = make("")
    yard.project.shell("rm -rf .git")
    for n in "1234":
        assert yard.run("loop", "record", n, "--passed").code == 0
    assert yard.gate()["open"]
    yard.put("a.md", "two\n")
    assert yard.codes() == ["stale-review"]


@pytest.mark.parametrize("mark", ["assume-unchanged", "skip-worktree"])
def test_files_that_git_was_told_not_to_look_at_are_looked_at(yard: Yard, mark: str) -> None:
    yard.git("update-index", f"--{mark}", "a.md")
    yard.open()
    # What would be tested is on disk, and what would be shipped is not.
    yard.put("a.md", "good enough for the tests\n")
    assert yard.review().code == 0
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["about"]) == ("incomplete", ["a.md"])
    (yard.root / "a.md").unlink()
    assert "incomplete" not in yard.codes()


def test_a_project_in_a_folder_of_a_repository(yard: Yard, tmp_path: Path) -> None:
    # The repository begins above the project; what ships is all of it.
    outer = yard.root.parent
    yard.project.shell("rm -rf .git && rm -rf ../remote.git && git init -q -b main ..")
    (outer / ".gitignore").write_text("home/\n")
    (outer / "other.txt").write_text("beside the project\n")
    subprocess.run(["git", "add", "-A"], cwd=outer, check=True)
    subprocess.run(["git", "commit", "-qm", "all"], cwd=outer, check=True)
    yard.open()
    assert yard.gate("--commit", "HEAD")["open"]
    yard.project.prompt()
    yard.project.edit("a.md", "one", "ONE")
    assert yard.gate("--commit", "HEAD")["open"]
    subprocess.run(["git", "commit", "-qam", "undecided"], cwd=outer, check=True)
    assert "undecided" in yard.codes("--commit", "HEAD")
    yard.project.accept()
    assert yard.review("--scope", "a.md").code == 0
    (outer / "other.txt").write_text("changed\n")
    (reason,) = yard.gate()["reasons"]
    assert reason["about"] == ["other.txt"]
    assert yard.review().code == 0
    done = yard.run("ship", "--json", "--message", "all of it")
    assert done.code == 0, done
    assert (
        subprocess.run(["git", "status", "--short"], cwd=outer, capture_output=True, check=True).stdout == b""
    )
