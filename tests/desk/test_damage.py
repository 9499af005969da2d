"""What is lost closes the gate, until somebody was told and has looked at the files concerned (rule D6)."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blueline.journal.frames import EVENT, OBSERVATION, Frame
from blueline.journal.log import Journal
from tests.gate.yard import Yard

FLIPS = 24


@pytest.fixture
def opened(yard: Yard) -> Yard:
    """An agent's change and its file were accepted and reviewed: the gate is open."""
    yard.project.prompt()
    yard.project.edit("a.md", "one\n", "ONE\n")
    yard.project.write("b.md", "new\n")
    assert yard.run("accept", "--all").code == 0
    yard.open()
    yard.project.is_damaged = True
    return yard


def flip(path: Path, at: int, bit: int = 0) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(data)


def frames(yard: Yard) -> list[Frame]:
    return [one for one in Journal(yard.state / "journal").read() if isinstance(one, Frame)]


def test_a_bit_that_flipped_before_the_journal_grew_closes_the_gate(opened: Yard) -> None:
    """Whoever only reads what has come since would not see it."""
    journal = opened.state / "journal"
    first, *_ = frames(opened)
    assert opened.gate()["open"]
    times = os.stat(journal)
    flip(journal, (first.start + first.end) // 2)
    os.utime(journal, ns=(times.st_atime_ns, times.st_mtime_ns))
    opened.project.prompt("more")
    opened.project.stop()
    assert "corrupt-state" in opened.codes()
    assert opened.run("list").out.startswith("Nothing that is known of: the journal is damaged from byte ")


def test_every_flipped_bit_of_the_journal_closes_the_gate(opened: Yard, tmp_path: Path) -> None:
    journal, whole = opened.state / "journal", tmp_path / "whole"
    shutil.copytree(opened.state, whole)
    size, chance = journal.stat().st_size, random.Random(6)
    for _ in range(FLIPS):
        at = chance.randrange(size)
        flip(journal, at, chance.randrange(8))
        assert "corrupt-state" in opened.codes(), f"byte {at}"
        shutil.rmtree(opened.state)
        shutil.copytree(whole, opened.state)
        assert opened.gate()["open"], f"without a flip in byte {at}"


def test_a_journal_that_is_whole_again_opens_the_gate_after_a_repair(opened: Yard) -> None:
    journal = opened.state / "journal"
    whole, (deciding, *_) = journal.read_bytes(), [one for one in frames(opened) if one.kind == EVENT][-2:]
    flip(journal, (deciding.start + deciding.end) // 2)
    (opened.state / "index.sqlite").unlink()
    assert "corrupt-state" in opened.codes()
    journal.write_bytes(whole)
    opened.run("check", "--repair")
    assert opened.gate()["open"]


def test_status_and_the_gate_agree(opened: Yard) -> None:
    flip(opened.state / "journal", len((opened.state / "journal").read_bytes()) // 2)
    said = opened.run("status", "--json").document["gate"]
    assert (said["open"], said["reasons"][0]["code"]) == (False, "corrupt-state")
    assert "every change is decided" not in opened.run("status").out


def test_the_lost_observation_of_an_edit_closes_it(opened: Yard) -> None:
    """Nobody has taken it in yet, so nobody knows that there was an edit."""
    before = (opened.state / "journal").stat().st_size
    opened.project.write("c.md", "unseen\n")
    for frame in frames(opened):
        if frame.start >= before and frame.kind == OBSERVATION:
            flip(opened.state / "journal", frame.end - 1)
    opened.project.prompt("go on")  # a record behind it: otherwise it may be one that is being written
    assert "corrupt-state" in opened.codes()
    said = opened.run("check", "--repair", "--json").document
    assert said["concerned"] == ["*"]
    assert "nobody can say of which files" in str(opened.gate()["reasons"])
    opened.run("accept", "--all")
    assert "corrupt-state" not in opened.codes()


def repaired_with(yard: Yard, frame: Frame) -> dict[str, Any]:
    flip(yard.state / "journal", frame.end - 1)
    assert "corrupt-state" in yard.codes()
    return yard.run("check", "--repair", "--json").document


def deciding(yard: Yard) -> Frame:
    return next(one for one in frames(yard) if one.kind == EVENT and b'"decision.made"' in one.payload)


def test_a_repair_says_what_is_lost_and_a_person_accepts_it(opened: Yard) -> None:
    said = repaired_with(opened, deciding(opened))
    assert said["concerned"] == ["a.md", "b.md"]
    assert "look at a.md, b.md: what was recorded is lost" in opened.run("check").out
    assert {*opened.codes()} == {"undecided", "corrupt-state"}
    assert opened.run("accept", "a.md").code == 0
    assert "records of b.md are lost" in str(opened.gate()["reasons"])
    assert opened.run("accept", "b.md").code == 0
    assert opened.gate()["open"]
    assert opened.run("check", "--json").document["ok"]


def test_an_agent_cannot_settle_it(opened: Yard) -> None:
    repaired_with(opened, deciding(opened))
    assert opened.run("accept", "--all", CLAUDECODE="1").code == 1
    assert "corrupt-state" in opened.codes()


def test_damage_after_a_repair_is_new(opened: Yard) -> None:
    repaired_with(opened, deciding(opened))
    opened.run("accept", "--all")
    assert opened.gate()["open"]
    flip(opened.state / "journal", frames(opened)[1].end - 1)
    assert "corrupt-state" in opened.codes()


def test_a_lost_file_that_no_record_names_any_more_is_asked_about(opened: Yard) -> None:
    made = next(one for one in frames(opened) if one.kind == EVENT and b'"path":"b.md"' in one.payload)
    said = repaired_with(opened, made)
    assert "b.md" in said["concerned"]
    opened.run("accept", "a.md")
    assert "corrupt-state" in opened.codes()
    assert opened.run("accept", "b.md").code == 0
    assert "corrupt-state" not in opened.codes()


# Each file of the state by itself


def flipped(path: Path) -> None:
    flip(path, path.stat().st_size // 2, 3)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def removed(path: Path) -> None:
    path.unlink()


def files_of(state: Path) -> Iterator[str]:
    for here, _, names in os.walk(state):
        yield from (os.path.relpath(os.path.join(here, name), state) for name in names)


def answers(yard: Yard) -> dict[str, object]:
    """All that is said of decisions."""
    document = yard.run("list", "--status", "all", "--json").document
    return {"hunks": document.get("hunks"), "mode": document.get("mode"), "log": yard.project.log("decision")}


@pytest.mark.parametrize("harm", [flipped, cut, emptied, removed])
def test_no_damaged_file_of_the_state_opens_the_gate_on_something_else(opened: Yard, harm: Any) -> None:
    """It is closed, or refused, or all that it answers is what it was."""
    truth = answers(opened)
    kept = opened.state.with_name("kept")
    shutil.copytree(opened.state, kept)
    names = sorted(files_of(kept))
    assert {"journal", "index.sqlite", "reviews", "capture", "format", "root"} <= {*names}
    opens = []
    for name in names:
        if (kept / name).stat().st_size == 0 and harm is not removed:
            continue
        harm(opened.state / name)
        said = opened.run("gate", "--json")
        assert said.code in (0, 1, 10), (name, said)
        if said.code == 0:
            opens.append(name)
            assert answers(opened) == truth, name
        shutil.rmtree(opened.state)
        shutil.copytree(kept, opened.state)
    assert "journal" not in opens
    assert "reviews" not in opens
