"""The commands that decide: accept, reject, undo, redo."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from blueline.errors import CHOICE_NEEDED
from blueline.surfaces.cli import outcomes
from blueline.surfaces.cli.request import Request, UsageError, joined, write
from blueline.surfaces.cli.terminal import Screen, quoted, safe, visible

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.desk import Desk
    from blueline.model.dependents import Dependents
    from blueline.model.verdict import Verdict


def accept(request: Request) -> int:
    return _decide(request, "accept", "ask", committed=request.arguments.committed)


def reject(request: Request) -> int:
    given = request.arguments
    return _decide(
        request, "reject", "with" if given.with_dependents else "keep" if given.keep_dependents else "ask"
    )


def _decide(request: Request, verdict: Verdict, dependents: Dependents, *, committed: bool = False) -> int:
    given = request.arguments
    if not given.selectors and not given.everything and not committed:
        raise UsageError(
            f"what to {verdict}?",
            hint="name an id or a PATH (blueline list shows them), or say --all",
        )
    if given.selectors and given.everything:
        raise UsageError(
            f"--all is everything, not only {visible(given.selectors[0])}",
            hint=f"blueline {verdict} {quoted(given.selectors[0])}, or --all by itself",
        )
    selectors = given.selectors
    while True:
        with request.desk() as desk:
            document = desk.decide(
                verdict,
                selectors,
                everything=given.everything,
                committed=committed,
                dependents=dependents,
                reason=given.reason,
                dry_run=given.dry_run,
            )
            known = _known(desk, document)
        # Nobody else waits for the project while somebody thinks.
        if document["needs"] and request.is_conversation:
            if replaced := _replaced(request, document, known, selectors):
                selectors = replaced
                continue
            if dependents == "ask" and outcomes.answers_to(document) is not None:
                dependents = _chosen(request, document, known)
                if dependents != "ask":
                    continue
                return CHOICE_NEEDED
        return _answer(request, document, known)


ANSWERS: dict[str, Dependents] = {"b": "with", "k": "keep"}


def _chosen(request: Request, document: DecisionDocument, known: dict[str, HunkDocument]) -> Dependents:
    """What somebody at a terminal answers; "ask" if nothing is to be done."""
    write(joined(outcomes.question(document, request.screen(sys.stderr), hunks=known)), sys.stderr)
    return ANSWERS.get(_typed("? ")[:1], "ask")


def _replaced(
    request: Request, document: DecisionDocument, known: dict[str, HunkDocument], selectors: list[str]
) -> list[str]:
    """The selectors, with ids that are out of date replaced by those that took their place, if somebody
    wants that; none if not, or if something else is asked."""
    now = {
        need["hunk"] or "": [name for name in need["now"] if known[name]["status"] == "pending"]
        for need in document["needs"]
        if need.get("now")
    }
    if len(now) < len(document["needs"]) or not any(now.values()):
        return []
    left: DecisionDocument = {
        **document,
        "needs": [{"hunk": name, "now": names} for name, names in now.items()],
    }
    write(joined(outcomes.outdated(left, request.screen(sys.stderr), hunks=known)), sys.stderr)
    if _typed(f"{document['verdict']} these instead? [y, Enter for no] ") not in ("y", "yes"):
        return []
    kept = [one for one in selectors if not any(name.startswith(one) for name in now)]
    return [*kept, *(name for names in now.values() for name in names)]


def _typed(prompt: str) -> str:
    write(prompt, sys.stderr)
    return sys.stdin.readline().strip().lower()


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
