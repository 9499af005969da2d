"""Who did it: the call, or the calls, that a change found on disk belongs to."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from blueline.model.actor import EXTERNAL, PERSON, UNKNOWN, Actor
from blueline.review.ledger import Call, Ledger


class Author(NamedTuple):
    """Whose a change is."""

    actor: Actor
    call: int | None = None
    others: tuple[int, ...] = ()
    """Calls besides `call` that may have done it: nobody can tell."""


OUTSIDE = Author(EXTERNAL)
YOU = Author(PERSON)
"""Somebody who types in a surface of ours."""
GIT = Author(Actor("external", "git"))
"""A content that git had, brought back by it."""


def names(call: Call) -> set[str]:
    """The files that a call says it is about."""
    named = set(call.about.paths)
    return named | {call.path} if call.path is not None else named


def may_change(call: Call, path: str) -> bool:
    """Whether a call, while it is open, may be the one that changes a file.

    Not if it says itself what it does: what is found besides that is somebody else's.
    """
    if call.about.exact:
        return False
    return call.about.tree or path in names(call)


def by_calls(ledger: Ledger, calls: Sequence[Call]) -> Author:
    """The author of what happened while these calls, one at least, were open."""
    agents = dict.fromkeys(agent_of(ledger, call) for call in calls)
    first, *others = sorted(call.number for call in calls)
    if not others:
        return Author(Actor("agent", *agents), first)
    return Author(Actor("shared", ", ".join(agents)), first, tuple(others))


def agent_of(ledger: Ledger, call: Call) -> str:
    """The agent that made a call."""
    turn = ledger.turn(call.turn)
    return turn.agent if turn is not None else ""


def author_of(ledger: Ledger, path: str, left: Iterable[str] = ()) -> Author:
    """Whose a change is that was found at a path. `left` are the keys of calls that left processes behind.

    Such a process may go on for its turn. Later it may as well be somebody else who writes: that is asked.
    """
    calls = [call for call in ledger.open_calls() if may_change(call, path)]
    if calls:
        return by_calls(ledger, calls)
    for key in left:
        call = ledger.call_named(key)
        turn = ledger.turn(call.turn) if call is not None else None
        if call is None or turn is None:
            continue
        if turn.ended is None:
            return by_calls(ledger, [call])
        return Author(UNKNOWN, call.number)
    return OUTSIDE
