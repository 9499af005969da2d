"""Who did it: the call, or the calls, that a change found on disk belongs to."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from blueline.model.actor import EXTERNAL, PERSON, Actor
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

TEMPORARY = ".tmp."
"""Claude Code writes `a.md` as `a.md.tmp.`, its process and a random number, and renames that."""


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
    named = names(call)
    return call.about.tree or path in named or written_through(path) in named


def written_through(path: str) -> str | None:
    """The file that a tool writes by way of this one, which then takes its place, going by the name."""
    file, mark, rest = path.rpartition(TEMPORARY)
    return file if mark and "/" not in rest else None


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


def author_of(ledger: Ledger, path: str, left: Iterable[str] = (), began: str = "") -> Author:
    """Whose a change is that was found at a path. `left` are the keys of calls that left processes behind.

    What such a process does belongs to the call that started it, however late (rule D9). Beside other calls
    that are open nobody can tell which of them it was. `began` is when the look was asked for.
    """
    if (writer := _writer(ledger, path)) is not None:
        return by_calls(ledger, [writer])
    calls = {call.number: call for call in ledger.open_calls() if may_change(call, path)}
    calls |= {call.number: call for call in left_behind(ledger, left)}
    if not calls and began and (late := _ended_since(ledger, written_through(path), began)) is not None:
        calls = {late.number: late}
    return by_calls(ledger, [*calls.values()]) if calls else OUTSIDE


def _writer(ledger: Ledger, path: str) -> Call | None:
    """The call that made a file in order to write another one by way of it, and takes it away itself."""
    through = written_through(path)
    if through is None or (file := ledger.file_at(path)) is None:
        return None
    made = (ledger.call(one.call) for one in file.operations.values() if one.call is not None)
    return next((call for call in made if call is not None and through in names(call)), None)


def _ended_since(ledger: Ledger, path: str | None, began: str) -> Call | None:
    """The call that wrote a file last, if a look that began then is told of only after the end of it."""
    file = ledger.file_at(path) if path is not None else None
    last = [*file.operations.values()][-1] if file is not None and file.operations else None
    return ledger.call(last.call) if last is not None and last.call is not None and last.at >= began else None


def left_behind(ledger: Ledger, keys: Iterable[str]) -> list[Call]:
    """Calls that have left processes behind, by their keys."""
    found = (ledger.call_named(key) for key in keys)
    return [call for call in found if call is not None and call.ended is not None]
