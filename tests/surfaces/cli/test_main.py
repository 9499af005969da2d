"""The command itself: words, exit codes, errors, what is loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from blueline.errors import BluelineError
from tests.support.command import Run
from tests.support.fake_desk import FakeDesk, listing, refused
from tests.surfaces.cli.printed import BLUELINE


class Stuck(BluelineError):
    exit_code = 4


class TestErrors:
    def test_one_line_and_a_hint(self, run: Run) -> None:
        done = run(FakeDesk(status=BluelineError("no \x1b[0m", hint="try\nthis")), "status")
        assert done == (1, "", "blueline: no \\x1b[0m\nhint: try\\nthis\n")

    def test_with_json_a_document_as_well(self, run: Run) -> None:
        done = run(FakeDesk(status=Stuck("no", hint="try")), "status", "--json")
        assert (done.code, json.loads(done.out)) == (4, {"error": "no", "hint": "try"})
        assert done.err == "blueline: no\nhint: try\n"

    def test_a_question_in_json_is_the_whole_answer(self, run: Run) -> None:
        answer = refused({"hunk": "h1", "built_on_by": ["h2"]})
        done = run(FakeDesk(decide=answer, list=listing()), "reject", "h1", "--json")
        assert (done.code, json.loads(done.out)) == (4, answer)
        assert done.err == "blueline: other changes build on this\nhint: choose\n"

    def test_an_interrupt(self, run: Run) -> None:
        assert run(FakeDesk(status=KeyboardInterrupt()), "status") == (130, "", "")

    def test_what_the_desk_warns_of_comes_first(self, run: Run) -> None:
        for words in (["list"], ["list", "--json"]):
            desk = FakeDesk(list=listing())
            desk.warnings = ["12 bytes \x1b were damaged"]
            done = run(desk, *words)
            assert (done.code, done.err) == (0, "blueline: 12 bytes \\x1b were damaged\n")

    def test_a_folder_that_is_not_there(self, run: Run) -> None:
        done = run(FakeDesk(), "-C", "no/such", "status")
        assert (done.code, done.err.splitlines()[0]) == (1, "blueline: there is no folder no/such")

    def test_a_folder_that_is_gone(self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        place = tmp_path / "gone"
        place.mkdir()
        monkeypatch.chdir(place)
        place.rmdir()
        done = run(FakeDesk(), "status")
        assert (done.code, done.err.splitlines()[0]) == (1, "blueline: the current folder is gone")

    def test_no_project(self, tmp_path: Path) -> None:
        done = subprocess.run([*BLUELINE, "status"], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.endswith("hint: run: blueline init\n")


class TestHook:
    @pytest.mark.parametrize(
        "words",
        [
            ["hook"],
            ["hook", "claude-code"],
            ["hook", "nobody"],
            ["hook", "\udcff"],
            ["hook", "--help"],
            ["-C", "/", "--json", "hook", "claude-code"],
            ["--color", "never", "-C", "hook", "hook"],
        ],
    )
    @pytest.mark.parametrize("event", [b"", b"\xff\0", b"[1", b"{}"])
    def test_it_never_fails(self, tmp_path: Path, words: list[str], event: bytes) -> None:
        done = subprocess.run([*BLUELINE, *words], cwd=tmp_path, input=event, capture_output=True)
        assert (done.returncode, done.stdout) == (0, b"")

    def test_it_does_not_fail_when_nobody_hears_it(self, tmp_path: Path) -> None:
        for stream in ("2>&-", "2>/dev/full"):
            done = subprocess.run(
                ["sh", "-c", f'exec "$@" {stream}', "sh", *BLUELINE, "hook", "nobody"],
                cwd=tmp_path,
                input=b"",
            )
            assert done.returncode == 0

    def test_a_failure_on_the_way_is_not_passed_on(self, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
        monkeypatch.setattr("blueline.adapters.record", lambda agent: 1 / 0)
        done = run(FakeDesk(), "hook", "claude-code")
        assert done == (0, "", "blueline: this event could not be recorded (ZeroDivisionError)\n")

    def test_it_records(self, tmp_path: Path, home: Path) -> None:
        (tmp_path / ".blueline").mkdir()
        event = json.dumps({"hook_event_name": "Stop", "session_id": "one", "cwd": str(tmp_path)})
        done = subprocess.run(
            [*BLUELINE, "hook", "claude-code"], cwd=tmp_path, input=event.encode(), capture_output=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        (journal,) = home.glob("state/blueline/*/journal")
        assert event.encode() in journal.read_bytes()


class TestLoading:
    def loaded(self, folder: Path, *words: str, before: str = "") -> set[str]:
        program = (
            f"{before}import sys; from blueline.surfaces.cli.main import main; main(sys.argv[1:]);"
            "print(*sys.modules, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, *words], cwd=folder, capture_output=True, text=True, check=True
        )
        return set(done.stderr.split())

    def test_the_hook_loads_next_to_nothing(self, tmp_path: Path) -> None:
        found = self.loaded(tmp_path, "hook", "nobody")
        assert not found & {"argparse", "json", "re", "dataclasses", "pathlib", "typing", "subprocess"}

    def test_a_list_does_not_load_the_diff_library(self, tmp_path: Path) -> None:
        subprocess.run([*BLUELINE, "init"], cwd=tmp_path, check=True, capture_output=True)
        found = self.loaded(tmp_path, "list")
        assert "blueline.surfaces.cli.listing_text" in found
        assert not found & {"pygit2", "rich", "subprocess", "blueline.surfaces.cli.init"}
        assert not found & {"blueline.adapters.settings_file", "blueline.surfaces.cli.changes"}

    @pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("status",)])
    def test_where_nothing_happened_little_is_loaded(self, tmp_path: Path, words: tuple[str, ...]) -> None:
        (tmp_path / ".blueline").mkdir()  # with hooks, a status asks each adapter for its own
        subprocess.run([*BLUELINE, "status"], cwd=tmp_path, check=True, capture_output=True)
        # A journal that was written just now would be read again, to be sure.
        patience = "from blueline.journal import wholeness_note; wholeness_note.RACY_NS = -1;"
        found = self.loaded(tmp_path, *words, before=patience)
        assert "blueline.desk.glance" in found
        heavy = {"argparse", "dataclasses", "datetime", "importlib", "pathlib", "sqlite3", "typing"}
        assert not found & {"blueline.desk.desk", "blueline.hook.hosts", *heavy}

    def test_nor_is_it_for_a_list_where_hooks_are_installed(self, tmp_path: Path) -> None:
        for word in ("init", "list"):
            subprocess.run([*BLUELINE, word], cwd=tmp_path, check=True, capture_output=True)
        found = self.loaded(tmp_path, "list")
        assert "blueline.adapters.hook_places" in found
        assert not found & {"blueline.desk.desk", "blueline.adapters.presence", "pathlib", "typing"}
