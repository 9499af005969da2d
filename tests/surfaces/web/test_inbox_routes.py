"""One look over all projects of this machine: what waits, and what waits longest."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from blueline.contract.overview import WaitingProject
from blueline.model.risk import Level
from blueline.surfaces.web.inbox_routes import in_order
from tests.support.project import Project
from tests.support.several import beside
from tests.support.workbench import Browser, Workbench, running


def entry(
    root: str, since: str, repository: str = "", error: str = "", risk: Level = "low"
) -> WaitingProject:
    counts = {"hunks": 1, "files": 1, "calls": 1, "turns": 1}
    return {
        "id": root,
        "name": root,
        "root": root,
        "branch": None,
        "repository": repository or root,
        "counts": counts,  # type: ignore[typeddict-item]
        "since": since,
        "risk": risk,
        "agents": [],
        "folders": [],
        "looking": [],
        "error": error,
    }


def test_the_riskiest_is_first_then_what_waits_longest_and_work_trees_stand_together() -> None:
    found = [
        entry("/risky", "2026-01-09", risk="high"),
        entry("/new", "2026-01-09"),
        entry("/tree/b", "2026-01-08", "/tree/.git"),
        entry("/broken", "", error="it is broken"),
        entry("/old", "2026-01-02"),
        entry("/tree/a", "2026-01-01", "/tree/.git"),
    ]
    assert [one["root"] for one in in_order(found)] == [
        "/risky",
        "/tree/a",
        "/tree/b",
        "/old",
        "/new",
        "/broken",
    ]


@pytest.fixture
def other(project: Project, tmp_path: Path) -> Project:
    made = beside(project, tmp_path / "other", {"b.txt": "b\n"})
    made.prompt("something else")
    made.edit("b.txt", "b\n", "B\n")
    return made


def names(browser: Browser) -> list[str]:
    return [one["name"] for one in browser.document("/api/inbox")["projects"]]


def test_every_project_with_something_undecided_is_in_it(
    project: Project, other: Project, workbench: Workbench, browser: Browser, tmp_path: Path
) -> None:
    (first, second) = browser.document("/api/inbox")["projects"]
    assert (first["root"], first["counts"]["hunks"]) == (str(project.root), 2)
    assert (second["root"], second["counts"]["hunks"]) == (str(other.root), 1)
    assert first["since"] < second["since"]
    other.accept("b.txt")
    assert names(browser) == ["project"]
    third = beside(project, tmp_path / "third", {"c.txt": "c\n"})
    assert names(browser) == ["project"]
    third.prompt()
    third.edit("c.txt", "c\n", "C\n")
    assert names(browser) == ["project", "third"]


def test_each_is_reached_by_its_own_address_alone(project: Project, other: Project, browser: Browser) -> None:
    theirs = browser.document("/api/inbox")["projects"][1]["id"]
    assert browser.document("/api/projects")["projects"][0]["root"] == str(project.root)
    assert browser.document("/api/file", project=theirs, path="b.txt")["live"] == "B\n"
    assert browser.get("/api/file", path="b.txt").status == 404
    assert browser.get("/api/file", project=theirs, path="poem.txt").status == 404
    for path in (str(project.root / "poem.txt"), "../../project/poem.txt"):
        assert browser.get("/api/file", project=theirs, path=path).status == 404
    hunk = other.hunks()[0]["id"]
    assert browser.decide("accept", hunk).status == 404
    assert len(other.hunks()) == 1
    assert browser.decide("accept", hunk, project=theirs).status == 200
    assert other.hunks() == []
    with_stream = browser.events(project=theirs)
    assert with_stream.next().data["counts"]["hunks"] == 0


def test_one_that_cannot_be_looked_into_says_so_and_hides_no_other(
    project: Project, other: Project, browser: Browser
) -> None:
    (other.state / "format").write_text("blueline 99\n")
    (fine, broken) = browser.document("/api/inbox")["projects"]
    assert (fine["name"], fine["error"]) == ("project", "")
    assert (broken["name"], bool(broken["error"])) == ("other", True)
    other.is_damaged = True


def test_named_projects_are_all_there_is(project: Project, other: Project) -> None:
    with running(project, "--project", str(project.root)) as workbench:
        browser = workbench.enter()
        assert names(browser) == ["project"]
    with running(project) as workbench:
        theirs = workbench.enter().document("/api/inbox")["projects"][1]["id"]
    with running(project, "--project", str(project.root)) as workbench:
        browser = workbench.enter()
        for route in ("/api/overview", "/api/notes", "/api/events", "/api/timeline"):
            assert browser.get(route, project=theirs).status == 404


def test_outside_any_project_it_is_the_inbox(project: Project, other: Project, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", "-C", str(elsewhere), "ui", "--no-open", "--json"],
        env={**project.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        assert said["projects"] == []
        found = Browser(said["port"]).ask("GET", "/" + said["address"].partition("/?")[2].join(["?", ""]))
        browser = Browser(said["port"], found.headers["set-cookie"].partition(";")[0])
        assert names(browser) == ["project", "other"]
        assert browser.get("/api/overview").status == 404
    finally:
        process.terminate()
        process.wait(timeout=60)
        if process.stdout is not None:
            process.stdout.close()
