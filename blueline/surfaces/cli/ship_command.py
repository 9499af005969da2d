"""Shipping on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from blueline.errors import DONE, GATE_CLOSED
from blueline.surfaces.cli.gate_commands import answered
from blueline.surfaces.cli.phrases import hint, overridden
from blueline.surfaces.cli.request import Request, joined, write
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from blueline.contract.shipping import ShippedDocument, ShipRefused


def ship(request: Request) -> int:
    from blueline.desk.people import name_of
    from blueline.gate import ship

    given = request.arguments
    key = os.path.abspath(os.path.expanduser(given.key)) if given.key else ""
    message = f"{given.message.rstrip()}\n" if given.message.strip() else ""
    wish = ship.ShipRequest(message=message, is_dry=given.dry_run, with_pull_request=given.pr, key=key)
    try:
        if not given.dry_run and not _is_wanted(request, wish):
            return DONE
        done = ship.ship(
            request.desk, wish, by=name_of(os.environ), environ=os.environ, tell=lambda event: None
        )
    except ship.Closed as closed:
        document: ShipRefused = {**closed.gate, "error": str(closed), "hint": closed.hint}
        return request.answer(document, refused, code=GATE_CLOSED)
    return request.answer(done, shipped)


def _is_wanted(request: Request, wish: object) -> bool:
    """Show a person what would be shipped, and ask. Nobody else is asked."""
    from blueline.gate import ship

    assert isinstance(wish, ship.ShipRequest)
    if request.is_json or request.arguments.yes or sys.stdin is None or not sys.stdin.isatty():
        return True
    plan = ship.ship(
        request.desk, wish._replace(is_dry=True), by="", environ=os.environ, tell=lambda event: None
    )
    write(joined(list(shipped(plan, request.screen(sys.stderr)))[:-1]), sys.stderr)
    write("Ship it? [y/N] ", sys.stderr)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    write("Nothing was shipped.\n", sys.stderr)
    return False


def refused(document: ShipRefused, screen: Screen) -> Iterator[str]:
    yield "Nothing was shipped. The gate is"
    yield from answered(document, screen)


def shipped(document: ShippedDocument, screen: Screen) -> Iterator[str]:
    """What was done, or would be."""
    where = f"{safe(document['remote'])}/{safe(document['branch'])}" if document["remote"] else "no remote"
    if document["override"]:
        yield screen.paint(overridden(document["override"]), "warn")
    if document["dry_run"] and not document["commits"] and not document["pushes"]:
        yield _nothing(document)
        return
    if document["dry_run"]:
        yield f"Would {'commit and push' if document['commits'] else 'push'} to {where}:"
        yield from (f"  | {safe(line)}" for line in document["message"].splitlines())
        yield hint("blueline ship", screen)
        return
    if document["pushed"] or document["committed"]:
        what = "Shipped" if document["pushed"] else "Committed"
        yield f"{screen.paint(what, 'good')} {safe(document['commit'])[:12]} to {where}"
    else:
        yield _nothing(document)
    if document["verified"] and document["pushed"]:
        yield "  verified: what landed is what was approved"
    if document["statement"]:
        yield f"  signed: {safe(document['statement'])}"
    if document["pull_request"]:
        yield f"  {safe(document['pull_request'])}"
    for note in document["notes"]:
        yield f"  {safe(note)}"


def _nothing(document: ShippedDocument) -> str:
    if not document["remote"]:
        return "Nothing to ship: all of it is committed, and this repository has no remote"
    return f"Nothing to ship: {safe(document['remote'])}/{safe(document['branch'])} has all of it"
