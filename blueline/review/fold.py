"""Facts make the ledger, one after the other."""

import re
from dataclasses import replace
from typing import assert_never

from blueline.model.fact import (
    CallEnded,
    CallStarted,
    CommitsSeen,
    DecisionExplained,
    DecisionFinished,
    DecisionMade,
    DecisionQueued,
    DecisionTurned,
    Event,
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
from blueline.model.file_state import Regular
from blueline.review.fold_decisions import fold_decision_fact
from blueline.review.fold_files import fold_file_fact
from blueline.review.ledger import Call, Ledger, Note, Subagent, Turn
from blueline.review.medium.medium import Read

_KEY = re.compile(r"\(([^()]+)\)\Z")
"""Behind words that came from elsewhere stands what names them."""


def fold(ledger: Ledger, event: Event, read: Read) -> None:
    """Take one event into the ledger. `read` gives the bytes of a blob."""
    if event.number > ledger.counters.event + 1:
        ledger.count(missing=ledger.counters.missing + event.number - ledger.counters.event - 1)
    ledger.count(event=event.number)
    if event.source is not None:
        ledger.count(source=event.source)
    for fact in event.facts:
        fold_fact(ledger, fact, event.at, read)


def fold_fact(ledger: Ledger, fact: Fact, at: str, read: Read) -> None:
    """Take one fact into the ledger."""
    match fact:
        # First what there is most of.
        case CallStarted():
            is_new = fact.call > ledger.counters.call  # nobody has to be asked for it
            ledger.count(call=fact.call)
            call = None if is_new else ledger.call(fact.call)
            if call is not None:
                ledger.put_call(replace(call, turn=fact.turn, subagent=fact.subagent))
            else:
                ledger.put_call(_call(fact, at, ledger.next_order()))
        case CallEnded():
            if (call := ledger.call(fact.call)) is not None:
                about = call.about.then(fact.about)
                ledger.put_call(replace(call, ended=call.ended or at, outcome=fact.outcome, about=about))
        case ProjectOpened():
            ledger.count(salt=fact.salt)
        case TurnStarted():
            ledger.count(turn=fact.turn)
            ledger.put_turn(_turn(fact, at, ledger.next_order()))
        case TurnResumed():
            if (turn := ledger.turn(fact.turn)) is not None:
                order = ledger.next_order()
                ledger.put_turn(replace(turn, ended=None, resumed=order, process=fact.process, waits=False))
        case SubagentStarted():
            ledger.count(subagent=fact.subagent)
            ledger.put_subagent(_subagent(ledger, fact, at))
        case SubagentEnded():
            if (subagent := ledger.subagent(fact.subagent)) is not None:
                ledger.put_subagent(replace(subagent, ended=at))
        case TurnEnded():
            if (turn := ledger.turn(fact.turn)) is not None:
                ledger.put_turn(replace(turn, ended=None if fact.waits else at, waits=fact.waits))
        case (
            FileSeen()
            | FileChanged()
            | FileGrew()
            | FileFormatted()
            | FileFolded()
            | FilePurged()
            | CommitsSeen()
        ):
            fold_file_fact(ledger, fact, at, read)
        case (
            DecisionMade()
            | DecisionTurned()
            | DecisionFinished()
            | DecisionExplained()
            | DecisionQueued()
            | QueueLeft()
        ):
            fold_decision_fact(ledger, fact, at)
        case ModeSet() | HistoryRemoved():
            pass
        case NoteWritten() | NoteChanged():
            _fold_note(ledger, fact, at)
        case _:
            assert_never(fact)


def _fold_note(ledger: Ledger, fact: NoteWritten | NoteChanged, at: str) -> None:
    if isinstance(fact, NoteWritten):
        ledger.count(note=fact.note)
        ledger.put_note(_noted(fact, at, ledger.next_order()))
    elif (note := ledger.note(fact.note)) is not None:
        text = note.text if fact.text is None else fact.text
        ledger.put_note(replace(note, text=text, status=fact.status, changes=note.changes + 1))


def _turn(fact: TurnStarted, at: str, order: int) -> Turn:
    return Turn(
        number=fact.turn,
        conversation=fact.conversation,
        agent=fact.agent,
        prompt=fact.prompt,
        started=at,
        order=order,
        chat=fact.chat,
        process=fact.process,
        resumed=order,
    )


def _subagent(ledger: Ledger, fact: SubagentStarted, at: str) -> Subagent:
    known = ledger.subagent(fact.subagent)
    return Subagent(
        number=fact.subagent,
        turn=fact.turn,
        key=fact.key,
        type=fact.type,
        description=fact.description,
        started=known.started if known is not None else at,
        order=known.order if known is not None else ledger.next_order(),
    )


def _call(fact: CallStarted, at: str, order: int) -> Call:
    return Call(
        number=fact.call,
        turn=fact.turn,
        key=fact.key,
        tool=fact.tool,
        path=fact.path,
        started=at,
        order=order,
        subagent=fact.subagent,
        about=fact.about,
    )


def _noted(fact: NoteWritten, at: str, order: int) -> Note:
    return Note(
        number=fact.note,
        kind=fact.kind,
        text=fact.text,
        on=fact.on,
        of=fact.of,
        file=fact.file,
        path=fact.path,
        line=fact.line,
        end_line=fact.end_line,
        quote=fact.quote,
        blob=fact.state.blob if isinstance(fact.state, Regular) else "",
        conversation=fact.conversation,
        at=at,
        order=order,
        key=found[1] if (found := _KEY.search(fact.text)) else "",
    )
