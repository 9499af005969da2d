"""What people decided at the hub, carried out here: by the same verbs, under this machine's lock and rules.

The decision that carries a request out names it in the journal, so that none is carried out twice, whatever
is sent again, and whoever is killed in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from blueline.errors import BluelineError
from blueline.model.decider import Decider

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hub import OutcomeDocument, RequestDocument
    from blueline.desk import Desk

LONGEST_NAME = 200
DEPENDENTS = ("ask", "with", "keep")


class NotUnderstood(BluelineError):
    """A request that this version cannot make sense of: a hub is a stranger."""


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
    shown: Any = request["hunks"]
    if not isinstance(shown, dict) or not shown:
        raise NotUnderstood("it names no hunks", hint="decide it again")
    shown = {_words(name): _words(digest) for name, digest in shown.items()}
    if desk.workbench.stale(shown) is not None:
        raise NotUnderstood(
            "what was shown is not there any more", hint="look at what took its place, and decide again"
        )
    return desk.decide(
        request["verb"],
        [*shown],
        dependents=request["dependents"],
        reason=_words(request["reason"]),
        decider=by,
    )


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
    return {"state": "refused", "decision": None, "error": error, "hint": hint}
