"""What became of agents' work, counted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from blueline.desk.work_report import agent_change, report_of
from tests.support.fake_desk import hunk
from tests.support.project import Project


def test_every_change_is_counted_once_by_what_became_of_it(tmp_path: Path) -> None:
    files = {"src/a.py": "one = 1\ntwo = 2\n", "b.py": "three = 3\n", "src/c.py": "four = 4\n"}
    p = Project(tmp_path, files)
    p.prompt()
    p.edit("src/a.py", "one = 1", "one = 11")
    p.edit("b.py", "three = 3", "three = 33")
    p.edit("src/c.py", "four = 4", "four = 44")
    p.write("d.py", "first\nlast\n")
    p.sub("d.py", "first\n", "first\nmine\n")
    p.accept("src/a.py", "d.py")
    p.reject("b.py")
    with p.desk() as desk:
        found = desk.history.report()
    expected = {"changes": 4, "kept": 1, "corrected": 1, "rejected": 1, "pending": 1}
    assert found["total"] == expected
    assert found["agents"] == [{"name": "claude-code", **expected}]
    assert [(row["name"], row["changes"]) for row in found["tools"]] == [("Edit", 3), ("Write", 1)]
    assert [(row["name"], row["changes"]) for row in found["folders"]] == [(".", 2), ("src", 2)]
    assert len(found["weeks"]) == 1
    (person,) = found["people"]
    assert person["name"], "whoever decided here has a name"
    assert (person["changes"], person["rejected"], person["pending"]) == (3, 1, 0)
    assert found["since"] is None


def test_what_is_older_is_left_out(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.py": "x\n"})
    p.prompt()
    p.edit("a.py", "x", "y")
    with p.desk() as desk:
        assert desk.history.report("2999")["total"]["changes"] == 0


def test_models_where_they_are_known_and_weeks_as_iso_counts_them() -> None:
    hunks = [hunk(call="c1", at="2027-01-01T00:00:00Z"), hunk(call="c2", at="2026-12-20T00:00:00Z")]
    found = report_of(Counter(agent_change(one, {"c1": "opus"}) for one in hunks))
    assert [row["name"] for row in found["models"]] == ["", "opus"]
    assert [row["name"] for row in found["weeks"]] == ["2026-W51", "2026-W53"]
