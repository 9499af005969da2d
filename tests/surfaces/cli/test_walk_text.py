"""What is shown of a change that somebody goes through."""

from __future__ import annotations

from typing import Any

from blueline.surfaces.cli import walk_text
from blueline.surfaces.cli.terminal import Screen
from blueline.surfaces.cli.walk_queue import WalkItem
from blueline.surfaces.cli.walk_rows import rows
from tests.support.fake_desk import hunk

PLAIN = Screen(width=60, watched=True)


def test_a_long_change_is_shown_by_its_beginning_and_whole_when_asked() -> None:
    found = rows(hunk(old="", new="".join(f"{n}\n" for n in range(100)), new_start=1))
    cut = [*walk_text.drawn(found, PLAIN)]
    assert len(cut) == walk_text.MOST_ROWS + 1
    assert cut[-1].strip() == "… 40 more lines; f shows all"
    assert len([*walk_text.drawn(found, PLAIN, whole=True)]) == 100


def test_of_a_part_only_the_part_is_marked() -> None:
    found = rows(hunk(old="", new="one\ntwo\nthree\n", new_start=1))
    assert [*walk_text.drawn(found, PLAIN, part=(2, 2))] == ["1  one", "2 +two", "3  three"]


def test_of_a_part_only_what_it_replaced_is_shown() -> None:
    found = rows(hunk(old="one\ntwo\nthree\n", new="EINS\nZWEI\nDREI\n", new_start=1))
    assert [*walk_text.drawn(found, PLAIN)] == [
        "  -one",
        "  -two",
        "  -three",
        "1 +EINS",
        "2 +ZWEI",
        "3 +DREI",
    ]
    assert [*walk_text.drawn(found, PLAIN, part=(2, 2))] == ["1  EINS", "  -two", "2 +ZWEI", "3  DREI"]


def test_nothing_that_a_terminal_would_obey_is_shown() -> None:
    found = rows(hunk(old="a\n", new="\x1b[2Jb\n", new_start=1))
    shown = [
        *walk_text.drawn(found, PLAIN),
        *walk_text.news([hunk(path="\x1b[31m.py")], PLAIN),
        *walk_text.listed([hunk(path="\x1b[31m.py", new="\x1b]0;x\x07\n")], PLAIN),
        walk_text.named("\x1b"),
    ]
    assert "\x1b" not in "".join(shown)


def test_bytes_that_are_not_text_are_said_to_be_none() -> None:
    assert [*walk_text.drawn(rows(hunk(old=None, new=None)), PLAIN)] == ["  (not text)"]


def test_marks_below_wide_characters_stand_below_them() -> None:
    found = rows(hunk(old="日本 = 1\n", new="日本 = 2\n", new_start=1))
    assert [*walk_text.drawn(found, PLAIN)][-1] == "          ^"


def test_what_a_walk_came_to() -> None:
    assert next(walk_text.end([("accept", 2), ("reject", 1)], 0, PLAIN)) == (
        "2 accepted, 1 rejected; nothing is left to decide."
    )
    assert next(walk_text.end([], 3, PLAIN)) == "Nothing decided; 3 left to decide."
    assert next(walk_text.end([], 0, PLAIN, of_some=True)) == (
        "Nothing decided; nothing of that is left to decide."
    )


def test_what_is_said_of_a_change_is_cut_in_no_word_and_no_id() -> None:
    named = hunk(path=f"src/{'a' * 50}.py", modified=True)
    why: Any = {"prompt": "Tidy up.", "command": ""}
    shown = "\n".join(walk_text.heading(WalkItem(named), why, (1, 10), PLAIN)).splitlines()
    assert f"  {named['id']}" in shown
    assert shown[-2:] == [
        "  note: edited since; what others typed in it stays, unless",
        "        you say so",
    ]
