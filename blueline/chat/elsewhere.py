"""Turns that are taken back outside any chat: by a command, or as part of something else."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from blueline.chat import conversation_files
from blueline.chat.rewind import rewinding_there
from blueline.chat.transcript import Transcript
from blueline.desk import Desk

Document = Any


def rejected(desk: Desk, turns: Iterable[str], decision: str, reason: str) -> Document:
    """Let conversations know that turns of theirs were taken back; how to rewind others."""
    conversations, rewind = [], []
    for name in turns:
        turn = desk.conversing.turn(name)
        found = _conversation_of(desk.state, name)
        if found is not None:
            kept, number = found
            about = {"decisions": [decision], "reason": reason, "at": turn["ended"] if turn else None}
            kept.append({"kind": "rejected", "turn": number, **about})
            conversations.append(kept.id)
        elif turn is not None and (there := rewinding_there(turn)):
            rewind.append({"turn": name, **there})
    return {"conversations": conversations, "rewind": rewind}


def _conversation_of(state: Path, turn: str) -> tuple[conversation_files.Keeping, int] | None:
    for name in conversation_files.names(state):
        kept = conversation_files.Keeping(conversation_files.path_of(state, name))
        thread = Transcript()
        thread.take(kept.news())
        for number, about in thread.turns.items():
            if about.ledger == turn:
                return kept, number
    return None
