"""The hook process: run as an agent runs it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from blueline.model.file_state import Regular
from tests.support.hook_process import HookProject, command


class TestWhatIsWrittenDown:
    def test_an_edit_is_recorded_with_the_bytes_of_its_file(self, project: HookProject) -> None:
        path = project.put("src/a.py", b"one\r\ntwo")
        path.chmod(0o754)
        raw = project.event("src/a.py")
        seen = project.record(raw)
        found = path.stat()
        assert (seen.agent, seen.event, seen.mode) == ("claude-code", "PreToolUse", "review")
        assert (seen.path, seen.outside, seen.raw, seen.raw_blob) == ("src/a.py", None, raw, None)
        assert isinstance(seen.state, Regular)
        assert (seen.state.mode, seen.state.size) == (0o754, 8)
        assert project.blobs.get(seen.state.blob) == b"one\r\ntwo"
        times = (found.st_mtime_ns, found.st_ctime_ns)
        assert seen.stat == (found.st_dev, found.st_ino, *times, found.st_size)

    @pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PostToolUseFailure"])
    @pytest.mark.parametrize("key", ["file_path", "notebook_path"])
    def test_every_event_around_a_tool_looks_at_the_file(
        self, project: HookProject, event: str, key: str
    ) -> None:
        path = project.put("a.ipynb", "{}")
        seen = project.record(project.event(None, event=event, tool_input={key: str(path)}))
        assert (seen.event, seen.path) == (event, "a.ipynb")
        assert isinstance(seen.state, Regular)

    def test_copilot_which_runs_the_same_hook_names_the_file_otherwise(self, project: HookProject) -> None:
        path = project.put("a.md", "one")
        seen = project.record(
            project.event(None, tool_input={"path": str(path), "old_str": "", "new_str": ""})
        )
        assert seen.path == "a.md"

    @pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "SessionStart", "Something\nNew"])
    def test_other_events_are_recorded_without_a_file(self, project: HookProject, event: str) -> None:
        raw = project.event("a.md", event=event)
        seen = project.record(raw)
        assert (seen.event, seen.path, seen.state, seen.raw) == (event, None, None, raw)

    def test_a_relative_path_is_taken_from_the_folder_the_agent_is_in(self, project: HookProject) -> None:
        project.put("src/deep/a.py", "one")
        raw = project.event(
            None, cwd=str(project.root / "src"), tool_input={"file_path": "deep/../deep/./a.py"}
        )
        assert project.record(raw).path == "src/deep/a.py"

    def test_a_folder_in_the_event_that_is_none_does_not_matter(self, project: HookProject) -> None:
        for cwd in ("", "not/absolute", 7, None):
            raw = project.event(None, cwd=cwd, tool_input={"file_path": "src/a.py"})
            assert project.record(raw).path == "src/a.py"

    def test_a_long_payload_goes_to_the_blob_store(self, project: HookProject) -> None:
        project.put("a.md", "one")
        raw = project.event("a.md", filling="x" * 40_000)
        seen = project.record(raw)
        assert (seen.path, seen.raw) == ("a.md", None)
        assert seen.raw_blob is not None
        assert project.blobs.get(seen.raw_blob) == raw

    def test_an_empty_file_is_not_an_absent_one(self, project: HookProject) -> None:
        project.put("a.md", "")
        state = project.record(project.event("a.md")).state
        assert isinstance(state, Regular)
        assert project.blobs.get(state.blob) == b""

    def test_names_are_bytes(self, project: HookProject) -> None:  # Z37
        for name in (
            "new\nline",
            "back\\slash\\n",
            "-dash",
            "carriage\rreturn",
            " ",
            os.fsdecode(b"\xff\xfe"),
            "ä",
        ):
            project.put(name, "one")
            seen = project.record(project.event(name))
            assert (seen.path, type(seen.state)) == (name, Regular)

    def test_everything_is_for_the_owner_only(self, project: HookProject) -> None:
        project.put("a.md", "one")
        project.record(project.event("a.md", filling="x" * 40_000))
        found = [project.home / "state", *(project.home / "state").rglob("*")]
        assert {path.name for path in found} >= {"format", "root", "journal", "blobs", "tmp"}
        for path in found:
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
        assert (project.state / "format").read_text() == "blueline 2\n"
        assert (project.state / "root").read_bytes() == os.fsencode(project.root)


class TestAnyInput:
    @pytest.mark.parametrize(
        "raw",
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b"\xff\xfe",
            b"{} {}",
            b'{"hook_event_name": 5, "tool_input": 5}',
            b'{"hook_event_name":"PreToolUse","tool_input":{"file_path":["a"]},"n":' + b"9" * 10_000 + b"}",
            b'{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/no/such"},"cwd":7}',
            b"[" * 10_000,
            b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
            b"x" * 5_000_000,
        ],
        ids=lambda raw: repr(raw[:20]),
    )
    def test_is_stored_as_it_came(self, project: HookProject, raw: bytes) -> None:  # QC12
        seen = project.record(raw)
        assert raw == (seen.raw if seen.raw_blob is None else project.blobs.get(seen.raw_blob))
        assert seen.path is None

    def test_a_hundred_megabytes(self, project: HookProject) -> None:  # QC12
        raw = project.event(None, filling="0123456789" * 10_000_000)
        seen = project.record(raw)
        assert seen.event == "PreToolUse"
        assert seen.raw_blob is not None
        assert project.blobs.get(seen.raw_blob) == raw

    def test_the_last_of_two_equal_keys_counts(self, project: HookProject) -> None:
        raw = project.event("b.md").replace(
            b'"tool_input"', b'"tool_input": {"file_path": "a.md"}, "tool_input"'
        )
        assert json.loads(raw)["tool_input"]["file_path"].endswith("b.md")
        assert project.record(raw).path == "b.md"

    def test_no_input_at_all(self, project: HookProject) -> None:
        done = subprocess.run(
            ["sh", "-c", command() + " <&- >&- 2>&-"], cwd=project.root, env=project.environment, check=False
        )
        assert done.returncode == 0
        assert [seen.raw for seen in project.observations()] == [b""]

    @pytest.mark.parametrize("error", ["KeyboardInterrupt", "MemoryError", "RecursionError", "SystemExit(7)"])
    def test_no_failure_reaches_the_agent(self, project: HookProject, error: str) -> None:
        prelude = f"def fail(raw): raise {error}\nrecorder.hosts.parse = fail"
        code, out, err = project.run(b"{}", prelude)
        assert (code, out) == (0, b"")
        assert err.count(b"\n") == 1


class TestWhichProject:
    def test_outside_any_project_nothing_happens(self, project: HookProject, tmp_path: Path) -> None:
        assert project.run(project.event("a.md"), CLAUDE_PROJECT_DIR=str(tmp_path)) == (0, b"", b"")
        assert list(project.home.iterdir()) == []

    def test_a_state_folder_is_enough_when_the_tree_was_cleaned(self, project: HookProject) -> None:
        project.record(project.event("a.md"))
        shutil.rmtree(project.root / ".blueline")
        assert project.record(project.event("b.md")).path == "b.md"

    def test_the_nearest_project_above_is_the_one(self, project: HookProject) -> None:
        inner = HookProject(project.root / "inner", project.home)
        (inner.root / ".blueline").mkdir(parents=True)
        (inner.root / "deep").mkdir()
        project.run(inner.event("deep/a.md"), CLAUDE_PROJECT_DIR=str(inner.root / "deep"))
        assert [seen.path for seen in inner.observations()] == ["deep/a.md"]
        assert project.observations() == []

    def test_without_the_variable_it_is_the_folder_in_the_event(self, project: HookProject) -> None:
        (project.root / "deep").mkdir()
        raw = project.event("a.md", cwd=str(project.root / "deep"))
        assert project.record(raw, CLAUDE_PROJECT_DIR="").path == "a.md"

    def test_a_project_opened_through_a_link_is_the_same(
        self, project: HookProject, tmp_path: Path
    ) -> None:  # QC16
        project.put("a.md", "one")
        (tmp_path / "link").symlink_to(project.root)
        raw = project.event(str(tmp_path / "link" / "a.md"))
        assert project.record(raw, CLAUDE_PROJECT_DIR=str(tmp_path / "link")).path == "a.md"

    def test_without_a_state_home_it_is_below_the_home_folder(self, project: HookProject) -> None:
        project.run(project.event("a.md"), XDG_STATE_HOME="not/absolute")
        assert (project.home / ".local" / "state" / "blueline" / project.state.name / "journal").exists()


class TestModes:
    def test_direct_records_nothing(self, project: HookProject) -> None:
        project.set_mode("direct")
        assert project.run(project.event("a.md")) == (0, b"", b"")
        assert [path.name for path in project.state.iterdir()] == ["mode"]

    @pytest.mark.parametrize("tool", ["Edit", "MultiEdit", "Write", "NotebookEdit"])
    def test_hold_refuses_an_edit_and_keeps_it(self, project: HookProject, tool: str) -> None:
        project.set_mode("hold")
        raw = project.event("new.md", tool=tool)
        code, out, err = project.run(raw)
        assert (code, out) == (2, b"")
        assert b"proposal" in err
        (seen,) = project.observations()
        assert (seen.mode, seen.path, seen.raw) == ("hold", "new.md", raw)

    def test_claude_code_is_refused_in_its_own_form(self, project: HookProject) -> None:
        # With exit code 2 it would put the whole command of the hook before the reason.
        project.set_mode("hold")
        code, out, err = project.run(project.event("new.md"), CLAUDECODE="1", CLAUDE_PID="17")
        assert (code, err) == (0, b"")
        (answer,) = json.loads(out).values()
        assert (answer["hookEventName"], answer["permissionDecision"]) == ("PreToolUse", "deny")
        assert answer["permissionDecisionReason"].startswith("This edit was not made.")
        assert "kept as a proposal" in answer["permissionDecisionReason"]
        (seen,) = project.observations()
        assert (seen.mode, seen.path) == ("hold", "new.md")

    def test_others_that_read_its_settings_are_refused_in_the_form_that_all_heed(
        self, project: HookProject
    ) -> None:
        project.set_mode("hold")
        environment = {"CLAUDECODE": "1", "CLAUDE_PID": "17"}  # inherited: started in Claude Code's shell
        raw = project.event("a.md", tool="Write", conversation_id="c", cursor_version="1", workspace_roots=[])
        code, out, err = project.run(raw, **environment)
        assert (code, out) == (2, b"")
        assert b"proposal" in err

    def test_hold_lets_all_else_through(self, project: HookProject, tmp_path: Path) -> None:
        project.set_mode("hold")
        for raw in (
            project.event(None, tool="Bash", tool_input={"command": "ls"}),
            project.event("a.md", event="PostToolUse"),
            project.event(str(tmp_path / "outside.md")),
            project.event(None),
            b"garbage",
        ):
            assert project.record(raw).mode == "hold"

    def test_a_mode_that_is_not_known_is_review(self, project: HookProject) -> None:
        project.set_mode("holdd")
        assert project.record(project.event("a.md")).mode == "review"


class TestTheProcess:
    def test_thirty_two_at_once_lose_nothing(self, project: HookProject) -> None:
        for number in range(32):
            project.put(f"f{number}", f"content {number % 8}")
        running = [project.start() for _ in range(32)]
        for number, process in enumerate(running):
            assert process.stdin is not None
            process.stdin.write(project.event(f"f{number}"))
            process.stdin.flush()
        for process in running:
            assert process.stdin is not None
            process.stdin.close()
            process.stdin = None
        assert [process.communicate() for process in running] == [(b"", b"")] * 32
        assert [process.returncode for process in running] == [0] * 32
        seen = project.observations()
        assert sorted(one.path or "" for one in seen) == sorted(f"f{number}" for number in range(32))
        states = [one.state for one in seen]
        contents = {project.blobs.get(state.blob) for state in states if isinstance(state, Regular)}
        assert contents == {b"content %d" % number for number in range(8)}
        assert len(project.journal()) == 32

    def test_nothing_in_a_project_is_imported(self, project: HookProject) -> None:
        for name in ("recorder", "disk", "posix", "_json", "json", "zlib", "sitecustomize", "encodings"):
            project.put(f"{name}.py", "open('OWNED', 'w')\n")
        project.record(project.event("recorder.py"), PYTHONPATH=str(project.root), PYTHONSTARTUP="json.py")
        assert not (project.root / "OWNED").exists()

    def test_only_cheap_modules_are_loaded(self, project: HookProject) -> None:
        project.put("a.md", "one\n" * 4000)
        tell = "import posix; posix._exit = lambda code: print(*sys.modules)"
        _, out, _ = project.run(project.event("a.md"), tell)
        loaded = set(out.decode().split())
        assert "recorder" in loaded
        dear = {
            "os",
            "json",
            "re",
            "typing",
            "collections",
            "enum",
            "struct",
            "hashlib",
            "zlib",
            "pathlib",
            "site",
        }
        assert not loaded & dear

    def test_the_length_of_the_journal_is_all_the_same(self, project: HookProject) -> None:  # QD28
        project.record(project.event("a.md"))
        with (project.state / "journal").open("r+b") as file:
            file.truncate(1 << 32)
        assert project.run(project.event("a.md"), NO_LONG_READS) == (0, b"", b"")
        assert (project.state / "journal").stat().st_size > 1 << 32


NO_LONG_READS = """
import posix
read = posix.read
def short(fd, size):
    assert fd == 0 or size < 100
    return read(fd, size)
posix.read = short
"""
