"""The rough walk with an agent that also runs commands: several files at once, without saying which."""

from __future__ import annotations

import os
from typing import Literal, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import rule

from blueline.desk import Desk
from blueline.desk.selectors import UnknownSelector
from blueline.review.file import File
from tests.walk.chronicle import Verdict
from tests.walk.machine import Choice
from tests.walk.rough import ANY_PATH, CONTENTS, CONVERSATIONS, MODES, Rough


class Deed(NamedTuple):
    """One thing that a command does."""

    what: Literal["write", "append", "remove", "move", "mode"]
    path: str
    other: str
    content: bytes
    mode: int


DEEDS = st.builds(
    Deed,
    what=st.sampled_from(("write", "append", "remove", "move", "mode")),
    path=ANY_PATH,
    other=ANY_PATH,
    content=CONTENTS,
    mode=MODES,
)


class Shell(Rough):
    """Whatever stays true in the rough walk stays true with commands, too."""

    def __init__(self) -> None:
        super().__init__()
        self.commands = 0

    def check(self, file: File) -> None:
        kind, path = file.live.node.kind, self.project.root / file.live.path
        if kind == "folder":
            assert path.is_dir(), path
        # Its name may have gone to another file, which has a look of its own.
        elif kind != "absent" or not path.exists():
            super().check(file)

    def decide(self, desk: Desk, choice: Choice) -> Verdict | None:
        try:
            return super().decide(desk, choice)
        except UnknownSelector:
            return None  # the decision before this one gave the file another name

    @rule(conversation=CONVERSATIONS, deeds=st.lists(DEEDS, min_size=1, max_size=3), looked_at=st.booleans())
    def agent_runs_a_command(self, conversation: str, deeds: list[Deed], looked_at: bool) -> None:
        self.commands += 1
        about = {
            "tool_name": "Bash",
            "tool_use_id": f"toolu_bash_{self.commands}",
            "tool_input": {"command": "…"},
        }
        if self.mode != "direct":
            self.project.hook("PreToolUse", conversation, **about)
        for deed in deeds:
            if deed.path not in self.busy and deed.other not in self.busy:
                self.do(deed)
        if self.mode != "direct":
            self.project.hook("PostToolUse", conversation, **about)
        if looked_at:
            self.command()

    def do(self, deed: Deed) -> None:
        place, other = self.project.root / deed.path, self.project.root / deed.other
        match deed.what:
            case "write":
                self.leave(deed.path, deed.content)
            case "append" if place.exists():
                self.leave(deed.path, place.read_bytes() + deed.content)
            case "remove":
                place.unlink(missing_ok=True)
            case "move" if place.exists() and not other.exists():
                other.parent.mkdir(parents=True, exist_ok=True)
                os.rename(place, other)
            case "mode" if place.exists():
                place.chmod(deed.mode)
            case _:
                pass
