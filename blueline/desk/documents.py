"""What others are shown: the documents of the contract."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.same_change import exchanged, is_long, same_change
from blueline.desk.talkback.heard import words
from blueline.journal.rows import HunkRow
from blueline.journal.tables import dump
from blueline.model.actor import Actor
from blueline.model.answer import HELD, STATES
from blueline.model.ids import CALL, DECISION, SUBAGENT, TURN
from blueline.review.deciding.answered_hunks import AS_STORED
from blueline.review.deciding.hunks import Hunk
from blueline.review.deciding.kept_text import Kept
from blueline.review.deciding.planning import Need, Result
from blueline.review.deciding.shown_hunks import ShownFile, ShownHunk, shown_file
from blueline.review.deciding.sides import NOT_TEXT, Side
from blueline.review.file import File
from blueline.review.ledger import Call, Ledger
from blueline.review.medium.section import SectionName

if TYPE_CHECKING:
    from blueline.contract.actors import ActorDocument
    from blueline.contract.cells import HunkCellDocument
    from blueline.contract.decisions import DecisionDocument, KeptDocument, NeedDocument
    from blueline.contract.groups import GroupStatus, HunkStatus, TallyDocument
    from blueline.contract.hunks import FileHunkDocument, HunkDocument, HunkShown


def hunk_rows(file: File, shown: ShownFile) -> list[HunkRow]:
    """All hunks of a file for the index."""
    heard = words([one for one in shown.hunks if not one.is_away])
    alike = _stored_of(file, shown)
    rows = []
    for one in shown.hunks:
        hunk = one.hunk
        # Most decided hunks of an operation differ in nothing but their ids, and those that are not decided
        # in nothing from what they were, or in their place alone.
        key = _all_but_place(one, has_sections=shown.has_sections)
        stored = alike.get(key)
        if stored is None:
            stored = alike[key] = _stored(_document(shown, one))
        rows.append(
            HunkRow(
                id=hunk.id,
                file=file.number,
                call=hunk.operation.call,
                turn=None if one.call is None else one.call.turn,
                path=hunk.path,
                line=_lines(one.in_file if shown.has_sections else one.new)[0],
                op=hunk.operation.number,
                status=AWAY if one.is_away else status_of(hunk),
                listed=hunk.listed and not one.is_away,
                exchanged=stored.exchanged,
                doc=f'{{"id":"{hunk.id}"{stored.head}{_place(one)}{stored.tail}',
                hears=heard.get(hunk.whole, []),
            )
        )
    return rows


class _StoredHunk(NamedTuple):
    """What the index keeps of a hunk, and of all that are like it."""

    exchanged: tuple[str, ...] | None
    head: str
    """Its document, as text, between the id and the place; and behind it."""
    tail: str


_Stored = dict[tuple[object, ...], _StoredHunk]


def _stored_of(file: File, shown: ShownFile) -> _Stored:
    """What is stored of hunks of a file by now, kept with it, as long as it is shown as the same."""
    shown_as = shown.has_sections, shown.why_whole, shown.old_path
    kept: tuple[object, _Stored] | None = AS_STORED.of(file)
    if kept is None or kept[0] != shown_as:
        kept = AS_STORED.keep(file, (shown_as, {}))
    return kept[1]


def _stored(document: HunkDocument) -> _StoredHunk:
    old, new, text = document["old"], document["new"], dump(document)
    names = None if is_long(old, new) else exchanged(old, new)
    # In a text of the document, quotation marks do not stand by themselves.
    start, end = text.index(PLACE_BEGINS), text.index(PLACE_ENDS)
    return _StoredHunk(names, text[text.index('"', len('{"id":"')) + 1 : start], text[end:])


PLACE_BEGINS, PLACE_ENDS = '"old_start":', ',"old":'


def _place(one: ShownHunk) -> str:
    """Where it is, as its document says."""
    if one.old is NOT_TEXT and one.new is NOT_TEXT:
        return _NOWHERE
    (old_start, old_lines), (new_start, new_lines) = _lines(one.old), _lines(one.new)
    return f'"old_start":{old_start},"old_lines":{old_lines},"new_start":{new_start},"new_lines":{new_lines}'


_NOWHERE = '"old_start":0,"old_lines":0,"new_start":0,"new_lines":0'


def _all_but_place(one: ShownHunk, *, has_sections: bool) -> tuple[object, ...]:
    """All that the document of a hunk follows from, within its file, but for its id and its place."""
    hunk = one.hunk
    return (
        *(hunk.operation.number, hunk.kind, hunk.state, hunk.touched > 0, hunk.endings),
        *(one.old.text, one.new.text, _lines(one.in_file)[0] if has_sections else 0, one.section),
        *(one.again, one.commit, tuple(one.builds_on), tuple(one.built_on_by)),
    )


AWAY = "away"
"""The status of such a hunk, for the index alone."""


def hunk_documents(ledger: Ledger, file: File, *, include_hidden: bool = False) -> list[HunkDocument]:
    """The hunks of a file with their text: those that there is anything to look at of, or all."""
    shown = shown_file(ledger, file, STATES)
    return [_document(shown, one) for one in shown.hunks if one.hunk.listed or include_hidden]


def file_documents(ledger: Ledger, file: File) -> list[FileHunkDocument]:
    """As `hunk_documents`, with the standing decisions about each and the digest of what it shows."""
    shown = shown_file(ledger, file, STATES)
    found = [(one.hunk, _document(shown, one)) for one in shown.hunks if one.hunk.listed]
    return [
        {**doc, "decisions": [*map(DECISION.id, hunk.signature)], "digest": digest_of(doc, hunk.kind)}
        for hunk, doc in found
    ]


def digest_of(hunk: HunkDocument | HunkShown, kind: str) -> str:
    """A short name for what somebody sees of a hunk: another one when anything of that has changed."""
    from hashlib import blake2b  # it loads all of OpenSSL, and few commands need it

    seen = [
        *(hunk["id"], hunk["path"], hunk.get("from"), kind),
        *(hunk["status"], hunk["held"], hunk["old"], hunk["new"]),
    ]
    return blake2b(json.dumps(seen).encode(), digest_size=8).hexdigest()


def _document(file: ShownFile, shown: ShownHunk) -> HunkDocument:
    """A hunk with what its file, its call and its neighbours add."""
    hunk, call = shown.hunk, shown.call
    document = _hunk_document(hunk, shown.old, shown.new, call)
    if file.has_sections:
        document["cell"] = None if shown.section is None else cell_document(shown.section)
        document["place"] = _lines(shown.in_file)[0]
    if file.why_whole is not None and shown.section is None:
        document["as_text"] = file.why_whole
    document["builds_on"] = shown.builds_on
    document["built_on_by"] = shown.built_on_by
    document["again"] = shown.again
    document["committed"] = shown.commit
    if hunk.kind == "rename":
        document["from"] = file.old_path
    if mark := same_change(hunk.kind, document["old"], document["new"]):
        document["same"] = mark
    return document


def cell_document(cell: SectionName) -> HunkCellDocument:
    """Which cell a hunk is in, and what it does to it."""
    return {"id": cell.id, "index": cell.number, "type": cell.type, "change": cell.change}


def _hunk_document(hunk: Hunk, old: Side, new: Side, by: Call | None) -> HunkDocument:
    """A hunk by itself, without what its file and its neighbours add."""
    turn, subagent = (TURN.id(by.turn), SUBAGENT.id_or_none(by.subagent)) if by is not None else (None, None)
    call, others = CALL.id_or_none(hunk.operation.call), [*map(CALL.id, hunk.operation.others)]
    old_start, old_lines = _lines(old)
    new_start, new_lines = _lines(new)
    return {
        "id": hunk.id,
        "path": hunk.path,
        "kind": hunk.kind,
        "status": status_of(hunk),
        "turn": turn,
        "subagent": subagent,
        "call": call,
        "tool": None if by is None else by.tool,
        "actor": actor_document(hunk.operation.actor),
        "old_start": old_start,
        "old_lines": old_lines,
        "new_start": new_start,
        "new_lines": new_lines,
        "old": old.text,
        "new": new.text,
        "builds_on": [],
        "built_on_by": [],
        "complete": hunk.operation.complete,
        "at": hunk.operation.at,
        "held": hunk.state == HELD,
        "shared_with": others,
        "modified": hunk.touched > 0,
        "endings": hunk.endings,
        "again": None,
        "committed": None,
        "queued": None,
    }


def actor_document(actor: Actor) -> ActorDocument:
    return {"kind": actor.kind, "name": actor.name}


def status_of(hunk: Hunk) -> HunkStatus:
    """What a person sees of a state: held is pending too."""
    return "pending" if hunk.state == "held" else hunk.state


def _lines(side: Side) -> tuple[int, int]:
    """Where a side begins, from one, and how many lines it has; an empty one by the line before."""
    count = side.end - side.start
    return side.start + (count > 0), count


def decision_document(
    decision: int | None,
    verdict: str,
    results: list[Result],
    *,
    written: list[str],
    kept: list[Kept],
    needs: list[Need],
) -> DecisionDocument:
    """The answer to accept, reject, undo and redo."""
    return {
        "decision": DECISION.id_or_none(decision),
        "verdict": verdict,
        "results": [
            {
                "hunk": result.hunk.id,
                "path": result.hunk.path,
                "outcome": result.outcome,
                "reason": result.reason,
                "modified": result.hunk.touched > 0,
            }
            for result in results
        ],
        "written": written,
        "kept": [_kept(one) for one in kept],
        "needs": [_need(one) for one in needs],
    }


def _kept(kept: Kept) -> KeptDocument:
    document: KeptDocument = {
        "path": kept.path,
        "line": kept.line,
        "text": kept.text,
        "actor": {"kind": kept.actor},
        "blank": not kept.text.strip(),
    }
    return document if kept.hunk is None else {**document, "hunk": kept.hunk}


def _need(need: Need) -> NeedDocument:
    if need.now:
        return {"hunk": need.hunk, "now": list(need.now)}
    if need.shared_with:
        calls = [*map(CALL.id, need.shared_with)]
        return {"hunk": need.hunk, "path": need.path, "why": "shared", "shared_with": calls}
    if need.built_on_by:
        return {"hunk": need.hunk, "path": need.path, "built_on_by": list(need.built_on_by)}
    if need.lines:
        return {
            "hunk": need.hunk,
            "path": need.path,
            "why": need.why,
            "lines": [{"line": one.line, "now": one.now, "before": one.before} for one in need.lines],
        }
    return {"hunk": need.hunk, "path": need.path, "why": need.why}


def group_status(statuses: Sequence[HunkStatus]) -> GroupStatus:
    """The status of a group from those of its hunks."""
    kinds = set(statuses)
    if len(kinds) > 1:
        return "mixed"
    return kinds.pop() if kinds else "accepted"


def counted(statuses: Sequence[HunkStatus]) -> TallyDocument:
    """How many hunks of a group have each status."""
    return {
        "pending": statuses.count("pending"),
        "accepted": statuses.count("accepted"),
        "rejected": statuses.count("rejected"),
    }
