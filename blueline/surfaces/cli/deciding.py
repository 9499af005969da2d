"""The commands that decide: accept, reject, undo, redo."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from blueline.surfaces.cli import outcomes
from blueline.surfaces.cli.request import Document, Request, UsageError

if TYPE_CHECKING:
    from blueline.desk import Desk


def accept(request: Request) -> int:
    return _decide(request, "accept", "ask")


def reject(request: Request) -> int:
    given = request.arguments
    return _decide(
        request, "reject", "with" if given.with_dependents else "keep" if given.keep_dependents else "ask"
    )


def _decide(
    request: Request, verdict: Literal["accept", "reject"], dependents: Literal["ask", "with", "keep"]
) -> int:
    given = request.arguments
    if not given.selectors and not given.everything:
        raise UsageError(
            f"what to {verdict}?",
            hint="name an id or a PATH (blueline list shows them), or say --all",
        )
    with request.desk() as desk:
        document = desk.decide(
            verdict,
            given.selectors,
            everything=given.everything,
            dependents=dependents,
            reason=given.reason,
            dry_run=given.dry_run,
        )
        known = _known(desk, document)
    return _answer(request, document, known)


def undo(request: Request) -> int:
    with request.desk() as desk:
        document = desk.undo(request.arguments.decision)
        known = _known(desk, document)
    return _answer(request, document, known)


def redo(request: Request) -> int:
    with request.desk() as desk:
        document = desk.redo()
        known = _known(desk, document)
    return _answer(request, document, known)


def _known(desk: Desk, document: Document) -> dict[str, Document]:
    """The hunks that a question may be about, by id; none when there is no question."""
    if not document["needs"]:
        return {}
    return {hunk["id"]: hunk for hunk in desk.list(by="hunk", status="all")["hunks"]}


def _answer(request: Request, document: Document, known: dict[str, Document]) -> int:
    if not document["needs"]:
        return request.answer(document, outcomes.decided)
    again = request.again("--with-dependents"), request.again("--keep-dependents")
    return request.ask(document, partial(outcomes.choice, hunks=known, again=again))
