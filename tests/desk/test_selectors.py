"""What a word means is found out in one place, for every verb."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from blueline.chat import turn_decisions
from blueline.chat.turn_decisions import NoSuchTurn
from blueline.desk import Desk
from blueline.desk.selectors import UnknownSelector
from blueline.desk.talkback.notes import NoteTarget
from tests.support.notebooks import NAME, agent, dumped, set_source, three
from tests.support.project import POEM, Project

MANY = "9" * 5000
NO_NUMBERS = [MANY, "9" * 19, "0", "01", "-1", "٣", "²", "1_0"]


@pytest.fixture
def p(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"poem.txt": POEM, NAME: dumped(three()), "t1": "one\n", "d1": "one\n"})
    made.prompt()
    made.edit("poem.txt", "line 5\n", "LINE 5\n")
    made.edit("poem.txt", "line 9\n", "LINE 9\n")
    agent(made, lambda found: set_source(found, "load", "rows = []"))
    return made


VERBS: dict[str, Callable[[Desk, str], object]] = {
    "accept": lambda desk, word: desk.decide("accept", [word]),
    "reject": lambda desk, word: desk.decide("reject", [word], dry_run=True),
    "diff": lambda desk, word: desk.diff([word]),
    "show": lambda desk, word: desk.show(word),
    "hunk of the page": lambda desk, word: desk.workbench.hunk(word),
    "suggest": lambda desk, word: desk.pending_files.pending([word]),
    "undo": lambda desk, word: desk.undo(word),
    "change a note": lambda desk, word: desk.workbench.change_note(word, text="x", status=None),
    "note on a call": lambda desk, word: desk.workbench.write_note(note("call", word), "change", "x"),
    "note on a turn": lambda desk, word: desk.workbench.write_note(note("turn", word), "change", "x"),
    "note on a hunk": lambda desk, word: desk.workbench.write_note(note("hunk", word), "change", "x"),
    "chat": lambda desk, word: turn_decisions.decide(desk, "accept", word, {}),
    "purge": lambda desk, word: desk.purge([word], everything=False, dry_run=True),
}


def note(kind: str, identifier: str) -> NoteTarget:
    return NoteTarget(kind=kind, id=identifier)


@pytest.mark.parametrize("verb", VERBS)
def test_a_number_that_nothing_has_is_unknown_to_every_verb(p: Project, verb: str) -> None:
    # A few digits may be the beginning of a hunk's id.
    words = [f"h{MANY}", *(f"{letter}{digits}" for letter in "tcdn" for digits in NO_NUMBERS)]
    words += [f"poem.txt:{MANY}", f"poem.txt:1-{MANY}", f"{NAME}#{MANY}", f"{NAME}#load:{MANY}", MANY]
    with p.desk() as desk:
        for word in words:
            with pytest.raises((UnknownSelector, NoSuchTurn)) as refusal:
                VERBS[verb](desk, word)
            assert len(str(refusal.value)) < 300
    assert [one["kind"] for one in p.log("decision")] == []


def test_so_it_is_on_the_command_line(p: Project) -> None:
    for words in (["show", f"t{MANY}"], ["undo", f"d{MANY}"], ["accept", f"poem.txt:1-{MANY}"]):
        done = p.command(*words)
        said, hint = done.stderr.splitlines()
        assert (done.returncode, hint[:5]) == (1, "hint:")
        assert "999 … 999" in said
        assert len(said) < 300


def test_an_id_comes_first_and_a_name_with_a_dot_is_a_path(p: Project) -> None:
    p.write("t1", "two\n")
    assert p.show("t1")["kind"] == "turn"
    assert p.show("./t1")["kind"] == "file"
    assert {one["path"] for one in p.accept("./t1")["results"]} == {"t1"}
    assert p.show("d1")["kind"] == "decision"


def test_what_cannot_be_decided_about_is_no_id(p: Project) -> None:
    p.write("d1", "two\n")
    assert p.accept("poem.txt")["decision"] == "d1"
    assert {one["path"] for one in p.accept("d1")["results"]} == {"d1"}


def test_a_path_comes_before_lines(p: Project) -> None:
    p.write("poem.txt:5", "odd\n")
    assert p.show("poem.txt:5")["kind"] == "file"
    assert {one["path"] for one in p.accept("poem.txt:5")["results"]} == {"poem.txt:5"}
    assert p.show("poem.txt:9")["kind"] == "lines"


def test_of_a_hunk_that_was_split_it_is_said_what_took_its_place(p: Project) -> None:
    p.write("two.txt", "one\ntwo\n")
    (hunk,) = p.hunks("two.txt")
    p.accept("two.txt:1")
    parts = sorted(one["id"] for one in p.hunks("two.txt", "all"))
    assert sorted(p.asked("accept", hunk["id"])[0]["now"]) == parts
    with p.desk() as desk, pytest.raises(UnknownSelector, match="was split") as error:
        desk.show(hunk["id"])
    assert all(part in error.value.hint for part in parts)
