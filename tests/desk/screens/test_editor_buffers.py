"""A decision and the typing that is not saved yet: one step, and the editor is told how to follow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.contract.editors import EditorDecisionDocument
from blueline.desk.screens.editor_buffers import Buffer, DecisionWish, EditorDesk, NotAsSeen, NotTakenIn
from blueline.diff.editor_places import EditorPlaces, Spot
from tests.support.project import POEM, Project
from tests.support.unsynced import patches


@pytest.fixture(autouse=True, scope="module")
def unsynced() -> Iterator[None]:
    """Nothing waits for the disk: no test here could see the difference."""
    with pytest.MonkeyPatch.context() as patched:
        for patch in patches():
            patched.setattr(*patch)
        yield


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {"a.md": POEM, "b.md": POEM})
    found.prompt()
    found.edit("a.md", "line 3\n", "line three\n")
    return found


def buffer(p: Project, text: str, path: str = "a.md", base: str | None = "") -> Buffer:
    known = p.read(path).decode() if base == "" else base
    return Buffer(uri=f"file:///{path}", path=path, version=7, text=text, base=known)


def decide(p: Project, verdict: Any, *buffers: Buffer, **wish: Any) -> EditorDecisionDocument:
    given = {"selectors": ("a.md",), **wish}
    with p.desk() as desk:
        return EditorDesk(desk).decide(DecisionWish(verdict=verdict, **given), buffers)


def followed(text: str, document: EditorDecisionDocument) -> str:
    """The editor's text with the edits that it was told to make."""
    (answer,) = document["files"]
    assert answer["buffer"] == 7
    places = EditorPlaces(text)
    for edit in reversed(answer["edits"]):
        first, last = edit["range"]["start"], edit["range"]["end"]
        start, end = Spot(first["line"], first["character"]), Spot(last["line"], last["character"])
        text = text[: places.at(start)] + edit["newText"] + text[places.at(end) :]
    return text


def test_reject_keeps_the_typing_and_tells_the_editor_how_to_follow(p: Project) -> None:
    typed = "zero\n" + p.text("a.md") + "the end\n"
    document = decide(p, "reject", buffer(p, typed))
    assert p.text("a.md") == "zero\n" + POEM + "the end\n"
    assert followed(typed, document) == p.text("a.md")
    assert [one["outcome"] for one in document["results"]] == ["applied"]
    assert not p.hunks()


def test_a_clean_text_follows_too(p: Project) -> None:
    text = p.text("a.md")
    assert followed(text, decide(p, "reject", buffer(p, text))) == POEM


def test_accept_saves_nothing(p: Project) -> None:
    before = p.times("a.md")
    document = decide(p, "accept", buffer(p, "zero\n" + p.text("a.md")))
    assert document["files"] == []
    assert p.times("a.md") == before
    assert not p.hunks()


def test_other_files_are_left_alone(p: Project) -> None:
    text = p.text("a.md")
    document = decide(p, "reject", buffer(p, text), buffer(p, "typed\n", "b.md"))
    assert p.text("b.md") == POEM
    assert [one["path"] for one in document["files"]] == ["a.md"]


def test_nothing_is_written_if_it_is_not_what_was_seen(p: Project) -> None:
    typed = "zero\n" + p.text("a.md")
    (hunk,) = p.hunks()
    with pytest.raises(NotAsSeen) as refused:
        decide(p, "reject", buffer(p, typed), expect={hunk["id"]: "0" * 16})
    assert refused.value.now == [hunk["id"]]
    assert p.text("a.md") == POEM.replace("line 3\n", "line three\n")


def test_what_the_agent_wrote_meanwhile_stays(p: Project) -> None:
    base = p.text("a.md")
    p.edit("a.md", "line 12\n", "line twelve\n")
    typed = base + "the end\n"
    first = p.hunk("three")
    document = decide(p, "reject", buffer(p, typed, base=base), selectors=(first,))
    assert p.text("a.md") == POEM.replace("line 12\n", "line twelve\n") + "the end\n"
    assert followed(typed, document) == p.text("a.md")
    assert [hunk["new"] for hunk in p.hunks()] == ["line twelve\n"]


def test_nothing_is_taken_in_of_a_text_that_nobody_knows_the_origin_of(p: Project) -> None:
    with pytest.raises(NotTakenIn):
        decide(p, "reject", buffer(p, "something else\n", base=None))
    assert len(p.hunks()) == 1


def test_needs_are_said_before_anything_is_saved(p: Project) -> None:
    p.edit("a.md", "line three\n", "line 3!\n")
    before = p.times("a.md")
    first = p.hunks()[0]["id"]
    document = decide(p, "reject", buffer(p, "zero\n" + p.text("a.md")), selectors=(first,))
    assert document["needs"]
    assert p.times("a.md") == before


def test_undo_and_redo_keep_the_typing(p: Project) -> None:
    decide(p, "reject", buffer(p, p.text("a.md")))
    typed = POEM + "the end\n"
    with p.desk() as desk:
        document = EditorDesk(desk).undo(None, [buffer(p, typed)])
    assert p.text("a.md") == POEM.replace("line 3\n", "line three\n") + "the end\n"
    assert followed(typed, document) == p.text("a.md")
    again = p.text("a.md") + "more\n"
    with p.desk() as desk:
        document = EditorDesk(desk).redo([buffer(p, again)])
    assert followed(again, document) == p.text("a.md") == POEM + "the end\nmore\n"


@pytest.mark.parametrize("shown_end", ["\n", "\r\n"])
def test_line_ends_and_the_mark_of_the_file_stay(tmp_path: Path, shown_end: str) -> None:
    p = Project(tmp_path, {"a.md": b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\nfour\n"})
    p.edit("a.md", "two", "zwei 😀")
    shown = shown_end.join(["one", "zwei 😀", "three", "four", "typed", ""])
    document = decide(p, "reject", buffer(p, shown))
    assert p.read("a.md") == b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\nfour\ntyped\r\n"
    assert followed(shown, document) == shown.replace("zwei 😀", "two")


def test_a_file_that_goes_has_no_revision(tmp_path: Path) -> None:
    p = Project(tmp_path)
    p.write("new.md", "one\n")
    document = decide(p, "reject", buffer(p, "one\n", "new.md"), selectors=("new.md",))
    assert not p.exists("new.md")
    (answer,) = document["files"]
    assert answer["revision"] is None
    assert answer["edits"] == []


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["agent", "type", "type over", "save", "reload", "reject", "accept", "undo", "redo"]),
        st.integers(1, 20),
    ),
    min_size=3,
    max_size=12,
)


class Typist:
    """Somebody who types in an editor while an agent writes, decides, and saves now and then."""

    def __init__(self, folder: Path) -> None:
        self.p = Project(folder, {"a.md": POEM})
        self.p.prompt()
        self.text = self.base = POEM
        self.typed: list[str] = []
        self.count = 0

    def step(self, what: str, line: int) -> None:
        self.count += 1
        lines = (self.p.text("a.md") if what == "agent" else self.text).splitlines(keepends=True)
        at = min(line, len(lines))
        word = f"{what} {self.count} 😀\n"
        match what:
            case "agent":
                self.p.write("a.md", "".join([*lines[:at], word, *lines[at + 1 :]]))
            case "type" | "type over":
                kept = [one for one in lines[at : at + (what == "type over")] if one in self.typed]
                self.typed.append(word)
                self.text = "".join([*lines[:at], *kept, word, *lines[at + (what == "type over") :]])
            case "save" if self.base == self.p.text("a.md"):
                self.p.put("a.md", self.text)
                self.base = self.text
            case "reload" if self.text == self.base:
                self.text = self.base = self.p.text("a.md")
            case "reject" | "accept" | "undo" | "redo":
                self.decide(what, line)
            case _:
                pass

    def decide(self, what: str, line: int) -> None:
        pending = [hunk["id"] for hunk in self.p.hunks("a.md")]
        buffers = [Buffer(uri="file:///a.md", path="a.md", version=7, text=self.text, base=self.base)]
        with self.p.desk() as desk:
            editor = EditorDesk(desk)
            if what in ("undo", "redo"):
                document = editor.undo(None, buffers) if what == "undo" else editor.redo(buffers)
            elif pending:
                verdict: Any = what
                wish = DecisionWish(
                    verdict=verdict, selectors=(pending[line % len(pending)],), dependents="keep"
                )
                document = editor.decide(wish, buffers)
            else:
                return
        if document["files"]:
            self.text = self.base = followed(self.text, document)
            assert self.text == self.p.text("a.md")


@given(STEPS)
@settings(max_examples=25)
def test_nothing_typed_is_lost_and_the_editor_has_what_the_file_has(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        typist = Typist(Path(folder))
        for what, line in steps:
            typist.step(what, line)
            shown = typist.text.splitlines(keepends=True)
            assert [one for one in typist.typed if one not in shown] == []
