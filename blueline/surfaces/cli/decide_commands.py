"""The commands that decide: accept, reject, undo, redo."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from blueline.errors import CHOICE_NEEDED
from blueline.surfaces.cli import outcomes
from blueline.surfaces.cli.request import Request, UsageError, joined, write
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.desk import Desk
    from blueline.model.choices import Dependents
    from blueline.model.verdict import Verdict


def accept(request: Request) -> int:
    return _decide(request, "accept", "ask")


def reject(request: Request) -> int:
    given = request.arguments
    return _decide(
        request, "reject", "with" if given.with_dependents else "keep" if given.keep_dependents else "ask"
    )


def _decide(request: Request, verdict: Verdict, dependents: Dependents) -> int:
    given = request.arguments
    if not given.selectors and not given.everything:
        raise UsageError(
            f"what to {verdict}?",
            hint="name an id or a PATH (blueline list shows them), or say --all",
        )
    while True:
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
        # Nobody else waits for the project while somebody thinks.
        answer = _chosen(request, document, known) if dependents == "ask" else None
        if answer is None:
            return _answer(request, document, known)
        if answer == "ask":
            return CHOICE_NEEDED
        dependents = answer


ANSWERS: dict[str, Dependents] = {"b": "with", "k": "keep"}


def _chosen(
    request: Request, document: DecisionDocument, known: dict[str, HunkDocument]
) -> Dependents | None:
    """What somebody at a terminal answers; "ask" if nothing is to be done, None if nobody can be asked."""
    if not document["needs"] or not request.is_conversation or outcomes.answers_to(document) is None:
        return None
    write(joined(outcomes.question(document, request.screen(sys.stderr), hunks=known)), sys.stderr)
    write("? ", sys.stderr)
    return ANSWERS.get(sys.stdin.readline().strip().lower()[:1], "ask")


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


def _decided(document: DecisionDocument, screen: Screen) -> Iterator[str]:
    yield from outcomes.decided(document, screen)
    for name in document.get("conversations", ()):
        yield f"The turn is gone from conversation {safe(name)} as well; undo brings it back."
    for one in document.get("rewind", ()):
        yield f"{safe(one['turn'])} was said in Claude Code's own terminal. {safe(one['text'])}"
        yield f"  if it has ended: {safe(one['resume'])}; otherwise it hears of this at its next turn"


def _known(desk: Desk, document: DecisionDocument) -> dict[str, HunkDocument]:
    """The hunks that a question may be about, by id; none when there is no question."""
    if not document["needs"]:
        return {}
    return {hunk["id"]: hunk for hunk in desk.list(by="hunk", status="all")["hunks"]}


def _answer(request: Request, document: DecisionDocument, known: dict[str, HunkDocument]) -> int:
    if not document["needs"]:
        return request.answer(document, _decided)
    again = request.again("--with-dependents"), request.again("--keep-dependents")
    return request.ask(document, partial(outcomes.choice, hunks=known, again=again))
