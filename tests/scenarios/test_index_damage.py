"""Whatever happens to the bytes of the index, the answer is the right one."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from blueline.adapters.hook_places import recording
from blueline.desk.glance import glance
from tests.support.durable import edited, timeless
from tests.support.project import Document, Make, Project

SEED, FLIPS = 1, 30


def fast_list(p: Project) -> object:
    found = glance(p.root, p.environ, recording)
    return found["hunks"] if found is not None and found["hunks"] else p.hunks()


VERBS: dict[str, Callable[[Project], object]] = {
    "list": lambda p: p.hunks(),
    "fast list": fast_list,
    "status": lambda p: p.status(),
    "accept": lambda p: p.accept(),
    "undo": lambda p: p.undo(),
}


def answered(p: Project, verb: str) -> tuple[object, Document]:
    """What a verb says, and all there is to know afterwards."""
    return VERBS[verb](p), timeless(p.known())


@pytest.mark.parametrize("verb", VERBS)
def test_a_flipped_bit_anywhere_in_the_index_changes_no_answer(
    project: Make, tmp_path: Path, verb: str
) -> None:
    p = edited(project)
    p.hunks()
    p.keep(tmp_path / "kept")
    expected = answered(p, verb)
    data = (tmp_path / "kept" / "state" / "index.sqlite").read_bytes()
    places = random.Random(SEED)
    used = [place for place, byte in enumerate(data) if byte]
    # In the header of the file, and anywhere that something is written.
    for place in [*range(0, 100, 16), *places.sample(used, FLIPS)]:
        p.restore(tmp_path / "kept")
        damaged = bytearray(data)
        damaged[place] ^= 1 << places.randrange(8)
        p.index.write_bytes(damaged)
        assert answered(p, verb) == expected, f"byte {place}"


@pytest.mark.parametrize("verb", VERBS)
def test_an_index_cut_at_any_place_changes_no_answer(project: Make, tmp_path: Path, verb: str) -> None:
    p = edited(project)
    p.hunks()
    p.keep(tmp_path / "kept")
    expected = answered(p, verb)
    data = (tmp_path / "kept" / "state" / "index.sqlite").read_bytes()
    places = random.Random(SEED)
    for length in [0, 99, 4096, len(data) - 1, *(places.randrange(len(data)) for _ in range(8))]:
        p.restore(tmp_path / "kept")
        p.index.write_bytes(data[:length])
        assert answered(p, verb) == expected, f"{length} bytes"


@pytest.mark.parametrize(
    "change",
    [
        "update turns set doc = '[]'",
        "update turns set doc = '{}'",
        "update calls set doc = '7'",
        "update files set doc = 'null'",
        "update decisions set doc = '{\"hunks\": 1}'",
        "update hunks set doc = 'no JSON'",
        "update meta set value = '[]'",
        "drop table hunks",
    ],
)
def test_rows_that_are_not_what_they_should_be_change_no_answer(
    project: Make, tmp_path: Path, change: str
) -> None:
    p = edited(project)
    p.hunks()
    p.keep(tmp_path / "kept")
    for verb in VERBS:
        p.restore(tmp_path / "kept")
        expected = answered(p, verb)
        p.restore(tmp_path / "kept")
        with sqlite3.connect(p.index) as connection:
            connection.execute(change)
        connection.close()
        assert answered(p, verb) == expected, verb
