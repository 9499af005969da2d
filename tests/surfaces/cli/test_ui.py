"""`blueline ui` as a command."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

from tests.support.project import Project
from tests.support.waiting import wait_until
from tests.support.workbench import Browser, Workbench

ROOT = Path(__file__).parents[3]


def run(project: Project, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "blueline", *words],
        cwd=project.root.parent,
        env={**project.environ, "PYTHONPATH": str(ROOT), **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_port_that_is_taken_is_said_to_be(project: Project) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run(project, "-C", str(project.root), "ui", "--no-open", "--port", str(port))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"port {port} cannot be used" in done.stderr


def test_what_is_no_port_is_said_to_be_none(project: Project) -> None:
    done = run(project, "-C", str(project.root), "ui", "--no-open", "--port", "70000")
    assert (done.returncode, "no port" in done.stderr) == (1, True)
    assert run(project, "-C", str(project.root), "ui", "--port", "x").returncode == 2


def test_an_address_that_anybody_could_listen_to_is_not_taken(project: Project) -> None:
    done = run(project, "-C", str(project.root), "ui", "--no-open", "--public-url", "http://example.org")
    assert (done.returncode, done.stdout) == (1, "")
    assert "reads along" in done.stderr
    assert "docs/remote.md" in done.stderr


def test_where_no_project_is_known_it_does_not_start(project: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    words = ("-C", str(tmp_path / "elsewhere"), "ui", "--no-open", "--json")
    done = run(project, *words, XDG_STATE_HOME=str(tmp_path / "empty"))
    assert (done.returncode, set(json.loads(done.stdout))) == (1, {"error", "hint"})
    done = run(project, "-C", str(project.root), "ui", "--no-open", "--project", "nowhere")
    assert done.returncode == 1


def test_a_project_that_is_named_twice_is_opened_once(project: Project) -> None:
    (project.root / "sub").mkdir()
    workbench = Workbench(project, "--project", ".", "--project", "sub", "--project", str(project.root))
    try:
        assert len(workbench.enter().document("/api/projects")["projects"]) == 1
    finally:
        workbench.stop()


def test_the_browser_gets_a_token_of_its_own(project: Project, tmp_path: Path) -> None:
    """The printed address is good for another browser than the one that is opened."""
    opened = tmp_path / "opened"
    browser = tmp_path / "bin" / "browser"
    browser.parent.mkdir()
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    project.environ = {**project.environ, "BROWSER": str(browser)}
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", "-C", str(project.root), "ui", "--json"],
        env={**project.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        wait_until(opened.exists)
        given = opened.read_text().strip()
        assert given.partition("token=")[0] == said["address"].partition("token=")[0]
        assert given != said["address"]
        for address in (given, said["address"]):
            assert Browser(said["port"]).ask("GET", "/?" + address.partition("/?")[2]).status == 303
    finally:
        process.terminate()
        process.wait(timeout=60)
        if process.stdout is not None:
            process.stdout.close()


def test_the_server_is_loaded_by_no_other_command(project: Project) -> None:
    code = (
        "import sys; from blueline.surfaces.cli.main import main; "
        f"main(['-C', {str(project.root)!r}, 'status']); "
        "print(sorted({'starlette', 'uvicorn', 'watchfiles'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**project.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
