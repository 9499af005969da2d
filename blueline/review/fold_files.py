"""Facts about files make files: seen, changed, grown, formatted, committed."""

import json
from dataclasses import replace
from typing import Literal, NamedTuple, assert_never

from blueline.model.actor import Actor
from blueline.model.answer import ACCEPTED, HELD, PENDING, Answer
from blueline.model.fact import (
    CommitsSeen,
    FileChanged,
    FileFolded,
    FileFormatted,
    FileGrew,
    FilePurged,
    FileSeen,
)
from blueline.model.file_state import Absent, FileState, Folder, Link, Regular
from blueline.model.ids import BlobId
from blueline.model.medium_names import WholeFile
from blueline.model.piece import Kind
from blueline.model.text import as_text
from blueline.review.file import File, new_file
from blueline.review.file_values import load_file
from blueline.review.ledger import GitPosition, Ledger
from blueline.review.medium.choice import read_recorded, recorded_medium, shown_in
from blueline.review.medium.medium import Read
from blueline.review.operation import Committed, FileStep, Operation
from blueline.review.setting import ABSENT, FOLDER, NO_MODE, UNKNOWN, Node
from blueline.review.weave.stroke import Stroke

BLOB_DIGITS = 40
FIRST_LOST_HUNK = 2**31
"""Hunks of operations whose records are lost are numbered from here, out of the way of all others."""

LOST = Actor("unknown")

_NEW_FROM = ("absent", "link", "folder", "unknown")
"""What has no mode of its own: a file that takes its place brings one."""

FileFact = FileSeen | FileChanged | FileGrew | FileFormatted | FileFolded | FilePurged | CommitsSeen


def fold_file_fact(ledger: Ledger, fact: FileFact, at: str, read: Read) -> None:
    """Take a fact about files into the ledger."""
    match fact:
        case FileSeen():
            ledger.count(file=fact.file)
            seen = _seen(ledger, fact, at, read)
            if seen.live.node == UNKNOWN and isinstance(fact.state, Regular):
                ledger.count(lost=ledger.counters.lost + 1)
            ledger.put_file(seen)
        case FileChanged():
            _changed(ledger, fact, at, read)
        case FileGrew():
            _grew(ledger, fact, read)
        case FileFormatted():
            _formatted(ledger, fact)
        case FileFolded():
            _folded(ledger, fact, read)
        case FilePurged():
            ledger.count(file=fact.file, op=fact.op, hunk=fact.hunk)
            ledger.drop_file(fact.file)
        case CommitsSeen():
            ledger.git = GitPosition(fact.head, fact.stash)
            for number, commit, pieces in fact.committed:
                if (file := ledger.file(number)) is not None:
                    one = Committed(commit, ledger.counters.op, pieces)
                    ledger.put_file(replace(file, commits=(*file.commits, one)))
        case _:
            assert_never(fact)


def _changed(ledger: Ledger, fact: FileChanged, at: str, read: Read) -> None:
    file = ledger.file(fact.file)
    if file is None:
        # Its first event is lost: what was there before is not known, and is said to be so.
        file = new_file(fact.file, fact.path, UNKNOWN, None, NO_MODE, at)
        fact = replace(fact, edits=None, inserted=None, complete=False)
        ledger.count(file=fact.file)
    elif file.steps[-1].content != fact.before:
        file = _healed(ledger, file, fact, at, read)
    changed = changed_file(ledger, file, fact, at, read)
    if changed.live.node == UNKNOWN:
        ledger.count(lost=ledger.counters.lost + 1)
    ledger.count(op=fact.op, hunk=fact.hunk + changed.operations[fact.op].hunks - 1)
    ledger.put_file(changed)


def _seen(ledger: Ledger, fact: FileSeen, at: str, read: Read) -> File:
    match fact.state:
        case Regular():
            text, medium = read_recorded(ledger, fact.state.blob, fact.digest, read)
            node = _bytes(fact.state.blob, read) if text is None else UNKNOWN
            file = new_file(fact.file, fact.path, node, text, fact.state.mode, at, medium=medium.name)
            if fact.digest and text is not None:
                file = file.seen_whole(WholeFile(fact.state.blob, "person", fact.digest))
        case Link():
            file = new_file(fact.file, fact.path, Node("link", fact.state.target), None, NO_MODE, at)
        case Folder():
            file = new_file(fact.file, fact.path, FOLDER, None, NO_MODE, at)
        case Absent():
            file = new_file(fact.file, fact.path, ABSENT, None, NO_MODE, at)
        case _:
            file = new_file(fact.file, fact.path, UNKNOWN, None, NO_MODE, at)
    return file.stepped(FileStep("op", 0, state_key(fact.state)))


def _bytes(blob: BlobId, read: Read) -> Node:
    """What is not reviewed by a text, if it is still known."""
    return Node("bytes", blob) if read(blob) is not None else UNKNOWN


def state_key(state: FileState) -> str:
    """A short name for a content, equal only for equal contents."""
    match state:
        case Regular():
            return state.blob
        case Link():
            return f"link:{state.target}"
        case Folder():
            return "folder"
        case Absent():
            return "absent"
        case _:
            return "unknown"


def _healed(ledger: Ledger, file: File, fact: FileChanged, at: str, read: Read) -> File:
    """The file with the content that an operation begins with, when the records that led there are lost.

    Nobody knows who did it, so it is asked about; nobody can take it back, as what was before is not known.
    """
    blob = BlobId(fact.before) if len(fact.before) == BLOB_DIGITS else None
    found = read_recorded(ledger, blob, fact.digest, read) if blob is not None else None
    op = -fact.op
    if blob is not None and found is not None and found.text is not None:
        file = file.rewritten(op, PENDING, found.text, medium=found.medium.name)
        if found.digest:
            file = file.seen_whole(WholeFile(blob, "agent", found.digest))
    else:
        file = file.became(op, PENDING, _node_of(fact.before) if blob is None else _bytes(blob, read))
    hunk = FIRST_LOST_HUNK + fact.op
    lost = Operation(op, LOST, None, at, hunk, 1, (0,), (("node", 0),), complete=False)
    return file.stepped(FileStep("op", op, fact.before), lost)


def _node_of(key: str) -> Node:
    if key.startswith("link:"):
        return Node("link", key.removeprefix("link:"))
    return {"absent": ABSENT, "folder": FOLDER}.get(key, UNKNOWN)


class _Content(NamedTuple):
    """A file with the content that an operation gave it, and the hunks which that made."""

    file: File
    edits: tuple[int, ...] = ()
    """The hunk of each edit, counted within the operation."""
    settings: tuple[tuple[Kind, int], ...] = ()
    """What else was set, each with its hunk."""
    hunks: int = 0


def _given_content(ledger: Ledger, file: File, fact: FileChanged, read: Read) -> _Content:
    op, first, live = fact.op, fact.first, file.live
    into = None
    if fact.edits is not None and not fact.fresh:
        into = shown_in(file, recorded_medium(fact.digest), op, first)
    match fact.after:
        case Regular() if fact.edits is not None and into is not None:
            return _edited(ledger, fact, read, into, stays=into is file)
        case Regular() if live.node == Node("bytes", fact.after.blob):
            return _Content(file)
        case Regular():
            text, medium = read_recorded(ledger, fact.after.blob, fact.digest, read)
            if text is not None:
                file = file.rewritten(op, first, text, missing=fact.missing, medium=medium.name)
                return _Content(file, (0,), (("node", 0),), 1)
            node, missing = _bytes(fact.after.blob, read), fact.missing
        case Link() if live.node != Node("link", fact.after.target):
            node, missing = Node("link", fact.after.target), fact.missing
        case Folder() if live.node != FOLDER:
            node, missing = FOLDER, fact.missing
        case Absent() if live.node != ABSENT:
            node, missing = ABSENT, fact.after.missing_folder
        case _:
            return _Content(file)
    return _Content(file.became(op, first, node, missing=missing), (), (("node", 0),), 1)


def _edited(ledger: Ledger, fact: FileChanged, read: Read, file: File, *, stays: bool) -> _Content:
    """The file after the edits, which are those of the medium that it shows in now."""
    edits: tuple[int, ...] = ()
    node, emptied = file.live.node, False
    if fact.edits:
        stroke = Stroke(fact.op, fact.first, fact.edits, _inserted(ledger, fact, read))
        emptied = stays and file.is_emptied_by(stroke)
        file = file.edited(stroke)
        edits = tuple(edit.hunk for edit in fact.edits)
    hunks = max(edits) + 1 if edits else 0
    if emptied:
        # Nothing else says any more that there is a file (rule A12).
        return _Content(file.became(fact.op, fact.first, node), edits, (("node", 0),), hunks)
    if stays:
        return _Content(file, edits, (), hunks)
    return _Content(file, edits, (("node", hunks),), hunks + 1)


def changed_file(ledger: Ledger, file: File, fact: FileChanged, at: str, read: Read) -> File:
    """The file after one operation."""
    op, first, live = fact.op, fact.first, file.live
    file, edits, set_before, hunks = _given_content(ledger, file, fact, read)
    settings = [*set_before]
    if isinstance(fact.after, Regular) and (live.node.kind in _NEW_FROM or fact.after.mode != live.mode):
        file = file.given_mode(op, first, fact.after.mode)
        # The mode of a file that is new comes and goes with the file.
        new = live.node.kind in _NEW_FROM
        settings.append(("mode", 0 if new else hunks))
        hunks += not new
    if fact.path != live.path:
        file = file.given_path(op, first, fact.path, fact.missing, fact.gone)
        settings.append(("path", hunks))
        hunks += 1
    complete = fact.complete and live.node != UNKNOWN
    operation = Operation(
        op,
        fact.actor,
        fact.call,
        at,
        fact.hunk,
        hunks,
        edits,
        tuple(settings),
        complete=complete,
        others=fact.others,
    )
    if fact.digest and isinstance(fact.after, Regular):
        file = file.seen_whole(WholeFile(fact.after.blob, _writer(first), fact.digest))
    content = file.steps[-1].content if first == "held" and file.steps else state_key(fact.after)
    return file.stepped(FileStep("op", op, content), operation)


def _writer(first: Answer) -> Literal["person", "agent", "held"]:
    if first == HELD:
        return "held"
    return "person" if first == ACCEPTED else "agent"


def _grew(ledger: Ledger, fact: FileGrew, read: Read) -> None:
    file = ledger.file(fact.file)
    if file is None:
        return
    text = fact.text
    if text is None and isinstance(fact.after, Regular):
        text = (as_text(read(fact.after.blob)) or "")[fact.start : fact.start + fact.length]
    fits = bool(file.steps) and file.steps[-1].content == fact.before
    more = file.grown(fact.op, fact.start, text or "", state_key(fact.after)) if fits else None
    if more is None:
        # The records that led here are lost: what the file became since is asked about as a whole.
        ledger.count(lost=ledger.counters.lost + 1)
        more = file.stepped(FileStep("op", fact.op, "unknown"))
    ledger.put_file(more)


def _formatted(ledger: Ledger, fact: FileFormatted) -> None:
    ledger.count(op=fact.op)
    file = ledger.file(fact.file)
    if file is None:
        return
    known = all(op in file.operations for op, _ in fact.joins)
    if known and file.steps[-1].content == fact.before and file.live.node.is_woven:
        file = file.joined(fact.op, fact.edits, fact.inserted, fact.joins)
        if fact.digest and isinstance(fact.after, Regular):
            file = file.seen_whole(WholeFile(fact.after.blob, "person", fact.digest))
        ledger.put_file(file.stepped(FileStep("formatted", fact.op, state_key(fact.after))))
    else:
        # The records that led here are lost: what the file became since is asked about as a whole.
        ledger.count(lost=ledger.counters.lost + 1)
        ledger.put_file(file.stepped(FileStep("formatted", fact.op, "unknown")))


def _folded(ledger: Ledger, fact: FileFolded, read: Read) -> None:
    """The file is what was left of it, whatever is known of what led there."""
    data = read(fact.state.blob) if isinstance(fact.state, Regular) else None
    if data is None:
        ledger.count(lost=ledger.counters.lost + 1)
        return
    ledger.fold_file(load_file(json.loads(data)))


def _inserted(ledger: Ledger, fact: FileChanged, read: Read) -> tuple[str, ...]:
    if fact.inserted is not None:
        return fact.inserted
    assert isinstance(fact.after, Regular)
    text = read_recorded(ledger, fact.after.blob, fact.digest, read).text or ""
    return tuple(text[edit.new_start : edit.new_end] for edit in fact.edits or ())
