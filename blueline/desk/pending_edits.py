"""Edits that are not decided, as records with the texts that their calls gave: for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from blueline.desk.notebook_records import notebook_records
from blueline.desk.project_store import Store
from blueline.journal.observation import Observation
from blueline.model.call_about import load_about
from blueline.model.file_state import Regular
from blueline.model.ids import CALL
from blueline.model.notice import CallBegan
from blueline.model.text import as_text
from blueline.review.file import File
from blueline.review.medium.choice import in_sections

if TYPE_CHECKING:
    from blueline.contract.exports import PendingEdit
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.stored import StoredCall


def pending_edits(store: Store, hunks: Mapping[str | None, Sequence[HunkDocument]]) -> list[PendingEdit]:
    """One record for each edit or write call that is not decided. `hunks`: all, by the id of their call."""
    records: list[PendingEdit] = []
    for call in store.index.calls.scan():
        group = hunks.get(CALL.id(call["number"]), [])
        statuses = [hunk["status"] for hunk in group]
        if "pending" not in statuses:
            continue
        for number, op in store.index.files.of_call(call["number"]):
            file = store.ledger.file(number)
            if file is None:
                continue
            if in_sections(file.live):
                path, salt = str(store.root / file.live.path), store.ledger.counters.salt
                found = notebook_records(file, op, call["number"], path, salt)
                records += [{**one, "timestamp": call["started"][:19] + "Z"} for one in found]
            else:
                records.append(_record(store, call, file, op))
    return records


def _record(store: Store, call: StoredCall, file: File, op: int) -> PendingEdit:
    record: PendingEdit = {
        "id": f"edit-{call['number']}-{op}",
        "timestamp": call["started"][:19] + "Z",
        "tool": call["tool"],
        "file_path": str(store.root / file.live.path),
    }
    about = load_about(call["about"])
    seen, notices = store.records.at(about.record)
    began = next((notice for notice in notices if isinstance(notice, CallBegan)), None)
    if began is not None and began.edits:
        record["old_string"], record["new_string"] = began.edits[0].old, began.edits[0].new
    else:
        ended, _ = store.records.at(about.end)
        content = began.content if began is not None and ended is None else _text(store, ended)
        record["content"], record["old_content"] = content, _text(store, seen)
    record["status"] = "pending"
    return record


def _text(store: Store, seen: Observation | None) -> str | None:
    state = seen.state if seen is not None else None
    return as_text(store.read(state.blob)) if isinstance(state, Regular) else None
