"""Settings of one machine are not offered to git."""

import subprocess
from pathlib import Path

import pytest

from blueline.adapters import claude_code, git_exclude


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "project"
    found.mkdir()
    git(found, "init", "-q")
    return found


def test_hooks_of_one_machine_are_kept_out_of_commits_until_they_go(root: Path, tmp_path: Path) -> None:
    before = (root / ".git/info/exclude").read_bytes()
    state = tmp_path / "state"
    state.mkdir()
    claude_code.install(root, state)
    assert claude_code.settings(root).exists()
    assert git(root, "status", "--porcelain", "-uall") == ""
    claude_code.install(root, state)
    assert (root / ".git/info/exclude").read_bytes().count(git_exclude.WHY) == 1
    claude_code.uninstall(root, state)
    assert (root / ".git/info/exclude").read_bytes() == before


@pytest.mark.parametrize("start", [None, b"", b"*.log", b"*.log\n"])
def test_lines_of_others_stay(root: Path, start: bytes | None) -> None:
    exclude = root / ".git/info/exclude"
    exclude.unlink()
    if start is None:
        exclude.parent.rmdir()
    else:
        exclude.write_bytes(start)
    git_exclude.exclude(root, root / "a b.json")
    (root / "a b.json").write_text("{}")
    (root / "x.log").write_text("")
    assert git(root, "status", "--porcelain") == ("" if start else "?? x.log\n")
    git_exclude.include(root, root / "a b.json")
    assert exclude.read_bytes().strip() == (start or b"").strip()


def test_a_work_tree_of_its_own(root: Path, tmp_path: Path) -> None:
    git(
        root,
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "a",
    )
    git(root, "worktree", "add", "-q", str(tmp_path / "other"))
    (tmp_path / "other/x.json").write_text("{}")
    git_exclude.exclude(tmp_path / "other", tmp_path / "other/x.json")
    assert git(tmp_path / "other", "status", "--porcelain") == ""


def test_no_file_is_written_where_no_repository_is(tmp_path: Path) -> None:
    (tmp_path / "elsewhere/info").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    git_exclude.exclude(tmp_path / "project", tmp_path / "project/x")
    (tmp_path / "project/.git").write_text(f"gitdir: {tmp_path}/elsewhere\n")
    git_exclude.exclude(tmp_path / "project", tmp_path / "project/x")
    assert not list((tmp_path / "elsewhere/info").iterdir())


def test_nothing_is_written_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("mine\n")
    (root / ".git/info/exclude").unlink()
    (root / ".git/info/exclude").symlink_to(tmp_path / "target")
    git_exclude.exclude(root, root / "x")
    git_exclude.include(root, root / "x")
    assert (tmp_path / "target").read_text() == "mine\n"
