from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.diff.unified import PatchSide, unified
from tests.support.texts import TEXTS

FILE, PROGRAM = 0o100644, 0o100755
NAMES = (
    "a.md",
    "with space.md",
    "quote'\".md",
    "tab\tname",
    "ümläut",
    "new\nline",
    "back\\slash",
    "-dash",
    "d/e/f",
)


def git_applies(folder: Path, old: PatchSide, new: PatchSide) -> None:
    """Git itself, given the one side and the patch, makes the other."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if old.mode:
        source = folder / old.path
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_bytes((old.text or "").encode())
        source.chmod(old.mode & 0o777)
    git = ["git", "-c", "core.fileMode=true", "apply", "--whitespace=nowarn", "-"]
    done = subprocess.run(git, cwd=folder, input=unified(old, new).encode(), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    assert {*found} == ({new.path} if new.mode else set())
    if new.mode:
        assert found[new.path].read_bytes() == (new.text or "").encode()
        assert bool(found[new.path].stat().st_mode & 0o100) == (new.mode == PROGRAM)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("patches") / "project"


@given(TEXTS, TEXTS, st.sampled_from(NAMES))
def test_git_makes_the_new_text_of_the_old(folder: Path, old: str, new: str, name: str) -> None:
    if old != new:
        git_applies(folder, PatchSide(name, old, FILE), PatchSide(name, new, FILE))


@settings(max_examples=20)
@given(TEXTS, st.sampled_from(NAMES))
def test_git_makes_and_removes_files(folder: Path, text: str, name: str) -> None:
    git_applies(folder, PatchSide(name, "", 0), PatchSide(name, text, FILE))
    git_applies(folder, PatchSide(name, text, FILE), PatchSide(name, "", 0))


@settings(max_examples=20)
@given(TEXTS, TEXTS, st.permutations(NAMES))
def test_git_renames_and_changes_modes(folder: Path, old: str, new: str, names: list[str]) -> None:
    git_applies(folder, PatchSide(names[0], old, FILE), PatchSide(names[1], new, PROGRAM))


def test_equal_sides_are_no_patch() -> None:
    assert unified(PatchSide("a", "x\n", FILE), PatchSide("a", "x\n", FILE)) == ""


def test_bytes_that_are_not_text_are_named_only() -> None:
    patch = unified(PatchSide("a", None, FILE), PatchSide("a", None, PROGRAM))
    assert patch.endswith("Binary files a/a and b/a differ\n")
