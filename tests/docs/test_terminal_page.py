"""What the page about the terminal shows can be typed."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.home import environment
from tests.support.project import Project
from tests.support.systems import program
from tests.support.terminal_session import WIDTH, session

PAGE = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text()


def snippet(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture
def p(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"a.py": "x\n"})
    made.prompt()
    made.edit("a.py", "x", "y")
    made.stop()
    made.hunks()
    made.environ["PATH"] = f"{Path(sys.executable).parent}:{made.environ['PATH']}"
    return made


def test_a_whole_review_is_what_the_page_shows(tmp_path: Path) -> None:
    """From the sample project to the last decision, typed in a terminal of 80 columns."""
    environ = {"PATH": "/usr/local/bin:/usr/bin:/bin", **environment(tmp_path)}
    found = session(tmp_path, environ)
    assert found == snippet("console")
    assert max(len(line) for line in found.splitlines()) <= WIDTH + 5, "one line of the sample is longer"


def shown(p: Project, *words: str) -> str:
    return subprocess.run(words, cwd=p.root, env=p.environ, capture_output=True, text=True, check=True).stdout


def test_in_the_prompt_of_bash(p: Project) -> None:
    script = f"PS1='$ '\n{snippet('bash')}\nprintf %s \"${{PS1@P}}\""
    assert shown(p, "bash", "--norc", "-c", script) == "[1] $ "
    p.accept()
    assert shown(p, "bash", "--norc", "-c", script) == "$ "


def test_in_the_prompt_of_zsh(p: Project) -> None:
    assert shown(p, program("zsh"), "-f", "-c", f'{snippet("zsh")}\nprint -rP -- "$RPROMPT"') == "1\n"


def test_in_the_prompt_of_fish(p: Project) -> None:
    assert shown(p, program("fish"), "--no-config", "-c", f"{snippet('fish')}\nfish_right_prompt") == "1\n"


def test_in_starship(p: Project) -> None:
    command = tomllib.loads(snippet("toml"))["custom"]["blueline"]["command"]
    assert shown(p, "sh", "-c", command) == "1\n"


def test_in_tmux(p: Project) -> None:
    (command,) = re.findall(r"#\((.*)\)", snippet("tmux"))
    assert shown(p, "sh", "-c", command.replace("#{pane_current_path}", str(p.root))) == "1\n"
