"""Random histories of an agent that writes, a person who types in a page that lags behind, and decisions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.desk.screens.typed_text import Missed
from tests.support.project import POEM, Project
from tests.support.unsynced import patches

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["agent", "agent rewrites", "type", "type over", "look", "reject", "undo", "editor"]),
        st.integers(1, 20),
    ),
    min_size=3,
    max_size=14,
)


@pytest.fixture(autouse=True, scope="module")
def unsynced() -> Iterator[None]:
    """Nothing waits for the disk: no test here could see the difference."""
    with pytest.MonkeyPatch.context() as patched:
        for patch in patches():
            patched.setattr(*patch)
        yield


class History:
    """One file, two writers."""

    def __init__(self, folder: Path) -> None:
        self.project = Project(folder, {"poem.txt": POEM})
        self.project.prompt()
        self.typed: list[str] = []
        self.count = 0
        self.look()

    def look(self) -> None:
        """The page loads the file."""
        with self.project.desk() as desk:
            page = desk.workbench.file("poem.txt")
        self.base, self.revision = page["live"] or "", page["revision"] or ""

    def lines(self) -> list[str]:
        return self.project.text("poem.txt").splitlines(keepends=True)

    def step(self, who: str, line: int) -> None:
        self.count += 1
        lines = self.lines()
        at = min(line, len(lines))
        match who:
            case "agent":
                new = "".join([*lines[:at], f"agent {self.count}\n", *lines[at:]])
                self.project.write("poem.txt", new)
            case "agent rewrites" if lines:
                new = "".join([*lines[: at - 1], f"agent {self.count}\n", *lines[at:]])
                if not any(one.strip() in lines[at - 1] for one in self.typed):
                    self.project.write("poem.txt", new)
            case "editor":
                self.project.put("poem.txt", "".join([*lines[:at], f"editor {self.count}\n", *lines[at:]]))
            case "look":
                self.look()
            case "reject":
                with self.project.desk() as desk:
                    desk.decide("reject", [], everything=True, dependents="with")
            case "undo":
                with self.project.desk() as desk:
                    desk.undo(None)
            case _:
                self.type(line, over=who == "type over")

    def type(self, line: int, *, over: bool) -> None:
        had = self.base.splitlines(keepends=True)
        at = min(line, len(had))
        word = f"typed {self.count}\n"
        gone = had[at - 1] if over and at else ""
        keep = at - 1 if gone and not gone.startswith("typed") else at
        text = "".join([*had[:keep], word, *had[at:]])
        with self.project.desk() as desk:
            saved = desk.workbench.save("poem.txt", self.revision, self.base, text)
        assert not isinstance(saved, Missed)
        self.typed.append(word)
        assert self.project.text("poem.txt") == saved["text"]
        self.base, self.revision = saved["text"], saved["revision"]

    def check(self) -> None:
        text = self.project.text("poem.txt")
        with self.project.desk() as desk:
            page = desk.workbench.file("poem.txt")
        assert page["live"] == text
        for word in self.typed:
            assert word in text
        assert not any(hunk["actor"]["kind"] == "person" for hunk in self.project.hunks())


@settings(max_examples=40)
@given(steps=STEPS)
def test_nothing_typed_is_ever_lost(steps: list[tuple[str, int]]) -> None:  # property 5
    with TemporaryDirectory() as folder:
        history = History(Path(folder))
        for who, line in steps:
            history.step(who, line)
            history.check()
        with history.project.desk() as desk:
            desk.decide("reject", [], everything=True, dependents="with")
        history.check()
        assert "agent" not in history.project.text("poem.txt")
        history.project.assert_sound()
