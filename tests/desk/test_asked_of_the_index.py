"""What a review asks of the index costs what is open and what is looked at, not all that ever was."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from blueline.desk import Desk
from blueline.journal.database import Database
from tests.desk.screens.test_project_overview import shown
from tests.support.project import Project

THROUGH = re.compile(r"SCAN (turns|subagents|calls|decisions|operations|hunks|tellings)\b(.*)")
"""What SQLite says if it goes through all of a table that grows for ever."""

SHORT = re.compile(
    r"USING (COVERING )?INDEX (hunks_to_decide|tellings_to_make|turns_by_agent|\w+_by_running)"
)
"""But for indexes that hold what is open alone; and for the agents' names, which an index holds alone."""


def decided_and_shown(desk: Desk) -> object:
    known, cursor = shown(desk)
    desk.decide("reject", [known["hunks"][0]["id"]], dependents="with")
    return desk.workbench.overview_since(known["version"], cursor)


ACTS: dict[str, Callable[[Desk], object]] = {
    "list": lambda desk: desk.list(),
    "list all in a file": lambda desk: desk.workbench.file("a.md"),
    "status": lambda desk: desk.status(),
    "overview": lambda desk: desk.workbench.overview(),
    "a click": decided_and_shown,
    "accept": lambda desk: desk.decide("accept", [], everything=True),
    "a turn": lambda desk: desk.decide("reject", ["t1"]),
    "undo": lambda desk: desk.undo(None),
    "agents": lambda desk: desk.conversing.agents(),
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Database, str, tuple[object, ...]]]:
    found: list[tuple[Database, str, tuple[object, ...]]] = []
    rows, run, run_each = Database.rows, Database.run, Database.run_each

    def reading(self: Database, query: str, *values: object) -> list[Any]:
        if not query.startswith("explain"):
            found.append((self, query, values))
        return rows(self, query, *values)

    def running(self: Database, statement: str, *values: object) -> None:
        found.append((self, statement, values))
        run(self, statement, *values)

    def running_each(self: Database, statement: str, some: Any) -> None:
        some = list(some)
        found.extend((self, statement, tuple(one)) for one in some[:1])
        run_each(self, statement, some)

    monkeypatch.setattr(Database, "rows", reading)
    monkeypatch.setattr(Database, "run", running)
    monkeypatch.setattr(Database, "run_each", running_each)
    return found


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_nothing_goes_through_all_that_ever_was(
    p: Project, asked: list[tuple[Database, str, tuple[object, ...]]], act: Callable[[Desk], object]
) -> None:
    p.accept()
    p.prompt()
    p.edit("a.md", "line 5\n", "FIVE\n")
    p.edit("b.md", "line 5\n", "FIVE\n")
    asked.clear()
    with p.desk() as desk:
        act(desk)
        assert asked
        wrong = {
            (query, said)
            for database, query, values in asked
            for (*_, said) in database.rows(f"explain query plan {query}", *values)
            if (through := THROUGH.match(said)) and not SHORT.search(through[2])
        }
    assert wrong == set()
