"""What surfaces are shown of conversations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from blueline.chat.call_recorder import Diff
from blueline.chat.proposed_diff import proposed
from blueline.chat.transcript import Composer, Entry, Transcript, TranscriptTurn

if TYPE_CHECKING:
    from blueline.contract.conversations import (
        ComposerDocument,
        ConversationDocument,
        ConversationListed,
        EntryDocument,
        ProposedDiff,
        RoundDocument,
    )

PAGE = 100
"""Entries that are handed out at once."""


def listed(name: str, thread: Transcript, label: str) -> ConversationListed:
    """A conversation in a list."""
    last = max((turn.ended or turn.at for turn in thread.turns.values()), default=thread.started)
    return {
        "id": name,
        "seq": thread.seq,
        "title": thread.title,
        "agent": thread.agent,
        "label": label,
        "running": thread.running is not None,
        "waiting": len(thread.waiting()),
        "turns": [turn.ledger for turn in thread.turns.values() if turn.ledger],
        "at": last,
        "task": thread.task,
        "closed": thread.is_closed,
    }


def conversation(
    name: str,
    thread: Transcript,
    *,
    label: str,
    root: Path,
    after: int | None = None,
    before: int | None = None,
) -> ConversationDocument:
    """One conversation: its last entries, those before one, or those that changed after some record."""
    shown = thread.shown
    if after is not None:
        found = [entry for entry in shown if entry.changed > after]
        # Somebody who has missed that much reads the end of it again.
        found = found if len(found) <= PAGE else shown[-PAGE:]
    elif before is not None:
        found = [entry for entry in shown if entry.number < before][-PAGE:]
    else:
        found = shown[-PAGE:]
    running = thread.running
    return {
        **listed(name, thread, label),
        "entries": [_entry(entry, root) for entry in found],
        "first": shown[0].number if shown else 0,
        "count": len(shown),
        "hidden": sorted(thread.hidden),
        "composer": _composer(thread.composer),
        "rounds": [_turn(turn, thread.hidden) for turn in thread.turns.values()],
        "commands": thread.commands,
        "suggestions": thread.suggestions,
        "waits_for": [entry.number for entry in thread.waiting()],
        "round": running.number if running else None,
    }


def _composer(composer: Composer) -> ComposerDocument:
    return {"text": composer.text, "context": [*composer.context]}


def _turn(turn: TranscriptTurn, hidden: Collection[int]) -> RoundDocument:
    return {
        "number": turn.number,
        "turn": turn.ledger or None,
        "ended": turn.ended,
        "stop": turn.stop,
        "error": turn.error,
        "hidden": turn.number in hidden,
    }


def linked(document: ConversationDocument, calls: Mapping[str, str]) -> ConversationDocument:
    """The same, with what the ledger calls the calls of its entries."""
    for entry in document["entries"]:
        if key := entry["about"].pop("key", None):
            entry["about"]["ledger"] = calls.get(key)
    return document


def keys(document: ConversationDocument) -> list[str]:
    """What the calls of its entries are known by."""
    return [entry["about"]["key"] for entry in document["entries"] if "key" in entry["about"]]


def _entry(entry: Entry, root: Path) -> EntryDocument:
    about = entry.about.copy()
    if "paths" in about:
        about["paths"] = [{**one, "path": relative(root, one["path"])} for one in about["paths"]]
    if "diffs" in about:
        about["diffs"] = [
            {**one, "path": relative(root, one["path"])} for one in map(shown_diff, about["diffs"])
        ]
    return {
        "number": entry.number,
        "turn": entry.turn,
        "kind": entry.kind,
        "at": entry.at,
        "text": entry.text,
        "about": about,
    }


def shown_diff(stored: Mapping[str, Any]) -> ProposedDiff:
    """What an agent asked to do to a file. Earlier versions kept both sides of it."""
    if "diff" in stored:
        return cast("ProposedDiff", stored)
    sides = Diff(path=stored["path"], old=stored["old"] or None, new=stored["new"] or "")
    return {**proposed(sides.path, sides, None), "long": stored["long"], "line": None}


def relative(root: Path, path: str) -> str:
    """A path as it is shown: below the root, without it."""
    return path.removeprefix(f"{root}/")
