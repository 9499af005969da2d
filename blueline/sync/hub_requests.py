"""What people decided at the hub, carried out here: by the same verbs, under this machine's lock and rules.

The decision that carries a request out names it in the journal, so that none is carried out twice, whatever
is sent again, and whoever is killed in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from blueline.errors import BluelineError
from blueline.model.decider import Decider
from blueline.model.ids import whole_of
from blueline.model.visible import visible

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hub import OutcomeDocument, PartDocument, RequestDocument
    from blueline.desk import Desk

LONGEST_NAME = 200
LONGEST_ANSWER = 1000
DEPENDENTS = ("ask", "with", "keep")
LOOK = "look at what took its place, and decide again"


class NotUnderstood(BluelineError):
    """A request that this version cannot make sense of: a hub is a stranger."""


class NotShown(BluelineError):
    """What it is about is not, or not only, what the person had before them."""


def carry_out(desk: Desk, request: RequestDocument) -> OutcomeDocument:
    """Do what somebody asked for, unless that was done, or say why not."""
    try:
        by = _decider(request)
        known = desk.history.carried_out(by.request)
        if known is not None:
            return _done(known)
        document = _decided(desk, request, by)
    except BluelineError as error:
        return _refused(str(error), error.hint)
    if document["needs"]:
        return _refused(document["error"], document["hint"])
    return _done(document["decision"])


def _decided(desk: Desk, request: RequestDocument, by: Decider) -> DecisionDocument:
    if request["verb"] == "undo":
        return desk.undo(_words(request["decision"]), decider=by)
    if request["verb"] not in ("accept", "reject") or request["dependents"] not in DEPENDENTS:
        raise NotUnderstood("this request is not understood", hint="update Blueline on this machine")
    hunks, parts = _named(request)
    shown = {**hunks, **{name: part["digest"] for name, part in parts.items()}}
    if not shown:
        raise NotUnderstood("it names no hunks", hint="decide it again")
    if desk.workbench.stale(shown) is not None:
        raise NotShown("what was shown is not there any more", hint=LOOK)
    selectors = [*hunks, *(_selector(desk, name, part) for name, part in parts.items())]
    if parts:
        # Lines may have come to hold something else besides, of which nobody was shown anything.
        tried = desk.decide(
            request["verb"], selectors, dependents=request["dependents"], dry_run=True, decider=by
        )
        if {whole_of(one["hunk"]) for one in tried["results"]} - {whole_of(name) for name in shown}:
            raise NotShown("there is more on these lines than was shown", hint=LOOK)
    return desk.decide(
        request["verb"],
        selectors,
        dependents=request["dependents"],
        reason=_words(request["reason"]),
        decider=by,
    )


def _named(request: RequestDocument) -> tuple[dict[str, str], dict[str, PartDocument]]:
    """The hunks that it is about, and those of which it is about some lines."""
    hunks: Any = request["hunks"]
    parts: Any = request.get("parts", {})
    if not isinstance(hunks, dict) or not isinstance(parts, dict):
        raise NotUnderstood("it names no hunks", hint="decide it again")
    return (
        {_words(name): _words(digest) for name, digest in hunks.items()},
        {_words(name): _part(part) for name, part in parts.items()},
    )


def _part(said: Any) -> PartDocument:
    if not isinstance(said, dict) or not all(type(said.get(one)) is int for one in ("first", "last")):
        raise NotUnderstood("this request is not understood", hint="update Blueline on this machine")
    return {"digest": _words(said.get("digest")), "first": said["first"], "last": said["last"]}


def _selector(desk: Desk, name: str, part: PartDocument) -> str:
    """Some lines of a hunk, by where it stands now."""
    if not part["first"]:
        return name
    hunk = desk.workbench.hunk(name)
    if not 0 < part["first"] <= part["last"] <= hunk["new_lines"]:
        raise NotUnderstood("it names lines that there are not", hint="decide it again")
    before = hunk["new_start"] - 1
    return f"{desk.root / hunk['path']}:{before + part['first']}-{before + part['last']}"


def _decider(request: RequestDocument) -> Decider:
    name, identifier = _words(request["by"]), _words(request["id"])
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME or not identifier:
        raise NotUnderstood("it does not say who asks", hint="sign in at the hub with a name")
    return Decider(name, request=identifier)


def _words(said: object) -> str:
    if not isinstance(said, str):
        raise NotUnderstood("this request is not understood", hint="update Blueline on this machine")
    return said


def _done(decision: str | None) -> OutcomeDocument:
    return {"state": "done", "decision": decision, "error": "", "hint": ""}


def _refused(error: str, hint: str) -> OutcomeDocument:
    """Cut to what a hub takes: one that refused the answer would ask for the same for ever."""
    error, hint = (visible(one)[:LONGEST_ANSWER] for one in (error, hint))
    return {"state": "refused", "decision": None, "error": error, "hint": hint}
