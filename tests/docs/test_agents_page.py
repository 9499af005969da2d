"""Every place that names agents has all of them, and the page about adding one names every place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import pytest

from blueline.adapters import ADAPTERS
from blueline.chat.agents import KNOWN
from blueline.desk import people
from blueline.hook import hosts, settings_places, speech
from blueline.model.risk import PATHS
from blueline.surfaces.cli import command_table
from tests.adapters.meaning import PAYLOADS
from tests.adapters.test_hook_settings import ALL
from tests.hook.test_hosts import EVENTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-an-agent.md").read_text()
NAMED = re.compile(r"[\"']windsurf[\"']")

# A new agent goes into the list, or here.
SETS_NO_VARIABLE = {"windsurf"}
CANNOT_BE_TOLD = {"windsurf"}
SPEAKS_NO_PROTOCOL = {"cursor", "copilot", "windsurf"}
IS_A_PLUGIN = {"opencode"}


@pytest.mark.parametrize(
    ("place", "missing"),
    [
        (command_table.AGENTS, set()),
        (hosts.EDITING, set()),
        (hosts.HARMLESS, set()),
        ({agent for agent, _ in speech.FRAMES}, CANNOT_BE_TOLD),
        (people.AGENTS.values(), SETS_NO_VARIABLE),
        ({agent.name for agent in KNOWN}, SPEAKS_NO_PROTOCOL),
        (EVENTS, set()),
        ({settings.agent for settings in ALL}, IS_A_PLUGIN),
        (settings_places.PLACES, set()),
        (settings_places.USER_PLACES, set()),
    ],
    ids=[
        "command line",
        "editing",
        "harmless",
        "frames",
        "people",
        "chat",
        "events",
        "settings",
        "places",
        "user places",
    ],
)
def test_every_list_has_every_agent(place: Iterable[str], missing: set[str]) -> None:
    found = {*place}
    assert found | missing == {*ADAPTERS}
    assert not found & missing


@pytest.mark.parametrize("name", ADAPTERS)
def test_every_agent_is_told_to_people_and_its_settings_are_a_risk(name: str) -> None:
    adapter = ADAPTERS[name]()
    assert adapter.LABEL in (ROOT / "README.md").read_text()
    assert f"`{name}` | {adapter.LABEL}" in (ROOT / "docs" / "command-line.md").read_text()
    assert adapter.LABEL.removeprefix("GitHub ") in (ROOT / "docs" / "talking-back.md").read_text()
    settings = str(adapter.settings(Path("/")).relative_to("/"))
    assert any(fnmatch(settings, pattern) for pattern in PATHS["agents"])
    assert (ROOT / "tests" / "adapters" / f"test_{name.replace('-', '_')}.py").is_file()


def test_people_are_told_by_which_variables_and_programs_agents_are_known() -> None:
    page = (ROOT / "docs" / "gate.md").read_text().partition("## Who decides\n")[2].partition("\n## ")[0]
    # What connects an agent to a protocol is a program of its own, and nobody types its name.
    programs = {name for name in people.PROGRAMS if not name.endswith("-acp")}
    assert {name for name in (*people.AGENTS, *programs) if f"`{name}`" not in page} == set()


def test_the_page_names_every_place() -> None:
    """Found by one of the agents; it has no part in three of them."""
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "blueline").rglob("*.py")
        if NAMED.search(path.read_text()) and not path.name.startswith("windsurf")
    }
    found |= {"blueline/desk/people.py", "blueline/chat/agents.py", "blueline/hook/speech.py"}
    assert {place for place in found if f"`{place}`" not in PAGE} == set()


def test_every_place_on_the_page_is_there() -> None:
    table = PAGE.partition("| place |")[2].partition("\n\n")[0]
    for name in re.findall(r"`((?:blueline|tests)/[\w/.]+)`", table):
        assert (ROOT / name.replace("some_agent", "gemini")).exists(), name


def test_what_was_tried_is_said_of_every_agent_with_the_version_that_is_run() -> None:
    page = (ROOT / "docs/capture.md").read_text()
    table = page.partition("## What was tried\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if "|" in line]
    tried = {agent: (version, how) for agent, version, how, *_ in rows[2:]}
    labels = {ADAPTERS[name]().LABEL: name for name in ADAPTERS}
    assert {label for label in labels for agent in tried if agent.startswith(label)} == {*labels}
    packages = json.loads((ROOT / "tests/agents/npm/package.json").read_text())["dependencies"]
    assert {version for version, how in tried.values() if "make test-agents" in how} == {*packages.values()}
    for agent, (version, how) in tried.items():
        (name,) = (name for label, name in labels.items() if agent.startswith(label))
        is_recorded = (PAYLOADS / name).is_dir() or name == "claude-code"
        assert (version == "none") == how.startswith("never run here")
        assert is_recorded or version == "none", agent
