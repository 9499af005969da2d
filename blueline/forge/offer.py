"""What was offered in one issue or pull request, and what became of it: kept in git, on a ref of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from blueline.errors import BluelineError
from blueline.forge.suggestion import GitContent, OfferedChange, Suggestion
from blueline.hosts.host import ThreadName

FORMAT = 1
REFS = "refs/blueline/suggestions/"
RECORD = "suggestions.json"
MOST_HANDLED = 1_000
"""Comments of one thread that are remembered."""

MOST_FEEDBACK = 200


def ref_of(thread: ThreadName, *, counts_apart: bool) -> str:
    """Where the offer of a thread is kept."""
    return f"{REFS}{'merge-request-' if counts_apart and thread.is_pull else ''}{thread.number}"


class OfferUnreadable(BluelineError):
    """What is kept is not what we wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody, as a commit names them."""

    name: str
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Words for the agent."""

    comment: int
    by: str
    text: str
    numbers: tuple[int, ...] = ()
    """The suggestions that it is about; none for all."""
    verdict: Literal["feedback", "rejected", "applied"] = "feedback"


@dataclass(frozen=True, kw_only=True)
class Offer:
    """The suggestions of one thread."""

    repository: str
    number: int
    is_pull: bool
    branch: str
    """Where they go when they are applied."""
    head: str
    """The commit that the last list was made for, or that we made since."""
    base: str = ""
    """Where a pull request wants to go."""
    draft: bool = False
    id: str = ""
    listed_at: str = ""
    """When the last list was made, by the host's clock: who wrote a command before that had not seen it."""
    offered_by: Person | None = None
    suggestions: tuple[Suggestion, ...] = ()
    handled: Mapping[int, str] = field(default_factory=dict)
    """What was answered to each comment."""
    feedback: tuple[Feedback, ...] = ()

    @property
    def pending(self) -> tuple[Suggestion, ...]:
        return tuple(one for one in self.suggestions if one.status == "pending")

    @property
    def thread(self) -> ThreadName:
        return ThreadName(self.number, self.is_pull)

    def with_suggestions(self, changed: Iterable[Suggestion]) -> Offer:
        """The same, with some suggestions in place of those of the same number, and new ones at the end."""
        by_number = {one.number: one for one in self.suggestions} | {one.number: one for one in changed}
        return replace(self, suggestions=tuple(by_number[number] for number in sorted(by_number)))

    def answered(self, comment: int, answer: str) -> Offer:
        """The same after a comment was dealt with."""
        kept = {**self.handled, comment: answer}
        return replace(self, handled=dict(sorted(kept.items())[-MOST_HANDLED:]))

    def heard(self, *words: Feedback) -> Offer:
        return replace(self, feedback=(*self.feedback, *words)[-MOST_FEEDBACK:])


def changes_of(offer: Offer) -> list[OfferedChange]:
    """Each change once: several suggestions can be parts of one."""
    found: dict[int, OfferedChange] = {}
    for one in offer.suggestions:
        found.setdefault(id(one.change), one.change)
    return list(found.values())


def dump(offer: Offer, put: Callable[[bytes], str]) -> tuple[bytes, dict[str, str]]:
    """The record, and the blobs that belong beside it by their names. `put` keeps bytes and names them."""
    blobs: dict[str, str] = {}

    def side(name: str, found: GitContent | None) -> dict[str, Any] | None:
        if found is None:
            return None
        blobs[name] = put(found.content)
        return {"mode": f"{found.mode:o}", "blob": blobs[name]}

    changes = changes_of(offer)
    numbers = {id(change): number for number, change in enumerate(changes)}
    document = {
        "format": FORMAT,
        "id": offer.id,
        "repository": offer.repository,
        "number": offer.number,
        "is_pull": offer.is_pull,
        "branch": offer.branch,
        "head": offer.head,
        "base": offer.base,
        "draft": offer.draft,
        "listed_at": offer.listed_at,
        "offered_by": None
        if offer.offered_by is None
        else {"name": offer.offered_by.name, "email": offer.offered_by.email},
        "changes": [
            {
                "path": change.path,
                "old_path": change.old_path,
                "old": side(f"old/{number}", change.old),
                "new": side(f"new/{number}", change.new),
            }
            for number, change in enumerate(changes)
        ],
        "suggestions": [_suggestion(one, numbers[id(one.change)]) for one in offer.suggestions],
        "handled": {str(comment): answer for comment, answer in offer.handled.items()},
        "feedback": [_feedback(one) for one in offer.feedback],
    }
    return json.dumps(document, indent=1).encode(), blobs


def _feedback(one: Feedback) -> dict[str, Any]:
    return {
        "comment": one.comment,
        "by": one.by,
        "text": one.text,
        "numbers": list(one.numbers),
        "verdict": one.verdict,
    }


def _suggestion(one: Suggestion, change: int) -> dict[str, Any]:
    return {
        "number": one.number,
        "change": change,
        "hunk": one.hunk,
        "rationale": one.rationale,
        "risk": one.risk,
        "reasons": list(one.reasons),
        "status": one.status,
        "by": one.by,
        "why": one.why,
        "of": list(one.of),
    }


def load(record: bytes, get: Callable[[str], bytes]) -> Offer:
    """The offer that a record is of. `get` gives bytes by the name that `put` gave them."""
    try:
        document = json.loads(record)
        if document["format"] != FORMAT:
            raise OfferUnreadable(
                f"the suggestions are kept in a format this version does not know ({document['format']!r})",
                hint="update Blueline",
            )
        return _load(document, get)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise OfferUnreadable(
            "the suggestions that are kept in git cannot be read",
            hint="offer them again with blueline suggest",
        ) from error


def _load(document: Mapping[str, Any], get: Callable[[str], bytes]) -> Offer:
    def side(found: Mapping[str, Any] | None) -> GitContent | None:
        return (
            None if found is None else GitContent(mode=int(found["mode"], 8), content=get(str(found["blob"])))
        )

    changes = [
        OfferedChange(
            path=str(one["path"]), old_path=str(one["old_path"]), old=side(one["old"]), new=side(one["new"])
        )
        for one in document["changes"]
    ]
    person = document["offered_by"]
    return Offer(
        id=str(document["id"]),
        repository=str(document["repository"]),
        number=int(document["number"]),
        is_pull=bool(document["is_pull"]),
        branch=str(document["branch"]),
        head=str(document["head"]),
        base=str(document["base"]),
        draft=bool(document["draft"]),
        listed_at=str(document["listed_at"]),
        offered_by=None if person is None else Person(name=str(person["name"]), email=str(person["email"])),
        suggestions=tuple(
            Suggestion(
                number=int(one["number"]),
                change=changes[int(one["change"])],
                hunk=None if one["hunk"] is None else int(one["hunk"]),
                rationale=str(one["rationale"]),
                risk=one["risk"],
                reasons=tuple(map(str, one["reasons"])),
                status=one["status"],
                by=str(one["by"]),
                why=str(one["why"]),
                of=tuple(map(str, one["of"])),
            )
            for one in document["suggestions"]
        ),
        handled={int(comment): str(answer) for comment, answer in document["handled"].items()},
        feedback=tuple(
            Feedback(
                comment=int(one["comment"]),
                by=str(one["by"]),
                text=str(one["text"]),
                numbers=tuple(map(int, one["numbers"])),
                verdict=one["verdict"],
            )
            for one in document["feedback"]
        ),
    )
