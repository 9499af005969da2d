"""What the rejection of whole turns means for the conversations that they were held in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from blueline.model.ids import TURN
from blueline.review.ledger import Ledger, Turn

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument, TurnRewindDocument

LONGEST_PROMPT_SHOWN = 60


def followed(document: DecisionDocument, ledger: Ledger, numbers: Iterable[int]) -> DecisionDocument:
    """The answer to a decision, with what it means for conversations if it rejected these turns."""
    turns = [turn for number in sorted(numbers) if (turn := ledger.turn(number)) is not None]
    if document["verdict"] == "reject" and turns:
        # Chats of ours forget their turns by themselves; of others, it is said how to if that is known.
        document["conversations"] = [turn.chat for turn in turns if turn.chat]
        others = [turn for turn in turns if not turn.chat and turn.agent == "claude-code"]
        document["rewind"] = [_rewinding(turn) for turn in others]
    return document


def _rewinding(turn: Turn) -> TurnRewindDocument:
    line = " ".join(turn.prompt.split())
    prompt = line if len(line) <= LONGEST_PROMPT_SHOWN else line[: LONGEST_PROMPT_SHOWN - 1] + "…"
    return {
        "turn": TURN.id(turn.number),
        "command": "/rewind",
        "message": prompt,
        "resume": f"claude --resume {turn.conversation}",
        "text": f'In its terminal: /rewind, choose the message "{prompt}", then "Restore conversation".',
    }
