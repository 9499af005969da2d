"""The real server, as a process of its own, asked by the real client library."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

from tests.support.project import Project
from tests.surfaces.mcp.playing import SOURCES, Asked, play

EDIT = {"path": "a.md", "old_string": "line 3", "new_string": "x"}


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
        for given, why in (
            ({"path": "a.md"}, "edit_file needs old_string: the text to replace"),
            ({"path": 5, "old_string": "", "new_string": ""}, "path must be a text"),
            ({**EDIT, "replace_all": "yes"}, "replace_all must be true or false"),
            ({**EDIT, "every": True}, "edit_file takes no every; it takes path, old_string"),
        ):
            answer = await ask("edit_file", **given)
            assert (answer.is_error, answer.text[: len(why)]) == (True, why)
        answer = await ask("list_changes", status="maybe")
        assert answer.text == "status must be one of pending, accepted, rejected, all"

    before = p.on_disk()
    play(p, script)
    assert p.on_disk() == before
    assert p.calls() == []


def test_between_two_calls_others_may_have_the_project(p: Project) -> None:
    async def script(ask: Asked) -> None:
        await ask("edit_file", path="a.md", old_string="line 3\n", new_string="THREE\n")
        (hunk,) = (await ask("list_changes")).json()["hunks"]
        p.reject(hunk["id"])
        assert (await ask("list_changes")).json()["hunks"] == []
        assert (await ask("explain_change", change="h999")).is_error
        p.undo()
        assert [one["id"] for one in (await ask("list_changes")).json()["hunks"]] == [hunk["id"]]

    play(p, script)
    p.assert_sound()


def talk(p: Project, *lines: object) -> list[Any]:
    """Say some lines to the server, and let it end."""
    said = b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )
    done = subprocess.run(
        [sys.executable, "-m", "blueline", "mcp"],
        cwd=p.root,
        env={**p.environ, "PYTHONPATH": SOURCES, "PYTHONSAFEPATH": "1"},
        input=said,
        capture_output=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_handshake_needs_no_project_that_can_be_opened(p: Project) -> None:
    """The desk is opened by the first call: a client waits for the handshake."""
    with p.desk():  # locked, for as long as the server runs
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "1999"}}
        (greeting,) = talk(p, hello)
    assert greeting["result"]["protocolVersion"] == "2025-11-25"
    assert greeting["result"]["serverInfo"]["name"] == "blueline"


def test_what_is_no_request_is_answered_and_the_server_goes_on(p: Project) -> None:
    ping = {"jsonrpc": "2.0", "id": "p", "method": "ping"}
    answers = talk(
        p,
        b"not json",
        b"[" * 100_000,
        b"",
        5,
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled"},
        {**ping, "method": "resources/list"},
        {**ping, "method": "tools/call", "params": {"name": "accept"}},
        {**ping, "method": "tools/call", "params": {"name": "edit_file", "arguments": []}},
        {**ping, "method": "tools/call", "params": {"name": "edit_file", "arguments": "x"}},
        [ping, {"jsonrpc": "2.0", "method": "x"}, {**ping, "id": 2}],
        ping,
    )
    codes = [one["error"]["code"] for one in answers[:5]]
    assert codes == [-32700, -32700, -32600, -32601, -32602]
    assert answers[5]["result"]["isError"]
    assert answers[6]["error"]["code"] == -32602
    assert [one["id"] for one in answers[7]] == ["p", 2]
    assert answers[8] == {"jsonrpc": "2.0", "id": "p", "result": {}}


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
