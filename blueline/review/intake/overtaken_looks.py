"""Looks that a decision overtook: a hook saw a file, and wrote that down when the file was another already.

A hook looks first and records then, and waits for nobody. What it saw is as old as its beginning, so a look
that shows exactly what a decision has replaced since is no news: nobody brought that back.
"""

from datetime import datetime, timedelta

from blueline.model.file_state import FileState
from blueline.model.verdict import BY_GIT, BY_HAND
from blueline.review.fold_files import state_key
from blueline.review.ledger import Ledger

LANDING = timedelta(seconds=10)
"""A decision has its time before it has written its files."""


def is_overtaken(ledger: Ledger, began: str, path: str, state: FileState) -> bool:
    """Whether a hook that began then saw a file as it was before the decisions that came last."""
    file = ledger.file_at(path)
    if file is None or state_key(state) in ("unknown", file.steps[-1].content):
        return False
    recent = _decided_since(ledger, began)
    for before, step in zip(file.steps[-2::-1], file.steps[:0:-1], strict=True):
        if step.kind in ("op", "formatted") or step.number not in recent:
            return False
        if before.content == state_key(state):
            return True
    return False


def _decided_since(ledger: Ledger, began: str) -> set[int]:
    """Decisions that were made, or taken back, in that time or just before."""
    since = datetime.fromisoformat(began) - LANDING
    found = set()
    number = ledger.counters.decision
    while (decision := ledger.decision(number)) is not None and datetime.fromisoformat(decision.at) >= since:
        if decision.verdict not in (BY_HAND, BY_GIT):
            found.add(decision.number if decision.of is None else decision.of)
        number -= 1
    return found
