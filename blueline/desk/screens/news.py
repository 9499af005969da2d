"""What happened since some place in the journal: for surfaces that show it as it happens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from blueline.desk.project_store import Store
from blueline.desk.screens.project_overview import Decided
from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT, OBSERVATION, Frame
from blueline.model.fact import (
    CallEnded,
    CallStarted,
    CommitsSeen,
    DecisionExplained,
    DecisionFinished,
    DecisionMade,
    DecisionQueued,
    DecisionTurned,
    Fact,
    FileChanged,
    FileFolded,
    FileFormatted,
    FileGrew,
    FilePurged,
    FileSeen,
    HistoryRemoved,
    ModeSet,
    NoteChanged,
    NoteWritten,
    ProjectOpened,
    QueueLeft,
    SubagentEnded,
    SubagentStarted,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from blueline.model.ids import TURN

if TYPE_CHECKING:
    from blueline.contract.overview import ProgressDocument


class Following:
    """Collects what facts are about."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ledger = store.ledger
        self._screens = store.index.screens
        self._paths: set[str] = set()
        self._files: set[int] = set()
        self._turns: set[int] = set()

    def since(self, cursor: int | None) -> ProgressDocument:
        """The files and turns that events after a cursor are about, and the cursor to ask with next time."""
        end = self._store.journal.end()
        if cursor is not None:
            for found in self._store.journal.read(cursor):
                if isinstance(found, Frame) and found.kind == EVENT:
                    self._learn(load_event(found.payload).facts)
                end = found.end if isinstance(found, Frame) or not found.tail else found.start
        paths = self._paths | set(self._screens.paths_of(self._files).values())
        return {
            "version": self._ledger.counters.event,
            "cursor": end,
            "files": sorted(paths),
            "turns": [*map(TURN.id, sorted(self._turns))],
        }

    def decided_since(self, cursor: int) -> Decided | None:
        """What decisions after a cursor were about; None if anything else happened, or files moved."""
        for found in self._store.journal.read(cursor):
            if not isinstance(found, Frame):
                return None
            if found.kind == OBSERVATION:
                return None
            if found.kind == EVENT:
                facts = load_event(found.payload).facts
                if not all(map(_is_in_place, facts)):
                    return None
                self._learn(facts)
        return Decided({*self._screens.paths_of(self._files).values()}, self._turns)

    def _learn(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            match fact:
                case FileSeen() | FileChanged():
                    self._paths.add(fact.path)
                    self._files.add(fact.file)
                    if isinstance(fact, FileChanged):
                        self._learn_call(fact.call)
                case CommitsSeen():
                    self._files |= {number for number, _, _ in fact.committed}
                case FilePurged() | FileGrew() | FileFormatted() | FileFolded():
                    self._files.add(fact.file)
                case TurnStarted() | TurnResumed() | TurnEnded() | SubagentStarted():
                    self._turns.add(fact.turn)
                case SubagentEnded():
                    ended = self._ledger.subagent(fact.subagent)
                    self._turns |= {ended.turn} if ended is not None else set()
                case CallStarted() | CallEnded():
                    self._learn_call(fact.call)
                case DecisionMade():
                    self._files |= {number for number, _ in fact.changes}
                    self._turns |= self._screens.turns_of(fact.hunks)
                case DecisionQueued():
                    self._turns |= set(fact.turns)
                case QueueLeft():
                    waited = self._ledger.decision(fact.decision)
                    self._turns |= set(waited.turns if waited is not None else ())
                case DecisionTurned():
                    self._files |= set(fact.files)
                    of = self._ledger.decision(fact.of)
                    self._turns |= self._screens.turns_of(of.hunks if of is not None else ())
                case NoteWritten():
                    self._files |= {fact.file} if fact.file is not None else set()
                case NoteChanged():
                    note = self._ledger.note(fact.note)
                    self._files |= {note.file} if note is not None and note.file is not None else set()
                case HistoryRemoved():
                    self._files |= {number for number, _ in fact.folds}
                case ProjectOpened() | DecisionFinished() | DecisionExplained() | ModeSet():
                    pass

    def _learn_call(self, number: int | None) -> None:
        call = self._ledger.call(number) if number is not None else None
        if call is not None:
            self._turns.add(call.turn)
            self._paths |= {path for path in (call.path, *call.about.paths) if path is not None}


def _is_in_place(fact: Fact) -> bool:
    """Whether a fact is about decisions, and left every file where it was."""
    match fact:
        case DecisionMade() | DecisionTurned():
            return all(write.path == write.old_path for write in fact.writes)
        case DecisionFinished():
            return True
        case _:
            return False
