"""The commands that look: status, list, diff, show, log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from blueline.errors import DONE
from blueline.surfaces.cli import listing_text
from blueline.surfaces.cli.request import Request, joined, write, write_bytes
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from blueline.contract.log import LogDocument
    from blueline.contract.overview import DiffDocument, StatusDocument


def status(request: Request) -> int:
    with request.desk() as desk:
        document: StatusDocument = {**desk.status(), "agents": request.agents(desk)}
    return request.answer(document, listing_text.state)


def list_(request: Request) -> int:
    given = request.arguments
    by = "hunk" if given.ids else given.by
    document = request.glance() if (by, given.status) == ("hunk", "pending") else None
    if document is None:
        with request.desk() as desk:
            document = desk.list(by=by, status=given.status)
    if given.ids:
        write(joined(listing_text.identifiers(document)))
        return 0
    return request.answer(document, partial(listing_text.listed, by=by, wanted=given.status))


def diff(request: Request) -> int:
    with request.desk() as desk:
        document: DiffDocument = {"diff": desk.diff(request.arguments.selectors)}
    screen = request.screen(sys.stdout)
    if request.is_json or screen.watched or screen.colour:
        return request.answer(document, listing_text.difference)
    # For a program it is a patch, whatever is in it; what a terminal would obey is marked for people only.
    write_bytes(document["diff"].encode("utf-8", "surrogateescape"))
    return DONE


def show(request: Request) -> int:
    with request.desk() as desk:
        document = desk.show(request.arguments.selector)
    from blueline.surfaces.cli.details import shown

    return request.answer(document, shown)


def log(request: Request) -> int:
    with request.desk() as desk:
        document = desk.log()
    return request.answer(document, _history)


def _history(document: LogDocument, screen: Screen) -> Iterator[str]:
    yield from listing_text.history(document, screen)
    for one in document["tally"]:
        if one["rejected"]:
            who = f"{safe(one['agent'])} {safe(one['tool'])}"
            yield screen.paint(f"taken back of {who}: {one['rejected']} of {one['edits']}", "dim")
