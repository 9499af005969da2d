"""A patch makes of an earlier overview the one that is there now, whatever was decided."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from blueline.desk import Desk
from blueline.desk.screens import project_overview
from blueline.desk.screens.project_overview import is_asked_about
from tests.support.project import POEM, Project

STEPS = 50
PATHS = ["a.md", "b.md", "c.md"]


def patched(known: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """As the page does it."""
    assert known["version"] == patch["since"]
    touched = {*patch["paths"]}
    rows = {row["path"]: row for row in patch["files"]}
    turns = {turn["id"]: turn for turn in patch["turns"]}
    places = {row["path"]: place for place, row in enumerate(known["files"])}
    assert rows.keys() <= places.keys()
    assert turns.keys() <= {turn["id"] for turn in known["turns"]}
    hunks = [hunk for hunk in known["hunks"] if hunk["path"] not in touched] + patch["hunks"]
    rest = {name: value for name, value in patch.items() if name not in ("since", "paths", "opened")}
    return {
        **rest,
        "files": [
            row
            for old in known["files"]
            if (row := rows.get(old["path"]) if old["path"] in touched else old) is not None
        ],
        "turns": [
            {
                **turns[turn["id"]],
                "calls": [
                    {one["id"]: one for one in turns[turn["id"]]["calls"]}.get(call["id"], call)
                    for call in turn["calls"]
                ],
            }
            if turn["id"] in turns
            else turn
            for turn in known["turns"]
        ],
        "hunks": sorted(hunks, key=lambda hunk: places[hunk["path"]]),
    }


def shown(desk: Desk) -> tuple[dict[str, Any], int]:
    return {**desk.workbench.overview()}, desk.workbench.cursor


def listed(page: dict[str, Any]) -> list[dict[str, Any]]:
    """The hunks of a file's page as they stand in the overview, as the page takes them."""
    asked = [one for one in page["hunks"] if one["status"] == "pending" and is_asked_about(one)]
    edits = {(one["call"], one["at"]): place for place, one in enumerate(page["hunks"])}
    asked.sort(key=lambda one: (one.get("place", one["new_start"]), edits[one["call"], one["at"]], one["id"]))
    texts = ("old", "new", "decisions")
    return [{name: value for name, value in one.items() if name not in texts} for one in asked]


@pytest.mark.parametrize("seed", range(2))
def test_a_patch_makes_the_overview_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(project_overview, "RECENT_TURNS", 3)
    p = Project(tmp_path, dict.fromkeys(PATHS, POEM))
    chance = random.Random(seed)
    p.prompt()
    patches = 0
    for step in range(STEPS):
        path = chance.choice(PATHS)
        match chance.randrange(8):
            case 0 | 1:
                p.subagent = chance.choice(["", "", "sub"])
                number = chance.randrange(1, 12)
                if f"line {number}\n" in p.text(path):
                    p.edit(path, f"line {number}\n", f"line {number}, {step}\nand\n")
                p.subagent = ""
            case 2 if not chance.randrange(3):
                p.prompt()
            case 3:
                p.put(path, f"by hand {step}\n" + p.text(path))
            case _:
                with p.desk() as desk:
                    known, cursor = shown(desk)
                    hunks = known["hunks"]
                    if hunks and chance.randrange(4):
                        hunk = chance.choice(hunks)
                        what = chance.choice([hunk["id"], hunk["path"], hunk["turn"]])
                        desk.decide("accept" if chance.randrange(2) else "reject", [what], dependents="with")
                    elif chance.randrange(2):
                        desk.undo(None)
                    else:
                        desk.redo()
                    patch = desk.workbench.overview_since(known["version"], cursor)
                    if patch is not None:
                        patches += 1
                        overview = {**desk.workbench.overview()}
                        assert patched(known, {**patch}) == overview
                        less: dict[str, Any] = {
                            **(desk.workbench.overview_since(known["version"], cursor, path) or {})
                        }
                        if less["opened"]:
                            page = {**desk.workbench.file(path)}
                            assert not any(hunk["path"] == path for hunk in less["hunks"])
                            less["hunks"] += listed(page)
                        assert patched(known, less) == overview
    assert patches > STEPS // 10
    p.assert_sound()


def test_what_is_not_a_decision_is_shown_as_a_whole(tmp_path: Path) -> None:
    p = Project(tmp_path, dict.fromkeys(PATHS, POEM))
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    with p.desk() as desk:
        known, cursor = shown(desk)
        assert desk.workbench.overview_since(known["version"], cursor) is not None
    p.edit("b.md", "line 3\n", "THREE\n")
    with p.desk() as desk:
        assert desk.workbench.overview_since(known["version"], cursor) is None


def test_a_file_that_a_decision_moves_is_shown_as_a_whole(tmp_path: Path) -> None:
    p = Project(tmp_path, dict.fromkeys(PATHS, POEM))
    p.prompt()
    p.bash("mv a.md z.md")
    with p.desk() as desk:
        known, cursor = shown(desk)
        desk.decide("reject", [], everything=True)
        assert desk.workbench.overview_since(known["version"], cursor) is None
    assert p.text("a.md") == POEM
