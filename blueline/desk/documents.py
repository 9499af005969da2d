"""What others are shown: the documents of the contract."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from blueline.desk.talkback.heard import words
from blueline.journal.file_table import HunkRow
from blueline.model.actor import Actor
from blueline.model.answer import HELD, REJECTED, STATES, UNDECIDED, Answer
from blueline.model.ids import CALL, DECISION, TURN
from blueline.model.notebook import NotCells
from blueline.model.projection import projection
from blueline.review.cells.views import CellName, CellViews
from blueline.review.deciding.building import is_asked_about, relations
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.planning import Kept, Need, Result
from blueline.review.deciding.repeats import repeated
from blueline.review.deciding.sides import NOT_TEXT, Side, Sides
from blueline.review.file import File
from blueline.review.ledger import Ledger
from blueline.review.medium.choice import is_notebook_path

if TYPE_CHECKING:
    from blueline.contract.actors import ActorDocument
    from blueline.contract.cells import HunkCellDocument
    from blueline.contract.decisions import DecisionDocument, KeptDocument, NeedDocument
    from blueline.contract.groups import GroupStatus, HunkStatus, TallyDocument
    from blueline.contract.hunks import FileHunkDocument, HunkDocument, HunkShown


def hunk_rows(ledger: Ledger, file: File) -> list[HunkRow]:
    """All hunks of a file for the index; decided ones without their text, which few ever ask for."""
    rows = []
    documents = [*_documents(ledger, file, UNDECIDED)]
    heard = words(ledger, (hunk for hunk, _ in documents))
    for hunk, document in documents:
        call = hunk.operation.call
        rows.append(
            HunkRow(
                id=hunk.id,
                file=file.number,
                call=call,
                turn=TURN.number(document["turn"] or ""),
                path=hunk.path,
                line=document["place"] if "place" in document else document["new_start"],
                op=hunk.operation.number,
                status=document["status"],
                listed=hunk.listed,
                doc=document,
                hears=heard.get(hunk.whole, []),
            )
        )
    return rows


def hunk_documents(ledger: Ledger, file: File, *, include_hidden: bool = False) -> list[HunkDocument]:
    """The hunks of a file with their text: those that there is anything to look at of, or all."""
    return [doc for hunk, doc in _documents(ledger, file, STATES) if hunk.listed or include_hidden]


def file_documents(ledger: Ledger, file: File) -> list[FileHunkDocument]:
    """As `hunk_documents`, with the standing decisions about each and the digest of what it shows."""
    return [
        {**doc, "decisions": [*map(DECISION.id, hunk.signature)], "digest": digest_of(doc, hunk.kind)}
        for hunk, doc in _documents(ledger, file, STATES)
        if hunk.listed
    ]


def digest_of(hunk: HunkDocument | HunkShown, kind: str) -> str:
    """A short name for what somebody sees of a hunk: another one when anything of that has changed."""
    from hashlib import blake2b  # it loads all of OpenSSL, and few commands need it

    seen = [
        *(hunk["id"], hunk["path"], hunk.get("from"), kind),
        *(hunk["status"], hunk["held"], hunk["old"], hunk["new"]),
    ]
    return blake2b(json.dumps(seen).encode(), digest_size=8).hexdigest()


def _documents(
    ledger: Ledger, file: File, with_text: tuple[Answer, ...]
) -> Iterator[tuple[Hunk, HunkDocument]]:
    found = hunks(file, ledger.counters.salt)
    builds_on = relations(file, found)
    known = {hunk.id: hunk for hunk in found}
    built_on_by: dict[str, list[str]] = {hunk.id: [] for hunk in found}
    for identifier, others in builds_on.items():
        for other in others:
            if known[identifier].state != REJECTED and is_asked_about(known[identifier]):
                built_on_by[other].append(identifier)
    sides = Sides(file)
    is_cells = "notebook" in (file.live.node.kind, file.baseline.node.kind)
    views = CellViews(file)
    why_text = why_not_cells(file)
    again = repeated(file, found)
    for hunk in found:
        call = ledger.call(hunk.operation.call) if hunk.operation.call is not None else None
        old, new = sides.of(hunk) if hunk.state in with_text else (NOT_TEXT, NOT_TEXT)
        place = _lines(new)[0]
        cell, old, new = views.of(hunk, old, new)
        document = hunk_document(hunk, old, new)
        if is_cells:
            document["cell"] = None if cell is None else cell_document(cell)
            document["place"] = place
        if why_text is not None and cell is None:
            document["as_text"] = why_text
        document["turn"] = TURN.id(call.turn) if call else None
        document["tool"] = call.tool if call else None
        document["builds_on"] = sorted(one for one in builds_on[hunk.id] if known[one].state in UNDECIDED)
        document["built_on_by"] = sorted(built_on_by[hunk.id])
        document["again"] = again.get(hunk.id)
        if hunk.kind == "rename":
            document["from"] = file.baseline.path
        yield hunk, document


def cell_document(cell: CellName) -> HunkCellDocument:
    """Which cell a hunk is in, and what it does to it."""
    return {"id": cell.id, "index": cell.number, "type": cell.type, "change": cell.change}


def why_not_cells(file: File) -> str | None:
    """Why a file that is called a notebook is shown as text; None if it is not, or no notebook."""
    if not is_notebook_path(file.live.path) or file.live.plain is None:
        return None
    try:
        projection(file.live.plain.encode("utf-8"))
    except NotCells as error:
        return str(error)
    return None


def hunk_document(hunk: Hunk, old: Side, new: Side) -> HunkDocument:
    """A hunk by itself, without what its call and its neighbours add."""
    old_start, old_lines = _lines(old)
    new_start, new_lines = _lines(new)
    return {
        "id": hunk.id,
        "path": hunk.path,
        "kind": hunk.kind,
        "status": status_of(hunk),
        "turn": None,
        "call": CALL.id_or_none(hunk.operation.call),
        "tool": None,
        "actor": actor_document(hunk.actor),
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
        "shared_with": [*map(CALL.id, hunk.operation.others)],
        "modified": hunk.modified,
        "endings": hunk.endings,
        "again": None,
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
                "modified": result.hunk.modified,
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
