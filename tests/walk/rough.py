"""Short texts that come again and again, files that come and go: what stays true without any oracle."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import ExitStack
from itertools import pairwise

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from blueline.contract.overview import Mode
from blueline.review.file import File
from tests.support.texts import TEXTS
from tests.walk.machine import PLACES, Machine

PATHS = ("a.md", "folder/b.md", "new/deep/c.md")
ANY_PATH = st.sampled_from((*PATHS[:1] * 3, *PATHS))
CONTENTS = TEXTS.map(str.encode) | TEXTS.map(str.encode) | st.sampled_from((b"\0one", b"\0two", b"\xff\xfe"))
CONVERSATIONS = st.sampled_from(("one", "two"))
MODES = st.sampled_from((0o644, 0o755, 0o600))


class Rough(Machine):
    """Everything may stand in a file, and may have stood there before."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, list[bytes]] = defaultdict(list)
        """Every content that a path ever had."""
        self.running = ExitStack()
        """Calls that have begun, and end when this is closed."""
        self.busy: set[str] = set()

    def teardown(self) -> None:
        self.running.close()
        super().teardown()

    def check(self, file: File) -> None:
        if file.live.path not in self.busy:
            super().check(file)
        for weave in file.weaves:
            places = defaultdict(list)
            for run in weave.runs:
                places[run.insertion.op].append((run.start, run.end, run.insertion.since))
            for found in places.values():
                # R09: runs tile what was inserted. Nothing is lost from a weave, and nothing is there twice.
                in_order = sorted(found)
                assert in_order[0][0] == 0
                assert all(one[1] == other[0] for one, other in pairwise(in_order))
                # What formatters did is counted after it, and stands anywhere in it (rule D2 b).
                assert [one for one in found if not one[2]] == [one for one in in_order if not one[2]]

    def leave(self, path: str, content: bytes) -> None:
        (self.project.root / path).parent.mkdir(parents=True, exist_ok=True)
        self.project.put(path, content)
        self.seen[path].append(content)

    @initialize(contents=st.tuples(CONTENTS, CONTENTS))
    def begin(self, contents: tuple[bytes, bytes]) -> None:
        for path, content in zip(PATHS, contents, strict=False):
            self.leave(path, content)
        self.project.prompt("one")

    @rule(path=ANY_PATH, content=CONTENTS)
    def person_writes(self, path: str, content: bytes) -> None:
        self.leave(path, content)
        self.command()

    @rule(path=ANY_PATH, place=PLACES)
    def person_puts_an_earlier_content_back(self, path: str, place: int) -> None:
        """An editor's undo or redo, a branch switched away and back."""
        if self.seen[path]:
            self.leave(path, self.seen[path][-1 - place % len(self.seen[path])])
        self.command()

    @rule(path=ANY_PATH)
    def person_removes_a_file(self, path: str) -> None:
        (self.project.root / path).unlink(missing_ok=True)
        self.command()

    @rule(old=ANY_PATH, new=ANY_PATH)
    def person_renames_a_file(self, old: str, new: str) -> None:
        source, target = self.project.root / old, self.project.root / new
        if source.exists() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            os.rename(source, target)
        self.command()

    @rule(path=ANY_PATH, mode=MODES)
    def person_changes_a_mode(self, path: str, mode: int) -> None:
        if (self.project.root / path).exists():
            (self.project.root / path).chmod(mode)
        self.command()

    @rule(path=ANY_PATH, conversation=CONVERSATIONS, content=CONTENTS, looked_at=st.booleans())
    def agent_writes(self, path: str, conversation: str, content: bytes, looked_at: bool) -> None:
        with self.project.calling(conversation, path, content) as allowed:
            if allowed:
                self.leave(path, content)
        if looked_at:
            self.command()

    @rule(path=ANY_PATH, conversation=CONVERSATIONS, content=CONTENTS)
    def agent_begins_to_write(self, path: str, conversation: str, content: bytes) -> None:
        """What is decided about the file until the call ends has to wait (rule B9)."""
        if self.mode == "review" and path not in self.busy:
            self.running.enter_context(self.project.calling(conversation, path, content))
            self.busy.add(path)
            self.leave(path, content)
            self.command()

    @precondition(lambda self: self.busy)
    @rule()
    def agents_finish(self) -> None:
        self.running.close()
        self.busy.clear()
        self.command()

    @rule(path=ANY_PATH, conversation=CONVERSATIONS, place=PLACES)
    def agent_writes_an_earlier_content(self, path: str, conversation: str, place: int) -> None:
        if self.seen[path]:
            content = self.seen[path][-1 - place % len(self.seen[path])]
            self.agent_writes(path, conversation, content, looked_at=True)

    @rule(path=ANY_PATH, conversation=CONVERSATIONS, mode=MODES)
    def agent_changes_more_than_it_says(self, path: str, conversation: str, mode: int) -> None:
        """The bytes on disk win over the message (rule A4): here they are a mode, or a file that is gone."""
        content = self.project.contents().get(path, (0, b""))[1]
        with self.project.calling(conversation, path, content) as allowed:
            if allowed and (self.project.root / path).exists():
                (self.project.root / path).chmod(mode)
                if mode == 0o600:
                    (self.project.root / path).unlink()
        self.command()

    @rule(mode=st.sampled_from(("review", "review", "hold", "direct")))
    def person_asks(self, mode: Mode) -> None:
        self.agents_finish()
        self.command(lambda desk: desk.set_mode(mode))
        self.mode = mode
        if mode != "direct":
            self.project.prompt("one")
