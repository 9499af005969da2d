"""Several projects behind one server."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from blueline.surfaces.web.project import OTHERS_KEPT, Projects
from blueline.surfaces.web.project import Project as Served
from tests.support.project import Project
from tests.support.workbench import PATIENCE_SECONDS, running


class Resting(Served):
    """One that says whether it was let go of."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, root, lambda _: pytest.fail("nobody asks it"), lambda _: None)
        self.gone = threading.Event()

    def close(self) -> None:
        super().close()
        self.gone.set()


def test_of_many_that_were_looked_into_the_last_few_stay_open(tmp_path: Path) -> None:
    made: list[Resting] = []

    def find() -> list[Served]:
        made.extend(Resting(tmp_path / str(number)) for number in range(OTHERS_KEPT + 3))
        return [*made[-OTHERS_KEPT - 3 :]]

    projects = Projects([], find)
    all_of_them = projects.everywhere()
    watched = all_of_them[1]
    projects.may_rest = lambda project: project is not watched
    for project in all_of_them:
        assert projects.named(project.id) is project
    first, second, third = all_of_them[:3]
    for one in (first, third):
        assert isinstance(one, Resting)
        assert one.gone.wait(PATIENCE_SECONDS)
    for one in (second, *all_of_them[3:]):
        assert isinstance(one, Resting)
        assert not one.gone.is_set()
    last = all_of_them[-1]
    assert projects.named(last.id) is last
    # Asked for again, it is another one, which can be asked.
    again = projects.named(first.id)
    assert again is not first
    assert again.root == first.root
    projects.close()


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
