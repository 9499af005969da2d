"""The real server, as a process of its own, asked by the real client library."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

from tests.support.project import Project
from tests.surfaces.mcp.playing import SOURCES, Asked, play


def test_what_cannot_be_done_is_said_with_what_to_try(p: Project) -> None:
    async def script(ask: Asked) -> None:
        for path, old, why in (
            ("a.md", "nowhere", "not in the file"),
            ("a.md", "line 1", "stands 11 times"),
            ("../b.md", "", "outside the project"),
            ("/etc/passwd", "root", f"only files below {p.root} can be changed"),
            (".git/config", "", "belongs to git"),
        ):
            answer = await ask("edit_file", path=path, old_string=old, new_string="x")
            assert answer.is_error
            assert why in answer.text
        answer = await ask("edit_file", path="a.md")
        assert answer.is_error
        assert "old_string" in answer.text

    before = p.standing()
    play(p, script)
    assert p.standing() == before
    assert p.calls() == []


def test_outside_a_project_the_server_says_so_and_does_not_start(p: Project) -> None:
    done = p.command("-C", str(p.home), "mcp")
    assert done.returncode == 1
    assert "not inside a Blueline project" in done.stderr
    assert done.stdout == ""


def test_a_server_that_is_told_to_stop_ends_its_turn(p: Project) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", "mcp"],
        cwd=p.root,
        env={**p.environ, "PYTHONPATH": SOURCES, "PYTHONSAFEPATH": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(method: str, number: int | None, **params: object) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        line = json.dumps(message if number is None else {**message, "id": number})
        os.write(process.stdin.fileno(), line.encode() + b"\n")  # type: ignore[union-attr]
        if number is not None:
            assert process.stdout is not None
            assert "result" in json.loads(process.stdout.readline())

    with process:
        info = {"name": "raw", "version": "1"}
        ask("initialize", 1, protocolVersion="2025-06-18", capabilities={}, clientInfo=info)
        ask("notifications/initialized", None)
        ask("tools/call", 2, name="write_file", arguments={"path": "b.md", "content": "x"})
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 130
    (turn,) = p.turns()
    assert turn["agent"] == "raw"
    assert turn["ended"]
