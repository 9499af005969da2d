"""What is known of a tool call besides its tool and its file."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypedDict

CommitMove = TypedDict(
    "CommitMove", {"from": str, "to": str, "from_branch": str, "to_branch": str, "files": int}
)
"""The current commit became another one, and so many files with it."""


@dataclass(frozen=True, kw_only=True)
class CallAbout:
    """What the agent said of a call, and what was found out at its beginning and its end.

    Names on disk outlive names in code: a field is called here as it is in the journal and in the JSON.
    """

    # As the agent said it

    exact: bool = False
    """It says itself what it does to its files, as it goes on: what is found besides is somebody else's."""
    reason: str | None = None
    command: str | None = None
    description: str | None = None
    background: bool = False
    """The command goes on when the call has ended."""
    subagent: Mapping[str, str] | None = None
    cell: str | None = None
    error: str | None = None
    interrupted: bool = False
    incomplete: bool = False
    """The stream that it wrote broke off."""

    # Found at its beginning

    record: int | None = None
    """Where the observation of its beginning stands in the journal."""
    outside: str | None = None
    """A file outside the project, which was not looked at."""
    paths: tuple[str, ...] = ()
    """The files that it names, if several."""
    missing: Mapping[str, str] | str | None = None
    """The first folder that was not there, by file; in old journals, of the one file."""
    tree: bool = False
    """It may change any file."""
    process: tuple[int, int] | None = None
    """The agent: process number and start."""
    beside: tuple[int, ...] = ()
    """Calls that had left processes behind when it began."""

    # Found at its end

    end: int | None = None
    """Where the observation of its end stands in the journal."""
    gap: str | None = None
    """What could not be looked at, and why."""
    counted: tuple[tuple[str, int, int], ...] = ()
    """Folders that are not itemised in which files came or went, with their number before and after."""
    closed: tuple[str, ...] = ()
    """Folders that could not be looked into."""
    stays: int = 0
    """How many processes it left behind."""
    git: CommitMove | None = None
    why: str | None = None
    """Why no proposal could be made of it."""
    unseen: bool = False
    """Its end was not seen, and a file that it names has changed since."""

    others: Mapping[str, object] = field(default_factory=dict)
    """What only one agent has a name for, such as what ties its calls together, or only an old journal."""
    order: tuple[str, ...] = ()
    """The names in the order in which they became known, as they are written and shown: all of them, or, of
    what was just made, none."""

    def missing_at(self, path: str) -> str:
        """The folder that was missing for a file; empty if none was."""
        if isinstance(self.missing, str):
            return self.missing
        return (self.missing or {}).get(path, "")

    def then(self, later: "CallAbout") -> "CallAbout":
        """This, and what became known later."""
        own, names = _names(self), _names(later)
        if not names:
            return self
        if not own and later.order:
            return later
        known = {name: getattr(self, name) for name in own if name in DEFAULTS}
        known |= {name: getattr(later, name) for name in names if name in DEFAULTS}
        order = tuple(dict.fromkeys((*own, *names)))
        return _made(known, {**self.others, **later.others}, order)


NOTHING_KNOWN = CallAbout()

DEFAULTS = {one.name: one.default for one in fields(CallAbout) if one.name not in ("others", "order")}
_values = attrgetter(*DEFAULTS)

PRIVATE = frozenset({"record", "end", "missing", "tree", "process", "beside", "exact"})
"""What is known for our own use, and not shown."""


def noted(**found: Any) -> CallAbout:
    """What was found out about a call; what is as it is by default is nothing to know."""
    known = {name: value for name, value in found.items() if value != DEFAULTS[name]}
    return _made(known, {}, tuple(known)) if known else NOTHING_KNOWN


def load_about(stored: Mapping[str, Any]) -> CallAbout:
    """What is known of a call, from the journal, the index or the words of its agent."""
    if not stored:
        return NOTHING_KNOWN
    known = {name: _frozen(value) for name, value in stored.items() if name in DEFAULTS}
    others = {name: value for name, value in stored.items() if name not in DEFAULTS}
    return _made(known, others, tuple(stored))


def dump_about(about: CallAbout) -> dict[str, Any]:
    """The reverse of `load_about`: every name that came in goes out, also one that nobody knows here."""
    return {name: getattr(about, name) if name in DEFAULTS else about.others[name] for name in _names(about)}


def _made(known: dict[str, Any], others: Mapping[str, object], order: tuple[str, ...]) -> CallAbout:
    """As `CallAbout` makes it. What is not known is as it is by default, and is not set for each of them."""
    made = object.__new__(CallAbout)
    vars(made).update(known, others=others, order=order)
    return made


def _names(about: CallAbout) -> tuple[str, ...]:
    """The names of what is known, in order."""
    if about.order or about is NOTHING_KNOWN:
        return about.order
    # There are many calls, and of each hardly anything is known.
    found = zip(DEFAULTS.items(), _values(about), strict=True)
    known = [name for (name, default), value in found if value is not default and value != default]
    return (*known, *about.others)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
