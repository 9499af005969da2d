"""What agents wrote in all projects of a hub: counted as on the machines, for whoever may see it."""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.hub_browser import Browser, decision
from tests.support.hub_process import TEXT, Hub, join, project_of, sync
from tests.support.project import Document, Project

SECTIONS = ("agents", "models", "tools", "folders", "people", "weeks")


@pytest.fixture
def machines(tmp_path: Path, hub: Hub) -> dict[str, Project]:
    """Two that have joined, by what the hub calls their projects."""
    found = {}
    for name in ("pantry", "harbour"):
        machine = Project(tmp_path / name, {"src/a.txt": TEXT, "b.txt": TEXT, "a.txt": TEXT}, name)
        join(machine, hub)
        machine.edit("src/a.txt", "two", "TWO")
        machine.edit("b.txt", "two", "TWO")
        machine.edit("a.txt", "two", "TWO")
        machine.reject("b.txt")
        sync(machine)
        found[project_of(machine)] = machine
    return found


def reported(machine: Project) -> Document:
    return json.loads(machine.command("--json", "report").stdout)


def test_it_is_the_sum_of_what_the_machines_say(
    machines: dict[str, Project], hub: Hub, other_hub: Hub
) -> None:
    (one, machine), (other, _) = machines.items()
    anna = Browser(hub, hub.browser("Anna", "reviewer", one))
    ben = Browser(other_hub, hub.browser("Ben", "reader"))

    mine = anna.get("/api/report").json
    assert [row["id"] for row in mine["projects"]] == [one], "of others nobody learns"
    local = reported(machine)
    assert {key: mine[key] for key in ("total", *SECTIONS)} == {
        key: local[key] for key in ("total", *SECTIONS)
    }

    anna.post(f"/api/decide?project={one}", decision(anna, one))
    sync(machine)
    for process in (anna, ben):
        now = process.get(f"/api/report?project={one}").json
        assert now["total"] == {"changes": 3, "kept": 0, "corrected": 0, "rejected": 2, "pending": 1}
        assert {row["name"]: row["rejected"] for row in now["people"]}["Anna"] == 1, "who decided, by name"
    both = {row["id"]: row["changes"] for row in ben.get("/api/report").json["projects"]}
    assert {one: both[one], other: both[other]} == {one: 3, other: 3}
    assert ben.get(f"/api/report?project={one}&since=2999-01-01").json["total"]["changes"] == 0
    assert ben.get(f"/api/report?project={one}&since=soon").status == 400


def test_what_was_counted_before_is_not_read_again(machines: dict[str, Project], hub: Hub) -> None:
    (one, machine), (other, _) = machines.items()
    anna = Browser(hub, hub.browser("Anna", "reader"))

    def read() -> dict[object, object]:
        return dict(hub.pairs(f"SELECT project, length FROM summary WHERE project IN ('{one}', '{other}')"))

    anna.get("/api/report")
    before = read()
    # A copy that nobody can read any more: whoever asks what was counted does not try.
    hub.pairs(f"UPDATE segment SET bytes = '' WHERE project = '{other}' RETURNING project, copy")
    machine.edit("a.txt", "three", "THREE")
    sync(machine)
    report = anna.get("/api/report").json
    rows = {row["id"]: row["changes"] for row in report["projects"]}
    assert (rows[one], rows[other], report["uncounted"]) == (4, 3, 0)
    after = read()
    assert after[one] != before[one]
    assert after[other] == before[other]


def test_what_is_purged_is_counted_no_more(machines: dict[str, Project], hub: Hub) -> None:
    one, machine = next(iter(machines.items()))
    anna = Browser(hub, hub.browser("Anna", "reader"))
    assert {row["name"] for row in anna.get(f"/api/report?project={one}").json["folders"]} == {".", "src"}
    machine.accept("src/a.txt")
    assert machine.command("purge", "src/a.txt", "--yes").returncode == 0
    sync(machine)
    assert hub.pairs(f"SELECT folder, day FROM outcome WHERE project = '{one}'") == []
    assert {row["name"] for row in anna.get(f"/api/report?project={one}").json["folders"]} == {"."}


def test_the_page_shows_it_and_nobody_else_gets_it(machines: dict[str, Project], hub: Hub) -> None:
    one = next(iter(machines))
    anna = Browser(hub, hub.browser("Anna", "reader", one))
    eve = Browser(hub, hub.browser("Eve", "owner", secrets.token_hex(16)))

    shown = anna.get("/report", Accept="text/html")
    assert shown.status == 200
    assert "nonce-" in shown.headers["content-security-policy"]
    assert f'href="/report?project={one}"' in shown.body.decode()
    assert "By project" in shown.body.decode()
    for path in ("/report", "/api/report"):
        assert Browser(hub).get(path).status == 401
        assert eve.get(f"{path}?project={one}").status == 404
        assert eve.get(f"{path}?project={one}").body == eve.get(f"{path}?project={'0' * 32}").body
    assert eve.get("/api/report").json["projects"] == []


def test_whoever_runs_the_hub_has_it_over_all(machines: dict[str, Project], hub: Hub) -> None:
    one = next(iter(machines))
    found = hub.command("report", "--project", one)
    assert (found["total"]["changes"], [row["name"] for row in found["projects"]]) == (3, ["pantry"])
    assert set(machines) <= {row["id"] for row in hub.command("report")["projects"]}


def test_a_machine_whose_clock_is_wrong_is_taken_at_its_word_and_the_hub_goes_by_its_own(
    machines: dict[str, Project], hub: Hub
) -> None:
    one, machine = next(iter(machines.items()))
    for at_ns in (1, 4_102_444_800 * 10**9):
        assert machine.record(machine.event("UserPromptSubmit", prompt="when?"), at_ns) == 0
    machine.edit("a.txt", "one", "ONE")
    sync(machine)
    anna = Browser(hub, hub.browser("Anna", "reviewer", one))

    (entry,) = anna.get("/api/inbox").json["projects"]
    assert entry["heard"].startswith(f"{datetime.now(UTC):%Y-%m-%d}")
    assert anna.get("/api/report").json["total"] == reported(machine)["total"]
    anna.post(f"/api/decide?project={one}", decision(anna, one))
    sync(machine)
    assert [asked.state for asked in hub.asked(one)] == ["done"], "and what is asked for is carried out"
