"""Turns, calls, decisions and notes as documents, made from what the index keeps of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from blueline.desk.documents import counted, group_status
from blueline.model.call_about import PRIVATE
from blueline.model.ids import CALL, DECISION, NOTE, SUBAGENT, TURN
from blueline.model.verdict import BY_GIT, BY_HAND

if TYPE_CHECKING:
    from blueline.contract.groups import GroupDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.log import DecisionLogged, NoteLogged
    from blueline.contract.notes import NoteKind
    from blueline.contract.stored import StoredCall, StoredDecision, StoredNote, StoredSubagent, StoredTurn
    from blueline.contract.turns import CallAboutDocument, CallDocument, SubagentDocument, TurnDocument


def group_document(hunks: Sequence[HunkDocument]) -> GroupDocument:
    statuses = [hunk["status"] for hunk in hunks]
    return {
        "status": group_status(statuses),
        "hunks": [hunk["id"] for hunk in hunks],
        "counts": counted(statuses),
    }


def turn_document(turn: StoredTurn) -> TurnDocument:
    return {
        "id": TURN.id(turn["number"]),
        "prompt": turn["prompt"],
        "agent": turn["agent"],
        "conversation": turn["conversation"],
        "started": turn["started"],
        "ended": turn["ended"],
    }


def subagent_document(subagent: StoredSubagent) -> SubagentDocument:
    return {
        "id": SUBAGENT.id(subagent["number"]),
        "turn": TURN.id(subagent["turn"]),
        "type": subagent["type"],
        "description": subagent["description"],
        "started": subagent["started"],
        "ended": subagent["ended"],
    }


def call_document(call: StoredCall) -> CallDocument:
    about = {name: value for name, value in call["about"].items() if name not in PRIVATE}
    return {
        "id": CALL.id(call["number"]),
        "turn": TURN.id(call["turn"]),
        "subagent": SUBAGENT.id_or_none(call["subagent"]),
        "tool": call["tool"],
        "path": call["path"],
        "started": call["started"],
        "ended": call["ended"],
        "outcome": call["outcome"],
        "about": cast("CallAboutDocument", about),
    }


def decision_logged(decision: StoredDecision, paths: Mapping[int, str]) -> DecisionLogged:
    """As the log has it; `paths` are those of its files, by number."""
    return {
        "id": DECISION.id(decision["number"]),
        "at": decision["at"],
        "verdict": decision["verdict"],
        "of": DECISION.id_or_none(decision["of"]),
        "stands": decision["stands"],
        "reason": decision["reason"],
        "by": decision.get("by", ""),
        "agent": decision.get("agent", ""),
        "commit": decision.get("commit", ""),
        "request": decision.get("request", ""),
        "returns": decision.get("returns", False),
        "hunks": decision["hunks"],
        "paths": sorted({paths[file] for file in decision["files"] if file in paths}),
        "written": _written(decision),
        "kind": "decision",
    }


def note_logged(note: StoredNote) -> NoteLogged:
    return {
        "id": NOTE.id(note["number"]),
        "kind": "note",
        "note": cast("NoteKind", note["kind"]),
        "at": note["at"],
        "text": note["text"],
        "status": note["status"],
        "path": note["path"],
        "line": note["line"],
        "of": note["of"],
    }


def _written(decision: StoredDecision) -> list[str]:
    by_itself = decision["verdict"] in (BY_HAND, BY_GIT)
    return [] if by_itself else [write["path"] for write in decision["writes"]]
