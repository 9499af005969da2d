"""Several projects behind one server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import Project
from tests.support.workbench import running


class TestSeveralProjects:
    @pytest.fixture
    def other(self, project: Project, tmp_path: Path) -> Project:
        made = Project(tmp_path / "other", {"b.txt": "b\n"})
        made.environ = project.environ
        made.home = project.home
        with made.desk():
            pass
        return made

    def test_each_has_its_own(self, project: Project, other: Project) -> None:
        with running(project, "--project", str(project.root), "--project", str(other.root)) as workbench:
            browser = workbench.enter()
            found = browser.document("/api/projects")["projects"]
            assert [one["root"] for one in found] == [str(project.root), str(other.root)]
            first, second = (one["id"] for one in found)
            assert browser.document("/api/overview")["project"]["root"] == str(project.root)
            assert browser.document("/api/overview", project=first)["counts"]["hunks"] == 2
            assert browser.document("/api/overview", project=second)["counts"]["hunks"] == 0
            assert browser.document("/api/file", project=second, path="b.txt")["live"] == "b\n"
            assert browser.get("/api/file", project=first, path="b.txt").status == 404
            browser.post("/api/mode", project=second, mode="hold")
            assert browser.document("/api/overview", project=first)["mode"] == "review"

    def test_one_that_was_not_opened_is_not_there(self, project: Project, other: Project) -> None:
        """QW13."""
        with running(other) as elsewhere:
            (theirs,) = elsewhere.enter().document("/api/projects")["projects"]
        with running(project, "--project", str(project.root)) as workbench:
            browser = workbench.enter()
            for name in (theirs["id"], "", "x", str(other.root)):
                for route in ("/api/overview", "/api/file", "/api/notes", "/api/events", "/api/timeline"):
                    assert browser.get(route, project=name).status == 404
                assert browser.post("/api/mode", project=name, mode="hold").status == 404
