"""A real project in a folder of its own: an agent's hooks run in this process, people write to the disk."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from blueline.adapters import interpret
from blueline.blobs.store import Blobs
from blueline.desk import Desk, state_folder
from blueline.desk.project_store import Store
from blueline.hook import recorder
from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT, Frame
from blueline.journal.log import Journal
from blueline.kernel import project_folder
from blueline.model.fact import Fact
from blueline.model.file_state import FileState, Regular
from blueline.model.ids import BlobId
from blueline.review.file import File
from tests.support.home import environment
from tests.walk.dying import dying

AGENT = "claude-code"


class Project:
    """Whoever has one sees it as the command line does: every command opens the desk and lets it go."""

    def __init__(self) -> None:
        self._base = Path(tempfile.mkdtemp(prefix="blueline-walk-")).resolve()
        self.root = self._base / "project"
        self.root.mkdir()
        self._environment = environment(self._base / "home")
        self.state = state_folder.create(self.root, self._environment)
        with patch("os.urandom", bytes), self.desk():
            pass  # the ids of hunks are the same in every walk, so that one can be walked again
        self._blobs = Blobs(self.state / "blobs")
        self._cursor = 0
        self._calls = itertools.count(1)

    def remove(self) -> None:
        shutil.rmtree(self._base)

    @contextmanager
    def desk(self) -> Iterator[Desk]:
        with Desk.open(self.root, environ=self._environment, interpret=interpret) as desk:
            yield desk

    @contextmanager
    def desk_dying(self, after: int) -> Iterator[Desk]:
        """The same, in a process that dies while it opens."""
        begun = Store.catch_up

        def catch_up(store: Store) -> None:
            # Not before the desk is able to let go of its lock, as the kernel would.
            stack.enter_context(dying(after))
            begun(store)

        with ExitStack() as stack:
            stack.enter_context(patch.object(Store, "catch_up", catch_up))
            with self.desk() as desk:
                yield desk

    def damage_index(self, content: bytes | None) -> None:
        """Put something else in the place of the index, or nothing."""
        for path in self.state.glob("index.sqlite*"):
            path.unlink()
        if content is not None:
            (self.state / "index.sqlite").write_bytes(content)

    # Files

    def put(self, path: str, content: str | bytes) -> None:
        (self.root / path).write_bytes(content.encode() if isinstance(content, str) else content)

    def text(self, path: str) -> str | None:
        """None when there is no such file; bytes that are no text are replaced."""
        try:
            return (self.root / path).read_bytes().decode(errors="replace")
        except (FileNotFoundError, IsADirectoryError):
            return None

    def contents(self) -> dict[str, tuple[int, bytes]]:
        """Everything that stands in the project, with its mode."""
        found = {}
        for path in self.root.rglob("*"):
            if path.is_file() and path.parent.name != ".blueline" and ".git" not in path.parts:
                found[str(path.relative_to(self.root))] = (path.stat().st_mode, path.read_bytes())
        return found

    def check(self, file: File) -> None:
        """What the ledger says of a file is on disk."""
        live, path = file.live, self.root / file.live.path
        match live.node.kind:
            case "text":
                assert path.read_bytes() == (live.text or "").encode(), live.path
            case "bytes":
                assert path.read_bytes() == self._blobs.get(BlobId(str(live.node.value))), live.path
            case "absent":
                assert not path.exists(), live.path
            case "link" | "folder" | "notebook" | "unknown":
                raise AssertionError(f"nobody made anything else of {live.path}, and every look was clear")
        if live.node.kind in ("text", "bytes"):
            assert path.stat().st_mode & 0o7777 == live.mode, live.path

    # The agent

    def prompt(self, conversation: str) -> None:
        self.hook("UserPromptSubmit", conversation, prompt="please")

    def hook(self, event: str, conversation: str, **fields: object) -> None:
        """What a hook process does, without the process."""
        payload = {"session_id": conversation, "cwd": str(self.root), "hook_event_name": event, **fields}
        arrival = recorder.Arrival(time.time_ns(), AGENT, json.dumps(payload).encode())
        state = os.fsencode(self.state)
        arrival.root, arrival.mode = os.fsencode(self.root), project_folder.read_mode(state)
        recorder.write(arrival, state)

    def call(self, conversation: str, path: str, text: str, said: tuple[str, str] | None) -> None:
        """One Edit, when it is said what it replaces, or one Write. In hold mode it is refused."""
        with self.calling(conversation, path, text.encode(), said) as allowed:
            if allowed:
                self.put(path, text)

    @contextmanager
    def calling(
        self, conversation: str, path: str, content: bytes, said: tuple[str, str] | None = None
    ) -> Iterator[bool]:
        """A call, during which something may be done if it is allowed."""
        about: dict[str, object] = {"file_path": str(self.root / path)}
        if said is None:
            about["content"] = content.decode(errors="replace")
        else:
            about |= {"old_string": said[0], "new_string": said[1]}
        call = {
            "tool_name": "Write" if said is None else "Edit",
            "tool_use_id": f"toolu_{next(self._calls)}",
            "tool_input": about,
        }
        mode = project_folder.read_mode(os.fsencode(self.state))
        if mode != b"direct":
            self.hook("PreToolUse", conversation, **call)
        yield mode != b"hold"
        if mode == b"review":
            self.hook("PostToolUse", conversation, **call)

    # The journal

    def news(self) -> list[Fact]:
        """The facts written down since this was last asked."""
        facts: list[Fact] = []
        for found in Journal(self.state / "journal").read(self._cursor):
            assert isinstance(found, Frame), f"the journal is damaged: {found}"
            if found.kind == EVENT:
                facts += load_event(found.payload).facts
            self._cursor = found.end
        return facts

    def stored(self, state: FileState) -> str | None:
        """The text of a file in some state; None when there is no file."""
        if not isinstance(state, Regular):
            return None
        return self._blobs.get(state.blob).decode()
