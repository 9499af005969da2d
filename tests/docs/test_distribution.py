"""The name that pip knows us by: `blueline` there is another project, never to be installed for ours."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from blueline.forge import workflow

ROOT = Path(__file__).parents[2]
NAME = "blueline-review"
INSTALL = re.compile(r"(?:pip|pipx|uv tool|uvx?)(?: -\S+| --\S+)* (?:install|uninstall|run|--from)\s+(\S+)")


def test_the_distribution_is_named_so_that_no_stranger_is_installed() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["name"] == NAME


def test_nothing_tells_anybody_to_install_the_strangers_package() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "action" / "action.yml"]
    named = [word for page in pages for word in INSTALL.findall(page.read_text())]
    assert named
    assert not [word for word in named if word.strip("`'\"").partition("[")[0] == "blueline"]
    assert f"default: {NAME}\n" in (ROOT / "action" / "action.yml").read_text()


def test_the_actions_of_a_written_workflow_are_pinned_by_commit() -> None:
    used = re.findall(r"uses: (\S+)", workflow.TEXT)
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one) for one in used)
