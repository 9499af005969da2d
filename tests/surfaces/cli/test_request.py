"""Where an answer goes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.fake_desk import FakeDesk, decided, hunk, listing
from tests.surfaces.cli.printed import BLUELINE

DIFF = {"diff": "-a\n", "files": []}


class TestJson:
    def test_one_line_of_ascii(self, run: Run) -> None:
        answer = listing(hunk(path="caf\udce9\x1b\x7f\u202e"))
        done = run(FakeDesk(list=answer), "list", "--json")
        assert done.out.isascii()
        assert done.out.removesuffix("\n").isprintable()
        assert json.loads(done.out) == answer

    def test_a_person_gets_it_indented(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        assert run(FakeDesk(list=listing()), "list", "--json").out.startswith('{\n  "mode"')

    def test_every_command_that_asks_the_desk_passes_its_answer_on(self, run: Run) -> None:
        answers = {
            "status": {"mode": "review", "agents": []},
            "list": listing(),
            "show": {"kind": "turn"},
            "log": {"entries": []},
            "decide": decided(),
            "undo": decided(),
            "redo": decided(),
            "set_mode": {"mode": "hold"},
            "check": {"ok": True},
            "purge": {"purged": []},
        }
        words = {
            "decide": ["accept", "h1"],
            "show": ["show", "t1"],
            "set_mode": ["mode", "hold"],
            "purge": ["purge", "--all", "--yes"],
        }
        for verb, answer in answers.items():
            done = run(FakeDesk(**{verb: answer}), *words.get(verb, [verb]), "--json")
            assert (done.code, json.loads(done.out), done.err) == (0, answer, "")
        assert json.loads(run(FakeDesk(diff=DIFF), "diff", "--json").out) == DIFF


class TestOutput:
    def test_a_reader_that_leaves_is_no_error(self) -> None:
        process = subprocess.Popen(
            [*BLUELINE, "completion", "bash"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(60) == 0

    def test_a_full_disk_is_said(self) -> None:
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [*BLUELINE, "completion", "bash"], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert (done.returncode, done.stderr) == (
            1,
            "blueline: the output could not be written: No space left on device\n",
        )

    def test_a_full_disk_hides_no_other_error(self, tmp_path: Path) -> None:
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [*BLUELINE, "status", "--json"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert (done.returncode, done.stderr.splitlines()[1]) == (1, "hint: run: blueline init")

    def test_closed_streams_are_no_bug(self) -> None:
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" >&- 2>&- <&-', "sh", *BLUELINE, "completion", "bash"], capture_output=True
        )
        assert done.returncode == 0

    def test_an_ascii_terminal_gets_escapes(self, tmp_path: Path) -> None:
        environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
        done = subprocess.run([*BLUELINE, "--help"], cwd=tmp_path, env=environ, capture_output=True)
        assert done.returncode == 0
        assert b"h\\u2026 a hunk" in done.stdout
