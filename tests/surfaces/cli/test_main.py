"""The command itself: words, exit codes, errors, what is loaded."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import blueline
from blueline.adapters import ADAPTERS
from blueline.errors import BluelineError
from blueline.surfaces.cli import arguments
from blueline.surfaces.cli.completion import SHELLS, script
from tests.support.command import Run
from tests.support.fake_desk import FakeDesk, decided, hunk, listing, refused

BLUELINE = [sys.executable, "-m", "blueline"]


class Stuck(BluelineError):
    exit_code = 4


class TestWords:
    @pytest.mark.parametrize(
        "words",
        [
            ["-C", "/", "--json", "--color", "never", "list", "--by", "turn"],
            ["list", "--by", "turn", "-C", "/", "--json", "--color", "never"],
            ["-C", "/", "list", "--json", "--by=turn", "--color=never"],
        ],
    )
    def test_options_for_everything_stand_before_or_after_the_command(self, words: list[str]) -> None:
        given = arguments.parse(words)
        assert (given.command, given.directory, given.json, given.color) == ("list", "/", True, "never")
        assert given.by == "turn"

    def test_a_folder_may_be_called_like_a_command(self) -> None:
        given = arguments.parse(["-C", "list", "list", "--by", "file", "-C", "reject"])
        assert (given.command, given.directory, given.by) == ("list", "reject", "file")

    def test_what_is_not_said_has_a_value(self) -> None:
        given = arguments.parse(["reject", "h1"])
        assert (given.directory, given.json, given.color) == (".", False, "auto")
        assert (given.everything, given.reason, given.dry_run) == (False, "", False)

    def test_words_after_two_dashes_are_paths(self) -> None:
        given = arguments.parse(["reject", "--all", "--", "-x", "--json", "h1"])
        assert (given.selectors, given.json) == (["-x", "--json", "h1"], False)

    @pytest.mark.parametrize(
        "words",
        [
            ["h1", "h2", "--reason", "why", "--dry-run"],
            ["h1", "--reason", "why", "h2", "--dry-run"],
            ["--dry-run", "h1", "--reason=why", "h2"],
            ["--reason", "why", "--dry-run", "--", "h1", "h2"],
            ["h1", "--dry-run", "--reason", "why", "--", "h2"],
        ],
    )
    def test_options_may_stand_between_the_selectors(self, words: list[str]) -> None:
        given = arguments.parse(["reject", *words])
        assert (given.selectors, given.reason, given.dry_run) == (["h1", "h2"], "why", True)

    @pytest.mark.parametrize("words", [["--version"], ["list", "--version"], ["--json", "--version"]])
    def test_the_version(self, run: Run, words: list[str]) -> None:
        assert run(FakeDesk(), *words) == (0, f"blueline {blueline.__version__}\n", "")

    def test_help(self, run: Run) -> None:
        for words in (["--help"], ["-h", "list"]):
            done = run(FakeDesk(), *words)
            assert done.code == 0
            assert all(f"    {name} " in done.out for name in arguments.COMMANDS)
            assert max(map(len, done.out.splitlines())) <= 80
        done = run(FakeDesk(), "reject", "--help")
        assert done.code == 0
        assert "--keep-dependents" in done.out

    def test_no_words_at_all_show_the_help(self, run: Run) -> None:
        done = run(FakeDesk())
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("usage: blueline ")

    def test_every_command_has_its_function(self) -> None:
        for name, command in arguments.COMMANDS.items():
            module = import_module(f"blueline.surfaces.cli.{command.module}")
            assert callable(getattr(module, "list_" if name == "list" else name))

    def test_names_that_stand_in_two_places_are_the_same(self) -> None:
        assert arguments.SHELLS == SHELLS
        assert list(arguments.AGENTS) == list(ADAPTERS)

    @pytest.mark.parametrize("shell", SHELLS)
    def test_completion_knows_every_command(self, run: Run, shell: str) -> None:
        done = run(FakeDesk(), "completion", shell)
        assert done == (0, script(shell, arguments.parser()), "")
        assert all(name in done.out for name in arguments.COMMANDS)


class TestWrongUsage:
    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["list", "--by", "colour"], "argument --by: invalid choice"),
            (["lst"], "there is no command lst"),
            (["accept"], "what to accept?"),
            (["reject"], "what to reject?"),
            (["reject", "h1", "--with-dependents", "--keep-dependents"], "not allowed with"),
            (["show"], "SELECTOR"),
            (["list", "--stat", "all"], "unrecognized arguments: --stat"),
            (["--json"], "COMMAND"),
            (["list", "\x1b[31m"], "unrecognized arguments: \\x1b[31m"),
            (["mode", "fast"], "invalid choice"),
            (["-C"], "expected one argument"),
        ],
    )
    def test_it_is_said_with_a_hint_and_ends_in_2(self, run: Run, words: list[str], message: str) -> None:
        desk = FakeDesk()
        done = run(desk, *words)
        assert done.code == 2
        assert desk.asked == []
        first, second = done.err.splitlines()
        assert first.startswith("blueline: ")
        assert message in first
        assert second.startswith("hint: ")

    def test_a_command_that_is_nearly_right_is_guessed(self, run: Run) -> None:
        assert run(FakeDesk(), "lits").err.endswith("hint: did you mean: blueline list\n")

    def test_with_json_it_is_a_document_too(self, run: Run) -> None:
        done = run(FakeDesk(), "reject", "--json")
        assert (done.code, json.loads(done.out)["error"]) == (2, "what to reject?")
        assert run(FakeDesk(), "foo", "--", "--json").out == ""


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
        assert "deciding.py:" in text
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
        assert json.loads(run(FakeDesk(diff="-a\n"), "diff", "--json").out) == {"diff": "-a\n"}


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
    def loaded(self, folder: Path, *words: str) -> set[str]:
        program = (
            "import sys; from blueline.surfaces.cli.main import main; main(sys.argv[1:]);"
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
