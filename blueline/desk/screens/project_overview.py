"""The project at one look: files, turns with their calls, what others did, and what is pending.

After a decision, a page that has an earlier overview is sent what is different in it, not all of it again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from blueline.desk.documents import counted, digest_of, group_status
from blueline.desk.muted_files import is_muted
from blueline.desk.project_store import Store
from blueline.desk.record_documents import call_document, subagent_document, turn_document
from blueline.desk.reports import Reports
from blueline.kernel import refs
from blueline.model.ids import OUTSIDE, TURN
from blueline.review.intake.authorship import names

if TYPE_CHECKING:
    from blueline.contract.files import FileEntry, FileKind, FileLetter
    from blueline.contract.groups import CountedDocument
    from blueline.contract.hunks import HunkDocument, HunkEntry, HunkSummary
    from blueline.contract.overview import OutsideEntry, OverviewDocument, OverviewPatch, ProjectStanding
    from blueline.contract.turns import CallDocument, CallGroup, SubagentDocument, SubagentGroup, TurnEntry

RECENT_TURNS = 50
"""Older ones are shown only if something in them is pending."""

MOST_OUTSIDE = 200
"""Edits of people and their programs that are shown."""

KINDS: dict[str, FileKind] = {
    "text": "text",
    "notebook": "notebook",
    "bytes": "binary",
    "link": "link",
    "folder": "folder",
}
LETTERS: dict[str, FileLetter] = {"create": "A", "delete": "D", "rename": "R", "symlink": "T"}


class Decided(NamedTuple):
    """What decisions were about."""

    paths: Set[str]
    turns: Set[int]


class ProjectOverview:
    """Draws it up, as a whole or as far as it changed."""

    def __init__(self, store: Store, reports: Reports) -> None:
        self._store = store
        self._index = store.index
        self._screens = store.index.screens
        self._ledger = store.ledger
        self._reports = reports
        self._first = max(0, self._ledger.counters.turn - RECENT_TURNS + 1)

    def whole(self) -> OverviewDocument:
        """The overview as a page gets it that has none yet."""
        hunks = self._asked_about(self._screens.hunks_since(self._first))
        return {
            **self._standing(),
            "files": self._files(hunks, self._screens.kinds()),
            "turns": self._turns(hunks),
            "outside": self._outside(),
            "hunks": [_listed(hunk) for hunk in hunks if hunk["status"] == "pending"],
        }

    def since(self, version: int, decided: Decided, opened: str = "") -> OverviewPatch | None:
        """What is different in it since a version, behind which nothing happened but decisions, but for the
        hunks of a file whose page is sent along; None if more may be different than can be told."""
        if any(turn < self._first for turn in decided.turns):
            return None  # one that was shown for what was pending in it may go now, with all its files
        hunks = self._asked_about(self._screens.hunks_since(self._first, decided.paths))
        return {
            **self._standing(),
            "since": version,
            "paths": sorted(decided.paths),
            "opened": opened if opened in decided.paths else "",
            "files": self._files(hunks, self._screens.kinds(decided.paths)),
            "turns": self._turns_with(self._screens.calls_in(self._first, decided.paths), decided.turns),
            "outside": self._outside(),
            "hunks": [
                _listed(hunk) for hunk in hunks if hunk["status"] == "pending" and hunk["path"] != opened
            ],
        }

    def _asked_about(self, hunks: Iterable[HunkDocument]) -> list[HunkDocument]:
        return [hunk for hunk in hunks if is_asked_about(hunk)]

    def _standing(self) -> ProjectStanding:
        status = self._reports.status()
        root = self._store.root
        return {
            "version": self._ledger.counters.event,
            "project": {"name": root.name or str(root), "root": self._store.place, "branch": branch_of(root)},
            "mode": status["mode"],
            "counts": status["counts"],
            "gate": status["gate"],
            "warnings": status["warnings"],
        }

    def _files(self, hunks: Iterable[HunkDocument], kinds: Mapping[str, str]) -> list[FileEntry]:
        by_path: dict[str, list[HunkDocument]] = {}
        for hunk in hunks:
            by_path.setdefault(hunk["path"], []).append(hunk)
        running = {path for call in self._ledger.open_calls() for path in names(call)}
        stuck = {
            path
            for decision in self._ledger.unfinished()
            if decision.verdict != "queued"
            for write in decision.writes
            for path in (write.path, write.old_path)
        }
        notes = self._screens.open_notes()
        return [
            {
                "path": path,
                "letter": _letter(group),
                "status": "conflict" if path in stuck else group_status([one["status"] for one in group]),
                "pending": sum(one["status"] == "pending" for one in group),
                "decided": sum(one["status"] != "pending" for one in group),
                "notes": notes.get(path, 0),
                "muted": is_muted(path),
                "kind": KINDS.get(kinds.get(path, ""), "absent"),
                "running": path in running,
            }
            for path, group in by_path.items()
        ]

    def _turns(self, hunks: Iterable[HunkDocument]) -> list[TurnEntry]:
        by_turn: dict[str, list[HunkDocument]] = {}
        by_call: dict[str, list[HunkDocument]] = {}
        for hunk in hunks:
            by_turn.setdefault(hunk["turn"] or "", []).append(hunk)
            by_call.setdefault(hunk["call"] or "", []).append(hunk)
        latest = range(self._first, self._ledger.counters.turn + 1)
        earlier = {number for name in by_turn if (number := TURN.number(name)) is not None}
        found: list[TurnEntry] = []
        for number in sorted(earlier.union(latest), reverse=True):
            group = by_turn.get(TURN.id(number), [])
            turn = self._index.turns.get(number)
            if turn is None:
                continue
            calls = [
                _call_group(call_document(call), by_call) for call in self._index.calls.scan(turn=number)
            ]
            subagents = [
                _subagent_group(subagent_document(one), group)
                for one in self._index.subagents.scan(turn=number)
            ]
            found.append({**turn_document(turn), **_group(group), "calls": calls, "subagents": subagents})
        return found

    def _turns_with(self, numbers: Iterable[int], decided: Set[int]) -> list[TurnEntry]:
        """The turns of some calls, with these calls alone; and others that were decided about."""
        calls = [call for number in numbers if (call := self._index.calls.get(number)) is not None]
        by_turn: dict[int, list[CallDocument]] = {turn: [] for turn in decided}
        for call in calls:
            by_turn.setdefault(call["turn"], []).append(call_document(call))
        by_call: dict[str, list[HunkDocument]] = {}
        for hunk in self._asked_about(self._screens.hunks_of_calls([call["number"] for call in calls])):
            by_call.setdefault(hunk["call"] or "", []).append(hunk)
        found: list[TurnEntry] = []
        for number, own in sorted(by_turn.items(), reverse=True):
            statuses = self._screens.statuses_of(number)
            turn = self._index.turns.get(number)
            if turn is None or (number < self._first and "pending" not in statuses):
                continue
            subagents = self._index.subagents.scan(turn=number)
            hunks = self._asked_about(self._screens.hunks_of([number])) if subagents else []
            found.append(
                {
                    **turn_document(turn),
                    "status": group_status(statuses),
                    "counts": counted(statuses),
                    "calls": [_call_group(call, by_call) for call in own],
                    "subagents": [_subagent_group(subagent_document(one), hunks) for one in subagents],
                }
            )
        return found

    def _outside(self) -> list[OutsideEntry]:
        operations = self._screens.outside(MOST_OUTSIDE)
        hunks = {hunk["id"]: hunk for hunk in self._screens.hunks_named(names[0] for _, names in operations)}
        return [
            {
                "id": OUTSIDE.id(op),
                "actor": hunk["actor"],
                "path": hunk["path"],
                "at": hunk["at"],
                "status": hunk["status"],
                "hunks": sorted(names),
            }
            for op, names, hunk in ((op, names, hunks[names[0]]) for op, names in operations)
            if not is_asked_about(hunk)
        ]


def is_asked_about(hunk: HunkSummary) -> bool:
    """Whether anybody is asked about a hunk: what people and their programs do is not."""
    return hunk["actor"]["kind"] not in ("person", "external")


def _listed(hunk: HunkDocument) -> HunkEntry:
    rest = {name: value for name, value in hunk.items() if name not in ("old", "new")}
    return cast("HunkEntry", {**rest, "digest": digest_of(hunk, hunk["kind"])})


def _letter(group: Iterable[HunkDocument]) -> FileLetter:
    kinds = {hunk["kind"] for hunk in group}
    return next((letter for kind, letter in LETTERS.items() if kind in kinds), "M")


def _group(hunks: list[HunkDocument]) -> CountedDocument:
    statuses = [hunk["status"] for hunk in hunks]
    return {"status": group_status(statuses), "counts": counted(statuses)}


def _call_group(call: CallDocument, by_call: Mapping[str, list[HunkDocument]]) -> CallGroup:
    hunks = by_call.get(call["id"], [])
    return {**call, **_group(hunks), "hunks": [hunk["id"] for hunk in hunks]}


def _subagent_group(subagent: SubagentDocument, hunks: Iterable[HunkDocument]) -> SubagentGroup:
    own = [hunk for hunk in hunks if hunk["subagent"] == subagent["id"]]
    return {**subagent, **_group(own), "hunks": [hunk["id"] for hunk in own]}


def branch_of(root: Path) -> str | None:
    """The branch that is checked out, read without asking git; None if there is none."""
    return os.fsdecode(refs.branch(os.fsencode(root))) or None
