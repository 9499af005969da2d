"""Telling agents what became of their changes.

After every decision, what each conversation concerned has to hear is composed anew from the index, and put
down for its next hook to say. What was said comes back as the same file in another folder.
"""

import os
from collections.abc import Sequence
from contextlib import suppress

from blueline.desk.project_store import Store
from blueline.desk.talkback.change_words import ToldChange, compose
from blueline.desk.talkback.heard import CHANGED, heard_of, word_of
from blueline.desk.talkback.note_status import note_item
from blueline.desk.talkback.note_words import worded
from blueline.hook import speech
from blueline.journal import reply
from blueline.journal.reply import Reply
from blueline.journal.tellings import UNTOLD, TellingRow
from blueline.kernel import disk
from blueline.model.answer import ACCEPTED, REJECTED
from blueline.model.ids import NOTE
from blueline.review.deciding.shown_hunks import ShownPart, shown_parts

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
            waiting = self._store.index.tellings.waiting()
            for conversation, rows in self._start_over() if waiting is None else waiting:
                self._put(conversation, self._composed(conversation, rows))
                with self._store.index.saving():
                    self._store.index.tellings.prepared(conversation)
        except OSError as error:
            # What was decided is decided. The next command tries this again.
            self._store.warn(f"what the agent has to hear could not be put down: {error.strerror}")

    def _start_over(self) -> list[tuple[str, list[TellingRow]]]:
        """The index is new: what an earlier one had put down may be about files that were purged. Says who
        waits."""
        for path in (*self._paths(self._replies), *self._paths(self._told)):
            with suppress(FileNotFoundError):
                os.unlink(path)
        with self._store.index.saving():
            self._store.index.tellings.begin()
        return self._store.index.tellings.waiting() or []

    def _put(self, conversation: str, found: Reply | None) -> None:
        data = None if found is None else reply.dump(found)
        path = os.path.join(self._replies, disk.reply_name(conversation))
        if data is None:
            with suppress(FileNotFoundError):
                os.unlink(path)
        else:
            for folder in (self._replies, self._told):
                disk.make_folder(folder)
            disk.place(path, data, self._temporaries)

    def _composed(self, conversation: str, found: list[TellingRow]) -> Reply | None:
        notes, said_notes = self._notes([row for row in found if row.file is None])
        rows = sorted((row for row in found if row.file is not None), key=_rank)
        items = self._items(rows[:MOST_ITEMS])
        if not items and not notes:
            return None
        more = [row.now.partition(":")[0] for row in rows[MOST_ITEMS:]]
        said = {row.hunk: row.now for row in rows} | said_notes
        at_stop = any(item.kind == REJECTED and not item.by_hand for item in items)
        return Reply(conversation, said, compose(items, more, notes), at_stop)

    def _notes(self, rows: list[TellingRow]) -> tuple[str, dict[str, str]]:
        """What there is to say about notes, and which words stand for having said it."""
        known = {row.hunk: row.now for row in rows}
        numbers = [number for row in rows if (number := NOTE.number(row.hunk)) is not None]
        found = map(self._store.ledger.note, numbers)
        text, said = worded([note_item(self._store, note) for note in found if note is not None])
        return text, {name: known[name] for name in said}

    def _items(self, rows: Sequence[TellingRow]) -> list[ToldChange]:
        """What there is to say of changes, in the order of the rows."""
        told = {row.hunk: row.told for row in rows}
        order = [*told]
        ops: dict[int, set[int]] = {}
        for row in rows:
            if row.file is not None:
                ops.setdefault(row.file, set()).add(row.op)
        found = shown_parts(self._store.ledger, ops, told)
        found.sort(key=lambda part: order.index(part.hunk.whole))
        items = (_item(part, heard_of(part.hunk, told[part.hunk.whole])) for part in found)
        return [item for item in items if item is not None]


def _item(part: ShownPart, before: str) -> ToldChange | None:
    hunk, old, new = part.hunk, part.old, part.new
    if (word := word_of(hunk)) == before or (hunk.kind == "modify" and not old.text and not new.text):
        return None
    return ToldChange(
        kind=word.partition(":")[0],
        before=before.partition(":")[0],
        hunk=hunk.id,
        change=hunk.kind,
        path=part.path,
        old_path=part.old_path,
        start=new.start + (new.end > new.start),
        lines=new.end - new.start,
        old=old.text or "",
        new=new.text or "",
        reason=part.decision.reason if part.decision is not None else "",
        by_hand=part.decision is not None and part.decision.verdict == "by-hand",
        modified=hunk.touched > 0,
        cell="" if part.section is None else part.section.id or str(part.section.number),
        aspect="" if part.section is None else part.section.change,
        held=part.call is not None and part.call.outcome == "held",
    )


def _rank(row: TellingRow) -> tuple[int, int]:
    kind = row.now.partition(":")[0].partition(" ")[0]
    return (ORDER.index(kind) if kind in ORDER else 0), row.op
