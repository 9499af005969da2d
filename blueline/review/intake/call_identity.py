"""Which call a message is about: one is known by its conversation, its turn, its id and their order."""

from collections.abc import Callable

from blueline.model.notice import CallBegan, CallFinished
from blueline.review.ledger import Call, Ledger, Turn

Said = Callable[[Call], CallBegan | None]
"""What an agent said when a call began; None when that is not known any more."""


def last_named(ledger: Ledger, notice: CallBegan | CallFinished) -> Call | None:
    """The last call that had this key; of those that are open, the one of the same sub-agent."""
    found = [call for call in ledger.open_calls() if call.key == notice.key]
    own = [call for call in found if is_by_same(call, notice)]
    return (own or found)[-1] if found else ledger.call_named(notice.key)


def is_another(known: Call, notice: CallBegan | CallFinished, now: Turn | None, said: Said) -> bool:
    """Whether a message is about another call than the last that had the same key. `now` is the turn.

    Some agents give the same names again, in a later turn or in the same one. Two messages about one call
    come from two who tell of it, or are the same in every word.
    """
    is_over = known.ended is not None
    if notice.unnamed:
        return is_over
    if isinstance(notice, CallFinished) and (not is_over or known.outcome == "lost"):
        return False
    in_turn = now is None or known.subagent is not None or now.number == known.turn
    if isinstance(notice, CallBegan) and not in_turn:
        return True
    began = said(known)
    if began is None or began.by_us != notice.by_us:
        return False
    is_same = _is_same(began, notice)
    if isinstance(notice, CallBegan) and is_over:
        return not (is_same and known.outcome == "held")  # two hooks refuse one call
    return not is_same or not is_by_same(known, notice)


def is_by_same(call: Call, notice: CallBegan | CallFinished) -> bool:
    """Whether a call is one of the sub-agent, or of the agent itself, that a message is about."""
    return call.about.subagent == notice.about.get("subagent")


def _is_same(began: CallBegan, notice: CallBegan | CallFinished) -> bool:
    """Whether a message says the same of a call as the one at its beginning did; an end may say more."""
    told = (
        (one.tool, one.edits, one.content, one.section, one.patches, one.about.get("command"))
        for one in (began, notice)
    )
    is_end = isinstance(notice, CallFinished)
    return all(first == now or (is_end and not first) for first, now in zip(*told, strict=True))
