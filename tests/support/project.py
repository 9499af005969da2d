"""A project with a person, agents and a desk, all in this process.

Events go through the functions that the hook process calls, in the order in which it calls them; `hook` runs
the process itself. The desk is opened for each verb, as the command line does; `command` runs that.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from blueline.adapters import interpret
from blueline.contract.checks import CheckDocument
from blueline.contract.decisions import DecisionDocument
from blueline.contract.log import LogDocument
from blueline.contract.overview import ListingDocument, Mode, ShownDocument, StatusDocument
from blueline.desk import Desk, state_folder
from blueline.hook import hosts, recorder
from blueline.journal.frames import Frame
from blueline.journal.log import Journal
from blueline.kernel import project_folder
from blueline.model.loop import LoopOutcome
from tests.support.home import environment, watched
from tests.support.hook_process import command
from tests.support.shown import as_promised

AGENT = "claude-code"
SECOND_NS = 10**9

Document = Any
"""A document of the contract; a test may ask it for anything."""
Verdict = Literal["accept", "reject"]
Dependents = Literal["ask", "with", "keep"]

POEM = "".join(f"line {number}\n" for number in range(1, 21))


class Call(NamedTuple):
    """A tool call that has begun."""

    key: str
    tool: str
    given: Document
    conversation: str
    refused: bool


class Project:
    """A folder that Blueline knows, in a home of its own."""

    def __init__(
        self, base: Path, files: Mapping[str, str | bytes] | None = None, name: str = "project"
    ) -> None:
        self.root = base / name
        self.home = base / "home"
        self.root.mkdir(parents=True)
        self.home.mkdir()
        watched(self.home)
        self.environ = {"PATH": os.environ["PATH"], **environment(self.home)}
        self.conversation = "conversation-1"
        self.subagent = ""
        """The sub-agent that works just now, if it is not the agent itself."""
        self.warnings: list[str] = []
        """What the desk had to say when it was last open."""
        self.is_damaged = False
        """The test broke what is stored, so that it need not hold together at the end."""
        self._calls = 0
        for path, content in (files or {}).items():
            self.put(path, content)
        self.state = state_folder.create(self.root, self.environ)

    # The person

    def put(self, path: str, content: str | bytes) -> Path:
        """Write a whole file, in an editor or by a program."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def sub(self, path: str, old: str, new: str) -> None:
        """Replace one text, which stands there once, by another."""
        self.put(path, replaced(self.text(path), old, new))

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def text(self, path: str) -> str:
        return self.read(path).decode()

    def exists(self, path: str) -> bool:
        return os.path.lexists(self.root / path)

    def mode(self, path: str) -> int:
        return stat.S_IMODE(os.lstat(self.root / path).st_mode)

    def times(self, path: str) -> tuple[int, int]:
        """Changes whenever somebody writes the file, even if it is with the same bytes."""
        found = os.lstat(self.root / path)
        return found.st_ino, found.st_mtime_ns

    def on_disk(self) -> dict[str, object]:
        """Everything in the project but what is git's own.

        Mode and bytes of a file, target of a link, None for a folder, the kind of anything else.
        """
        found: dict[str, object] = {}
        for here, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name != ".git"]
            for name in folders + names:
                path = os.path.relpath(os.path.join(here, name), self.root)
                place = self.root / path
                if place.is_symlink():
                    found[path] = os.readlink(place)
                elif place.is_dir() or not place.is_file():
                    found[path] = None if place.is_dir() else stat.S_IFMT(place.stat().st_mode)
                else:
                    found[path] = (self.mode(path), place.read_bytes())
        return found

    def git(self, *words: str, folder: str = ".") -> str:
        """What git says; it does not fail."""
        return self.shell(shlex.join(["git", *words]), folder=folder).stdout

    def shell(self, command: str, *, folder: str = ".") -> subprocess.CompletedProcess[str]:
        """A command that somebody runs in a terminal, and that does not fail."""
        done = self._run(command, folder)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done

    def _run(self, command: str, folder: str = ".") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.root / folder,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            check=False,
        )

    # The agent

    def event(self, name: str, **fields: object) -> bytes:
        """What Claude Code tells its hooks."""
        common = {"session_id": self.conversation, "cwd": str(self.root), "hook_event_name": name}
        if self.subagent:
            common |= {"agent_id": self.subagent, "agent_type": "general-purpose"}
        return json.dumps({**common, "permission_mode": "default", **fields}).encode()

    def record(self, raw: bytes, at_ns: int | None = None) -> int:
        """What the hook does with one event; its exit code. See `recorder.record`."""
        arrival = recorder.Arrival(time.time_ns() if at_ns is None else at_ns, AGENT, raw)
        arrival.root, state = os.fsencode(self.root.resolve()), os.fsencode(self.state)
        arrival.mode = project_folder.read_mode(state)
        if arrival.mode == b"direct":
            return 0
        before = os.umask(0o077)
        try:
            inside = recorder.write(arrival, state)
        finally:
            os.umask(before)
        return 2 if inside and arrival.mode == b"hold" and hosts.is_edit(arrival.said) else 0

    def hook(self, raw: bytes, prelude: str = "", **environ: str) -> tuple[int, bytes, bytes]:
        """Run the hook as the agent does; exit code, output and errors. See `hook_process.command`."""
        done = subprocess.run(
            ["sh", "-c", command(prelude)],
            cwd=self.root,
            env={**self.environ, "CLAUDE_PROJECT_DIR": str(self.root), **environ},
            input=raw,
            capture_output=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def prompt(self, text: str = "please") -> None:
        assert self.record(self.event("UserPromptSubmit", prompt=text)) == 0

    def stop(self, *busy: str) -> None:
        """The agent waits for its person; these sub-agents go on."""
        tasks = [{"id": one, "type": "subagent", "status": "running"} for one in busy]
        assert self.record(self.event("Stop", stop_hook_active=False, background_tasks=tasks)) == 0

    def call(self, tool: str, path: str, **given: object) -> Call:
        """A call that is about to be made; its events are `before` and `after`."""
        self._calls += 1
        about = {"file_path": str(self.root / path), **given}
        return Call(f"toolu_{self._calls:04d}", tool, about, self.conversation, False)

    def before(self, call: Call) -> bytes:
        return self._about(call, "PreToolUse")

    def after(self, call: Call, *, failed: bool = False) -> bytes:
        return self._about(call, "PostToolUseFailure" if failed else "PostToolUse", tool_response={})

    def _about(self, call: Call, name: str, **fields: object) -> bytes:
        about = {"tool_name": call.tool, "tool_input": call.given, "tool_use_id": call.key}
        return self.event(name, session_id=call.conversation, **about, **fields)

    def begin(self, tool: str, path: str, **given: object) -> Call:
        """A call begins; it may be refused, as in hold mode."""
        call = self.call(tool, path, **given)
        return call._replace(refused=self.record(self.before(call)) == 2)

    def end(self, call: Call, *, failed: bool = False) -> None:
        assert self.record(self.after(call, failed=failed)) == 0

    def tool(self, tool: str, path: str, act: Callable[[], object], **given: object) -> str:
        """A whole call that names one file; `act` is what the tool does to it."""
        call = self.begin(tool, path, **given)
        if not call.refused:
            act()
            self.end(call)
        return call.key

    def edit(self, path: str, old: str, new: str, *, every: bool = False, nth: int = 0) -> str:
        """The agent's Edit; of several equal places, `nth` is the one replaced."""

        def act() -> None:
            text = self.text(path)
            at = -1
            for _ in range(nth + 1):
                at = text.index(old, at + 1)
            once = text[:at] + new + text[at + len(old) :]
            self.put(path, text.replace(old, new) if every else once)

        return self.tool("Edit", path, act, old_string=old, new_string=new, replace_all=every)

    def write(self, path: str, content: str | bytes) -> str:
        """The agent's Write."""
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        return self.tool("Write", path, lambda: self.put(path, content), content=text)

    def remove(self, path: str) -> str:
        """A call of the agent after which the file it names is gone."""
        return self.tool("Write", path, (self.root / path).unlink, content="")

    def bash(self, command: str, *, code: int = 0) -> str:
        """A whole call of the agent's shell, which ends with this code."""
        call = self.begin_bash(command)
        done = self._run(command)
        assert done.returncode == code, f"{command}: {done.stdout}{done.stderr}"
        self.end(call, failed=code != 0)
        return call.key

    def begin_bash(self, command: str = "") -> Call:
        """A call of the agent's shell begins; what it does is up to the test, until `end`."""
        self._calls += 1
        call = Call(f"toolu_{self._calls:04d}", "Bash", {"command": command}, self.conversation, False)
        assert self.record(self.before(call)) == 0
        return call

    # The desk

    @contextmanager
    def desk(self, start: str = ".") -> Iterator[Desk]:
        with Desk.open(self.root / start, environ=self.environ, interpret=interpret) as desk:
            self.warnings = desk.warnings
            yield desk

    def hunks(self, path: str | None = None, status: str = "pending") -> list[Document]:
        with self.desk() as desk:
            found: list[Document] = as_promised(desk.list(status=status), ListingDocument)["hunks"]
        return [hunk for hunk in found if path in (None, hunk["path"])]

    def hunk(self, new: str) -> str:
        """The id of the one pending hunk with this text in its new lines."""
        (found,) = (hunk["id"] for hunk in self.hunks() if new in (hunk["new"] or ""))
        return str(found)

    def turns(self) -> list[Document]:
        return self._groups("turn")

    def calls(self) -> list[Document]:
        return self._groups("call")

    def _groups(self, by: str) -> list[Document]:
        with self.desk() as desk:
            listing: Document = as_promised(desk.list(by=by, status="all"), ListingDocument)
            found: list[Document] = listing[f"{by}s"]
        return found

    def turn(self, prompt: str) -> str:
        (found,) = (turn["id"] for turn in self.turns() if turn["prompt"] == prompt)
        return str(found)

    def log(self, kind: str | None = None) -> list[Document]:
        with self.desk() as desk:
            entries: list[Document] = as_promised(desk.log(), LogDocument)["entries"]
        return [entry for entry in entries if kind in (None, entry["kind"])]

    def show(self, selector: str) -> Document:
        with self.desk() as desk:
            return as_promised(desk.show(selector), ShownDocument)

    def status(self) -> Document:
        with self.desk() as desk:
            return as_promised(desk.status(), StatusDocument)

    def gate(self) -> list[str]:
        """The codes of the reasons why this may not ship, but for those that ask for a review."""
        codes = [reason["code"] for reason in self.status()["gate"]["reasons"]]
        return [code for code in codes if code != "no-review"]

    def looked_at(self) -> None:
        """Somebody has looked at all as it stands: when everything is decided, these bytes may ship."""
        config = self.root / ".blueline" / "config.toml"
        loops = "".join(f'[review.loops.{n}]\nskip = "nothing to run here"\n' for n in (1, 2, 3, 4))
        config.write_text(config.read_text() + loops)
        with self.desk() as desk:
            outcome = LoopOutcome(passed=True, at="2030-01-01T00:00:00.000Z", by="somebody")
            desk.gatekeeper.reported(1, outcome)

    def check(self, *, repair: bool = False) -> Document:
        with self.desk() as desk:
            return as_promised(desk.check(repair=repair), CheckDocument)

    def set_mode(self, mode: Mode) -> None:
        with self.desk() as desk:
            desk.set_mode(mode)

    def decide(
        self,
        verdict: Verdict,
        selectors: Sequence[str],
        *,
        dependents: Dependents = "ask",
        reason: str = "",
        dry_run: bool = False,
    ) -> Document:
        """The answer as it comes. No selector means everything, as `--all` does."""
        with self.desk() as desk:
            answer = desk.decide(
                verdict,
                selectors,
                everything=not selectors,
                dependents=dependents,
                reason=reason,
                dry_run=dry_run,
            )
        return as_promised(answer, DecisionDocument)

    def accept(self, *selectors: str) -> Document:
        """Accept some things, or everything; nothing has to be chosen."""
        return settled(self.decide("accept", selectors))

    def reject(
        self, *selectors: str, dependents: Dependents = "ask", reason: str = "", dry_run: bool = False
    ) -> Document:
        """Reject some things, or everything; nothing has to be chosen."""
        return settled(
            self.decide("reject", selectors, dependents=dependents, reason=reason, dry_run=dry_run)
        )

    def asked(self, verdict: Verdict, *selectors: str) -> list[Document]:
        """What has to be chosen first. Nothing was done: no file, no decision, no hunk is different."""
        before = self.on_disk(), self.hunks(status="all"), self.log("decision")
        answer = self.decide(verdict, selectors)
        assert answer["needs"]
        assert (answer["decision"], answer["results"], answer["written"]) == (None, [], [])
        assert answer["error"]
        assert answer["hint"]
        assert (self.on_disk(), self.hunks(status="all"), self.log("decision")) == before
        needs: list[Document] = answer["needs"]
        return needs

    def undo(self, decision: str | None = None) -> Document:
        with self.desk() as desk:
            return settled(as_promised(desk.undo(decision), DecisionDocument))

    def redo(self) -> Document:
        with self.desk() as desk:
            return settled(as_promised(desk.redo(), DecisionDocument))

    def command(self, *words: str, folder: str = ".") -> subprocess.CompletedProcess[str]:
        """The real command line."""
        return subprocess.run(
            [sys.executable, "-m", "blueline", *words],
            cwd=self.root / folder,
            env={**self.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONSAFEPATH": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    # What is stored

    @property
    def journal(self) -> Path:
        return self.state / "journal"

    @property
    def index(self) -> Path:
        return self.state / "index.sqlite"

    def frames(self) -> list[Frame]:
        return [found for found in Journal(self.journal).read() if isinstance(found, Frame)]

    def lose_index(self) -> None:
        self.index.unlink(missing_ok=True)

    def keep(self, place: Path) -> None:
        """Put project and state aside as they are, for `restore`. Blobs only ever come to what is there."""
        shutil.copytree(self.root, place / "project", symlinks=True)
        (place / "state").mkdir()
        for path in self.state.iterdir():
            if path.is_file():
                shutil.copy2(path, place / "state")

    def restore(self, place: Path) -> None:
        shutil.rmtree(self.root)
        shutil.copytree(place / "project", self.root, symlinks=True)
        for path in self.state.iterdir():
            if path.is_file():
                path.unlink()
        for path in (place / "state").iterdir():
            shutil.copy2(path, self.state)

    def known(self) -> Document:
        """All that can be asked for, but for times."""
        return {
            "hunks": self.hunks(status="all"),
            "turns": self.turns(),
            "calls": self.calls(),
            "decisions": self.log("decision"),
        }

    def assert_sound(self) -> None:
        """Journal, blobs, index and files agree; without the index, the answers are the same."""
        known = self.known()
        assert [problem for problem in self.check()["problems"] if not problem["harmless"]] == []
        self.lose_index()
        assert self.known() == known


Make = Callable[..., Project]
"""What the fixture `project` gives: files by path in, a project with them out."""


def settled(answer: Document) -> Document:
    assert answer["needs"] == [], f"a choice is needed: {answer}"
    return answer


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {text!r}"
    return text.replace(old, new)
