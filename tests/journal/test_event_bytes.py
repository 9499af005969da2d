"""Events as bytes: those of today, and a journal that was written by the rules of format 1."""

from __future__ import annotations

import json
from pathlib import Path

from blueline.journal.event_bytes import dump_event, load_event
from blueline.model.edit import Edit
from blueline.model.fact import Event, FileFormatted
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId
from blueline.review.deciding.hunks import hunks
from blueline.review.fold import fold
from blueline.review.ledger import Ledger
from tests.support.in_memory import NoSource
from tests.support.project import POEM, Project

OLD = Path(__file__).with_name("format_1.json")
"""Recorded before formatting joined the text it formats: events, blobs, and what was there after each."""


def test_a_journal_of_format_1_gives_the_same_texts_and_hunks() -> None:
    old = json.loads(OLD.read_text())
    blobs = {name: text.encode() for name, text in old["blobs"].items()}
    ledger = Ledger(NoSource())
    for event, expected in zip(old["events"], old["after"], strict=True):
        fold(ledger, load_event(json.dumps(event).encode()), blobs.get)
        file = ledger.file(1)
        assert file is not None
        assert (file.live.text, file.baseline.text) == (expected["text"], expected["agreed"])
        assert [[hunk.id, hunk.state] for hunk in hunks(file, 0)] == expected["hunks"]
    assert '["agent", "formatter"]' in json.dumps(old)


def test_a_project_of_format_1_is_taken_up_as_it_is(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    before = p.hunks()
    (p.state / "format").write_bytes(b"blueline 1\n")
    assert p.hunks() == before
    assert (p.state / "format").read_bytes() == b"blueline 2\n"


def test_what_joins_an_operation_is_the_same_when_it_is_read() -> None:
    fact = FileFormatted(
        op=4,
        file=1,
        before="absent",
        after=Regular(mode=0o644, size=3, blob=BlobId("0" * 40)),
        edits=(Edit(old_start=1, old_end=2, new_start=1, new_end=3, hunk=2),),
        inserted=("é\n",),
        joins=((3, ((1, "rejected"), (2, "pending"))),),
    )
    event = Event(number=1, at="2026-01-01T00:00:00.000Z", source=None, facts=(fact,))
    assert load_event(dump_event(event)) == event
