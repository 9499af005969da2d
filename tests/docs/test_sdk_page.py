"""The agent that the documentation shows runs, and does what is said there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from blueline import sdk
from blueline.surfaces.cli.main import main
from tests.docs.test_examples import typed
from tests.support.project import Project

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sdk.md").read_text()
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_agent_does_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path, {"notes.md": "Mend teh fence.\n"})
    (agent,) = (block for block in _PYTHON.findall(PAGE) if block.startswith('"""agent.py'))
    place = tmp_path / "agent.py"
    place.write_text(agent)
    monkeypatch.setenv("COLUMNS", "92")
    monkeypatch.setenv("XDG_STATE_HOME", project.environ["XDG_STATE_HOME"])
    monkeypatch.chdir(project.root)
    for command, lines in typed(PAGE):
        program, *words = shlex.split(command)
        if program == "python":
            environ = {**project.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
            done = subprocess.run(
                [sys.executable, place, *words[1:]],
                cwd=project.root,
                env=environ,
                capture_output=True,
                text=True,
                check=True,
            )
            assert done.stdout.splitlines() == lines
            continue
        assert main(words) == 0
        printed = iter(capsys.readouterr().out.splitlines())
        for line in (line for line in lines if line != "…"):
            pattern = ".*".join(map(re.escape, line.split("…")))
            assert any(re.fullmatch(pattern, there) for there in printed), line
    assert project.text("notes.md") == "Mend teh fence.\n"
    assert project.text("story.md") == "Once upon a time there was a diff.\n"
    assert {hunk["path"] for hunk in project.hunks()} == {"story.md"}
    project.assert_sound()


@pytest.mark.parametrize("block", _PYTHON.findall(PAGE))
def test_every_example_is_python(block: str) -> None:
    compile(block, "docs/sdk.md", "exec")


@pytest.mark.parametrize("kind", [sdk.Turn, sdk.Stream, sdk.Outcome, sdk.Session])
def test_everything_public_is_described(kind: type) -> None:
    own = {name for name in [*vars(kind), *getattr(kind, "__annotations__", ())] if name[0] != "_"}
    inner = {"take", "break_off", "named", "root", "agent", "conversation", "path"}
    assert [name for name in sorted(own - inner) if f"`{name}" not in PAGE and f".{name}" not in PAGE] == []


@pytest.mark.parametrize("name", sdk.__all__)
def test_every_name_is_mentioned(name: str) -> None:
    assert name.removeprefix("Async") in PAGE
