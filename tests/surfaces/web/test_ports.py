"""A project has a port of its own, and is on it at every start."""

from __future__ import annotations

import signal
import socket
from contextlib import closing
from pathlib import Path

from tests.support.project import Project
from tests.support.workbench import Browser, running

BROWSERS_REFUSE = {6000, 6566, *range(6665, 6670), 6697, 10080}


def test_it_is_the_same_after_a_restart_and_nobody_is_let_in_by_that(project: Project) -> None:
    with running(project, port=None) as first:
        known = first.enter()
        port = first.port
        first.stop(signal.SIGKILL)
    assert 20_000 <= port < 32_000
    assert port not in BROWSERS_REFUSE
    with running(project, port=None) as second:
        assert second.port == port
        assert known.get("/api/overview").status == 401
        assert Browser(port).get("/api/overview").status == 401
        assert second.enter().get("/api/overview").status == 200


def test_a_folder_that_was_moved_keeps_it(project: Project, tmp_path: Path) -> None:
    """Rule D7."""
    with running(project, port=None) as workbench:
        port = workbench.port
    project.root = project.root.rename(tmp_path / "moved")
    with running(project, port=None) as workbench:
        assert workbench.port == port


def test_the_next_one_that_is_free_is_taken_if_it_is_not_and_that_is_said(project: Project) -> None:
    with running(project, port=None) as first:
        with running(project, port=None) as second:
            assert first.port < second.port <= first.port + 20
            second.stop()
            assert f"port {first.port}, its own, is taken: it is on {second.port} this time" in str(
                second.said
            )
        first.stop()
        assert b"is taken" not in first.said


def test_another_project_has_another(project: Project, tmp_path: Path) -> None:
    other = Project(tmp_path / "other", {"b.txt": "b\n"})
    with running(project, port=None) as one, running(other, port=None) as two:
        assert one.port != two.port


def test_what_somebody_names_is_what_is_meant(project: Project) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        free = taken.getsockname()[1]
    with running(project, port=free) as workbench:
        assert workbench.port == free
