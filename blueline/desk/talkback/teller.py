"""Telling agents what became of their changes.

After every decision, what each conversation concerned has to hear is composed anew from the index, and put
down for its next hook to say. What was said comes back as the same file in another folder.
"""

import os
from collections.abc import Iterator
from contextlib import suppress

from blueline.desk.project_store import Store
from blueline.desk.talkback.heard import CHANGED, heard_of, word_of
from blueline.desk.talkback.note_status import note_item
from blueline.desk.talkback.note_words import worded
from blueline.desk.talkback.words import ToldChange, compose
from blueline.hook import speech
from blueline.journal import reply
from blueline.journal.reply import Reply
from blueline.journal.tellings import UNTOLD, TellingRow
from blueline.kernel import disk
from blueline.model.answer import ACCEPTED, REJECTED
from blueline.model.ids import NOTE
from blueline.model.secret import is_secret
from blueline.review.cells.views import CellViews
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.sides import Sides
from blueline.review.file import File

MOST_ITEMS = 100
"""More than this many never fit: the rest is only counted."""

ORDER = (REJECTED, CHANGED, UNTOLD, ACCEPTED)
"""What an agent has to act upon comes first."""


class Teller:
    """Keeps what there is to say to each conversation up to date."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._replies = os.fsencode(store.state / "replies")
        self._told = os.fsencode(store.state / "told")
        self._temporaries = os.fsencode(store.state / "blobs" / "tmp")
        self._sides: dict[int, Sides] = {}
        self._views: dict[int, CellViews] = {}
        self._parts: dict[tuple[int, int], dict[str, list[Hunk]]] = {}

    def collect(self) -> None:
        """Take in what hooks have said since."""
        for path in self._paths(self._told):
            # Set aside by a hook that is saying it just now, or died over it: the next one says it again.
            if path.endswith(speech.ASIDE):
                continue
            with open(path, "rb") as file:
                found = reply.load(file.read())
            if found is None:
                with self._store.index.saving():
                    self._store.index.tellings.unprepared()
            else:
                self._store.tell(found)
            os.unlink(path)

    def _paths(self, folder: bytes) -> list[bytes]:
        try:
            return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
        except OSError:
            return []

    def prepare(self) -> None:
        """Put down what there is to say, for every conversation for which that may have changed."""
        try:
            self._flag_queue()
            waiting = self._store.index.tellings.waiting()
            for conversation in self._start_over() if waiting is None else waiting:
                self._put(conversation, self._composed(conversation))
                with self._store.index.saving():
                    self._store.index.tellings.prepared(conversation)
        except OSError as error:
            # What was decided is decided. The next command tries this again.
            self._store.warn(f"what the agent has to hear could not be put down: {error.strerror}")

    def _flag_queue(self) -> None:
        """Let hooks know whether a decision waits for the end of a call: they have it carried out there."""
        flag = os.fsencode(self._store.state / "queued")
        if not any(decision.verdict == "queued" for decision in self._store.ledger.unfinished()):
            with suppress(FileNotFoundError):
                os.unlink(flag)
        elif not os.path.lexists(flag):
            disk.place(flag, b"", self._temporaries)

    def _start_over(self) -> list[str]:
        """The index is new: what an earlier one had put down may be about files that were purged. Says who
        waits."""
        for path in (*self._paths(self._replies), *self._paths(self._told)):
            with suppress(FileNotFoundError):
                os.unlink(path)
        with self._store.index.saving():
            self._store.index.tellings.begin()
        return self._store.index.tellings.waiting() or []

    def _put(self, conversation: str, found: Reply | None) -> None:
        path = os.path.join(self._replies, speech.name_of(conversation))
        if found is None:
            with suppress(FileNotFoundError):
                os.unlink(path)
        else:
            for folder in (self._replies, self._told):
                disk.make_folder(folder)
            disk.place(path, reply.dump(found), self._temporaries)

    def _composed(self, conversation: str) -> Reply | None:
        self._sides.clear()
        self._parts.clear()
        notes, said_notes = self._notes(conversation)
        found = self._store.index.tellings.due(conversation)
        rows = sorted((row for row in found if row.file is not None), key=_rank)
        items = [item for row in rows[:MOST_ITEMS] for item in self._items(row)]
        if not items and not notes:
            return None
        more = [row.now.partition(":")[0] for row in rows[MOST_ITEMS:]]
        said = {row.hunk: row.now for row in rows} | said_notes
        at_stop = any(item.kind == REJECTED and not item.by_hand for item in items)
        return Reply(conversation, said, compose(items, more, notes), at_stop)

    def _notes(self, conversation: str) -> tuple[str, dict[str, str]]:
        """What there is to say about notes, and which words stand for having said it."""
        rows = [row for row in self._store.index.tellings.due(conversation) if row.file is None]
        known = {row.hunk: row.now for row in rows}
        numbers = [number for row in rows if (number := NOTE.number(row.hunk)) is not None]
        found = map(self._store.ledger.note, numbers)
        text, said = worded([note_item(self._store, note) for note in found if note is not None])
        return text, {name: known[name] for name in said}

    def _items(self, row: TellingRow) -> Iterator[ToldChange]:
        file = self._store.ledger.file(row.file) if row.file is not None else None
        if file is None:
            return
        for part in self._parts_of(file, row.op).get(row.hunk, ()):
            if word_of(part) != (before := heard_of(part, row.told)):
                found = self._item(file, part, before)
                if found is not None:
                    yield found

    def _parts_of(self, file: File, op: int) -> dict[str, list[Hunk]]:
        """The hunks of an operation as they were recorded, each in the parts that it has now."""
        known = self._parts.get((file.number, op))
        if known is None:
            known = self._parts[file.number, op] = {}
            for part in hunks(file, self._store.ledger.counters.salt, {op}):
                known.setdefault(part.whole, []).append(part)
        return known

    def _item(self, file: File, part: Hunk, before: str) -> ToldChange | None:
        sides = self._sides.setdefault(file.number, Sides(file))
        views = self._views.setdefault(file.number, CellViews(file))
        cell, old, new = views.of(part, *sides.of(part))
        if part.kind == "modify" and not old.text and not new.text:
            return None
        decision = self._store.ledger.decision(part.signature[-1]) if part.signature else None
        call = self._store.ledger.call(part.operation.call or 0)
        secret = is_secret(part.path) or is_secret(file.baseline.path)
        return ToldChange(
            kind=word_of(part).partition(":")[0],
            before=before.partition(":")[0],
            hunk=part.id,
            change=part.kind,
            path=part.path,
            old_path=file.baseline.path,
            start=new.start + (new.end > new.start),
            lines=new.end - new.start,
            old="" if secret else old.text or "",
            new="" if secret else new.text or "",
            reason=decision.reason if decision is not None else "",
            by_hand=decision is not None and decision.verdict == "by-hand",
            modified=part.modified,
            cell="" if cell is None else cell.id or str(cell.number),
            aspect="" if cell is None else cell.change,
            held=call is not None and call.outcome == "held",
            secret=secret,
        )


def _rank(row: TellingRow) -> tuple[int, int]:
    kind = row.now.partition(":")[0].partition(" ")[0]
    return (ORDER.index(kind) if kind in ORDER else 0), row.op
