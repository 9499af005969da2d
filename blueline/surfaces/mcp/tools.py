"""What each tool does. An agent can edit, propose and read here; to accept is for people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk.held_cells import must_be_free
from blueline.sdk import Outcome
from blueline.surfaces.mcp.callers import Caller, Callers, OpenDesk

if TYPE_CHECKING:
    from blueline.desk import Desk


class Tools:
    """The tools in one project."""

    def __init__(self, start: Path, environ: Mapping[str, str], open_desk: OpenDesk) -> None:
        self._start = start
        self._open_desk = open_desk
        self._callers = Callers(start, environ, open_desk)

    def close(self) -> None:
        """The client has left."""
        self._callers.close()

    def edit_file(self, caller: Caller, path: str, old: str, new: str, replace_all: bool) -> Outcome:
        turn = self._callers.turn(caller)
        return turn.edit_file(path, old, new, replace_all, call_id=caller.call)

    def write_file(self, caller: Caller, path: str, content: str) -> Outcome:
        return self._callers.turn(caller).write_file(path, content, call_id=caller.call)

    def propose_edit(self, caller: Caller, path: str, old: str, new: str, reason: str) -> Outcome:
        return self._callers.turn(caller).propose_edit(path, old, new, reason, call_id=caller.call)

    def edit_cell(self, caller: Caller, path: str, cell: str, source: str, reason: str) -> Outcome:
        turn = self._callers.turn(caller)
        self._must_be_free(turn.named(path), cell)
        return turn.edit_cell(path, cell, source, reason, call_id=caller.call)

    def add_cell(self, caller: Caller, path: str, source: str, after: str, kind: str, reason: str) -> Outcome:
        turn = self._callers.turn(caller)
        return turn.add_cell(path, source, after, kind, reason, call_id=caller.call)

    def delete_cell(self, caller: Caller, path: str, cell: str, reason: str) -> Outcome:
        turn = self._callers.turn(caller)
        self._must_be_free(turn.named(path), cell)
        return turn.delete_cell(path, cell, reason, call_id=caller.call)

    def _must_be_free(self, path: str, cell: str) -> None:
        with self._open_desk(self._start) as desk:
            must_be_free(desk.list()["hunks"], path, cell)

    def review_status(self) -> Mapping[str, object]:
        with self._open_desk(self._start) as desk:
            return {**desk.status()}

    def list_changes(self, status: str) -> Mapping[str, object]:
        with self._open_desk(self._start) as desk:
            return {**desk.list(status=status)}

    def explain_change(self, change: str) -> Mapping[str, object]:
        with self._open_desk(self._start) as desk:
            found = desk.show(change)
            names = found["decisions"] if found["kind"] == "hunk" else []
            decisions = [_decision(desk, name) for name in names]
        return {**found, "decisions": decisions} if decisions else {**found}


def _decision(desk: Desk, name: str) -> dict[str, object]:
    found = desk.show(name)
    return {key: found.get(key) for key in ("id", "verdict", "reason", "stands", "at")}
