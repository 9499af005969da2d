"""Runs the hook as an agent does, and reads back what it wrote."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import blueline.hook.recorder
from blueline.blobs.store import Blobs
from blueline.journal.frames import Damage, Frame
from blueline.journal.log import Journal
from blueline.journal.observation import Observation, parse
from blueline.kernel import project_folder

HOOK_FOLDER = str(Path(blueline.hook.recorder.__file__).parent)
START = f"import sys;sys.path[:0]=[{HOOK_FOLDER!r}];import recorder;"


def command(prelude: str = "") -> str:
    """The shell command an agent runs; `prelude` is Python that puts something in the hook's way first."""
    program = (
        f"{START}\n{prelude}\nrecorder.main('claude-code')"
        if prelude
        else f"{START}recorder.main('claude-code')"
    )
    return shlex.join([sys.executable, "-I", "-S", "-c", program])


@dataclass(frozen=True)
class HookProject:
    """A project that Blueline knows, in a home of its own."""

    root: Path
    home: Path

    @classmethod
    def make(cls, base: Path) -> HookProject:
        project = cls(base / "project", base / "home")
        (project.root / ".blueline").mkdir(parents=True)
        project.home.mkdir()
        return project

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "CLAUDE_PROJECT_DIR": str(self.root),
        }

    @property
    def state(self) -> Path:
        return self.home / "state" / "blueline" / project_folder.state_key(os.fsencode(self.root.resolve()))

    @property
    def blobs(self) -> Blobs:
        return Blobs(self.state / "blobs")

    def put(self, path: str, content: str | bytes) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def set_mode(self, mode: str) -> None:
        self.state.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.state / "mode").write_text(mode + "\n")

    def event(
        self, path: str | None, *, event: str = "PreToolUse", tool: str = "Edit", **fields: object
    ) -> bytes:
        """An event as Claude Code sends it. A path is taken below the root unless it is absolute."""
        given = (
            {} if path is None else {"file_path": str(self.root / path), "old_string": "a", "new_string": "b"}
        )
        common = {"session_id": "s", "cwd": str(self.root), "hook_event_name": event}
        return json.dumps(
            common | {"tool_name": tool, "tool_input": given, "tool_use_id": "toolu_1"} | fields
        ).encode()

    def start(self, prelude: str = "", **environment: str) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            ["sh", "-c", command(prelude)],
            cwd=self.root,
            env=self.environment | environment,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        )

    def run(self, raw: bytes, prelude: str = "", **environment: str) -> tuple[int, bytes, bytes]:
        """Exit code, standard output and standard error."""
        with self.start(prelude, **environment) as process:
            out, err = process.communicate(raw)
        return process.returncode, out, err

    def record(self, raw: bytes, prelude: str = "", **environment: str) -> Observation:
        """Run the hook, which must be content and silent, and give what it added to the journal."""
        before = len(self.observations())
        assert self.run(raw, prelude, **environment) == (0, b"", b"")
        (added,) = self.observations()[before:]
        return added

    def journal(self) -> list[Frame | Damage]:
        return list(Journal(self.state / "journal").read())

    def observations(self) -> list[Observation]:
        return observations(self.state)


def observations(state: Path) -> list[Observation]:
    """All whole records of a state folder."""
    found = Journal(state / "journal").read()
    return [parse(frame.payload) for frame in found if isinstance(frame, Frame)]
