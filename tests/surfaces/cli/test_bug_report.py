"""What is written down when the program itself fails."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

import blueline
from tests.support.command import Run
from tests.support.fake_desk import FakeDesk


class TestBugs:
    def fail(self, run: Run, home: Path, *words: str) -> tuple[str, str, Path]:
        error = ValueError("contents of somebody's file")
        done = run(FakeDesk(decide=error), *words)
        assert done.code == 3
        (report,) = (home / "state" / "blueline" / "reports").iterdir()
        return done.out, done.err, report

    def test_a_report_is_written_and_named(self, run: Run, home: Path) -> None:
        out, err, report = self.fail(run, home, "reject", "a.md", "--reason", "my secret")
        assert (out, err.splitlines()[0]) == ("", "blueline: a bug in Blueline stopped this command")
        assert str(report) in err
        assert stat.S_IMODE(report.stat().st_mode) == 0o600

    def test_it_holds_the_trace_and_nothing_from_files(self, run: Run, home: Path) -> None:
        words = ["reject", "a\x1b.md", "--reason", "my secret", "--reason=another secret"]
        text = self.fail(run, home, *words)[2].read_text()
        assert "ValueError\n" in text
        assert "decide_commands.py:" in text
        assert f"blueline {blueline.__version__}" in text
        assert "a\\\\x1b.md" in text
        assert "secret" not in text
        assert "somebody" not in text

    def test_with_json_there_is_a_document(self, run: Run, home: Path) -> None:
        out, _, report = self.fail(run, home, "accept", "--all", "--json")
        assert str(report) in json.loads(out)["hint"]

    def test_a_report_that_cannot_be_written_is_no_second_bug(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "file").touch()
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
        done = run(FakeDesk(status=OSError(28, "No space left")), "status")
        assert done.code == 3
        assert "no report could be written" in done.err
