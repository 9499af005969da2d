"""What was sent to a hub outlives the machine: the review goes on elsewhere, with the same ids."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.support.hub_process import Hub
from tests.support.project import Project


def listed(project: Project) -> list[str]:
    return [hunk["id"] for hunk in project.hunks()]


def joined(project: Project, hub: Hub) -> str:
    done = project.command("--json", "hub", "join", hub.url, "--invitation", hub.invitation())
    return str(json.loads(done.stdout)["project"])


def test_a_review_goes_on_where_the_machine_is_gone(tmp_path: Path, hub: Hub) -> None:
    machine = Project(tmp_path / "sandbox", {"a.py": "one\ntwo\nthree\n", "b.py": "same\n"})
    machine.edit("a.py", "two", "TWO")
    machine.edit("b.py", "same", "other")
    machine.accept("b.py")
    known = joined(machine, hub)
    assert machine.command("sync").returncode == 0
    pending = listed(machine)
    shutil.rmtree(machine.root)
    shutil.rmtree(machine.state)

    other = Project(tmp_path / "other")
    place = tmp_path / "other" / "restored"
    done = other.command("hub", "restore", hub.url, known, str(place), "--invitation", hub.invitation(known))
    assert done.returncode == 0, done.stderr

    assert (place / "a.py").read_text() == "one\nTWO\nthree\n"
    assert (place / "b.py").read_text() == "other\n"
    found = json.loads(other.command("--json", "-C", str(place), "list").stdout)
    assert [hunk["id"] for hunk in found["hunks"]] == pending
    other.command("-C", str(place), "reject", pending[0])
    assert (place / "a.py").read_text() == "one\ntwo\nthree\n"
    done = other.command("-C", str(place), "sync")
    assert done.returncode == 0, done.stderr
