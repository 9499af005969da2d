"""What holds for every adapter."""

from __future__ import annotations

import inspect
from pathlib import Path

from blueline.adapters import ADAPTERS, interpret
from blueline.adapters.adapter import Adapter
from blueline.hook import hosts
from blueline.model.notice import Nothing
from tests.adapters.meaning import AGENTS


@AGENTS
def test_it_offers_all_that_is_asked_for(agent: str) -> None:
    adapter = ADAPTERS[agent]()
    wanted = [name for name in vars(Adapter) if not name.startswith("_")]
    assert all(hasattr(adapter, name) for name in wanted)
    assert agent == adapter.NAME
    assert adapter.LABEL
    assert adapter.TRACES
    for name in ("interpret", "install", "uninstall", "installed", "settings"):
        asked = list(inspect.signature(getattr(Adapter, name)).parameters)[1:]
        assert list(inspect.signature(getattr(adapter, name)).parameters)[: len(asked)] == asked


@AGENTS
def test_the_recorder_knows_its_tools(agent: str) -> None:
    assert hosts.EDITING[agent]
    assert hosts.HARMLESS[agent]


@AGENTS
def test_its_settings_are_in_the_project(agent: str, tmp_path: Path) -> None:
    assert ADAPTERS[agent]().settings(tmp_path).is_relative_to(tmp_path)


def test_those_who_run_hooks_of_others_are_looked_for_where_theirs_are() -> None:
    for agent, path in hosts.OWN_SETTINGS.items():
        assert ADAPTERS[agent]().settings(Path("/")) == Path("/", path.decode())


def test_an_unknown_agent_says_nothing() -> None:
    (notice,) = interpret("no\nbody", b"{}")
    assert notice == Nothing(why="no adapter is called 'no\\nbody'")
