"""Which turns are taken back: what a conversation shows of itself follows from that."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from blueline.model.ids import TURN
from blueline.review.ledger import Decision


class TurnRejection(NamedTuple):
    """A turn that is taken back."""

    turn: str
    since: int
    """The number of the decision that took it back, or of the last redo of that."""
    reason: str


class TurnRejections(NamedTuple):
    """All of them, the oldest first."""

    known_to: int = 0
    """The last decision that counts here."""
    turns: tuple[TurnRejection, ...] = ()


def turn_rejections(decisions: Iterable[Decision], named: Mapping[int, str]) -> tuple[TurnRejection, ...]:
    """What decisions about whole turns come to, given oldest first.

    One that was put off counts from the beginning, and then as what it became. `named` are turns of decisions
    that were made before decisions said so.
    """
    known = {decision.number: decision for decision in decisions}
    since: dict[int, int] = {}
    for decision in known.values():
        if decision.verdict == "reject":
            since.setdefault(decision.number, decision.number)
        elif decision.verdict == "queued" and decision.waits_for == "reject":
            since[decision.of or decision.number] = decision.number
        elif decision.verdict == "redo" and decision.of in since:
            since[decision.of] = decision.number
    found = [
        TurnRejection(turn, start, known[number].reason)
        for number, start in since.items()
        if _counts(known[number])
        for turn in _turns(known[number], named)
    ]
    return tuple(sorted(found, key=lambda one: one.since))


def _counts(decision: Decision) -> bool:
    return not decision.finished if decision.verdict == "queued" else decision.stands


def _turns(decision: Decision, named: Mapping[int, str]) -> list[str]:
    names = [TURN.id(number) for number in decision.turns]
    return names or [named[decision.number]]
