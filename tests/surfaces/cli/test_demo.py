"""`blueline demo`, and the story it tells, command by command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from blueline.surfaces.cli import demo_story as story

BLUELINE = [sys.executable, "-m", "blueline"]


def blueline(folder: Path, *words: str, code: int = 0, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [*BLUELINE, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, **(environ or {})},
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_the_story(tmp_path: Path) -> None:
    answer: dict[str, Any] = json.loads(blueline(tmp_path, "demo", "--json"))
    root = tmp_path / "blueline-demo"
    assert answer["root"] == str(root)
    assert (answer["counts"]["turns"], answer["counts"]["files"]) == (2, 5)
    assert any(hunk["builds_on"] for hunk in answer["hunks"])
    assert "Yoghurt keeps longer" in (root / "pantry/alarm.py").read_text()

    words = [step["command"].split()[1:] for step in answer["try"]]
    assert len(words) in range(6, 9)
    assert f"+{story.REPORT.splitlines()[8]}" in blueline(root, *words[0])
    assert "Rejected 1 hunk" in blueline(root, *words[1])
    # The word nobody asked for is gone, and its two neighbours stay.
    rejected = story.REPORT.replace(story.UNASKED, "items")
    assert (root / "pantry/report.py").read_text() == rejected
    assert "Accepted 1 hunk" in blueline(root, *words[2])
    assert "blueline reject t1 --with-dependents" in blueline(root, *words[3], code=4)
    whole = {
        path: (root / path).read_text() for path in ("README.md", "pantry/alarm.py", "pantry/__main__.py")
    }
    assert "Rejected 4 hunks" in blueline(root, *words[4])
    assert (root / "pantry/__main__.py").read_text() == story.FILES["pantry/__main__.py"]
    assert (root / "pantry/alarm.py").read_text() == story.ALARM.replace(*story.TYPED_IN_ALARM)
    readme = story.FILES["README.md"].replace(*story.TYPED_IN_README).replace(*story.TYPED_AT_THE_END)
    assert (root / "README.md").read_text() == readme
    assert "Undid d3" in blueline(root, *words[5])
    assert {path: (root / path).read_text() for path in whole} == whole
    assert story.FIRST_PROMPT[:40] in blueline(root, *words[6])


def test_what_it_prints(tmp_path: Path) -> None:
    out = blueline(tmp_path, "demo", "here", environ={"COLUMNS": "80"})
    assert out.startswith(f"A sample project is in {tmp_path / 'here'}\n")
    assert "\n9 hunks in 5 files, by 6 calls in 2 turns\n" in out
    assert "\n  cd here\n  blueline diff pantry/report.py " in out
    assert max(map(len, out.splitlines()[1:])) <= 80
    assert out.endswith("next: cd here && blueline diff pantry/report.py\n")


def test_the_sample_works_and_is_committed(tmp_path: Path) -> None:
    blueline(tmp_path, "demo")
    root = tmp_path / "blueline-demo"
    done = subprocess.run(
        [sys.executable, "-m", "pantry", "shelf.csv", "9999"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "eat soon: milk" in done.stdout
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    assert "?? pantry/alarm.py" in status
    assert "settings.local.json" not in status


def test_without_git_it_works_as_well(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "sh").symlink_to("/bin/sh")
    blueline(tmp_path, "demo", "here", environ={"PATH": str(tools)})
    assert not (tmp_path / "here" / ".git").exists()
    assert "9 hunks" in blueline(tmp_path / "here", "list")


def test_settings_of_git_are_nobodys(tmp_path: Path, home: Path) -> None:
    mark = tmp_path / "mark"
    (home / ".gitconfig").write_text(f'[core]\n\tfsmonitor = "touch {mark}"\n[commit]\n\tgpgsign = true\n')
    blueline(tmp_path, "demo")
    assert not mark.exists()
    assert (tmp_path / "blueline-demo" / ".git").exists()


def test_a_second_one_gets_a_number(tmp_path: Path) -> None:
    blueline(tmp_path, "demo")
    assert "blueline-demo-2" in blueline(tmp_path, "demo")


def test_nothing_is_put_into_a_folder_that_is_in_use(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    assert "is not empty" in blueline(tmp_path, "demo", "mine", code=1)
    assert "cannot be made" in blueline(tmp_path, "demo", "mine/file/below", code=1)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["file"]


@pytest.mark.parametrize("path", [path for path in story.FILES if path.endswith(".py")])
def test_the_sample_is_python(path: str) -> None:
    compile(story.FILES[path], path, "exec")
