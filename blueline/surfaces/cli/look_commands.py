"""The commands that look: status, list, diff, show, log."""

from __future__ import annotations

import sys
from functools import partial

from blueline.errors import DONE
from blueline.surfaces.cli import listing_text
from blueline.surfaces.cli.request import Request, joined, write, write_bytes
from blueline.surfaces.cli.terminal import safe

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    import argparse
    from types import SimpleNamespace

    from blueline.contract.overview import DiffDocument
    from blueline.desk.hunk_filter import HunkWish
    from blueline.surfaces.cli.request import Draw


def status(request: Request) -> int:
    if request.arguments.short and not request.is_json:
        import os

        from blueline.desk.prompt_line import prompt_line

        line = prompt_line(str(request.start), os.environ)
        write(joined([line] if line else []))
        return DONE
    document = request.glance_at_all()
    if document is None:
        with request.desk() as desk:
            document = {**desk.status(), "agents": request.agents(desk)}
    return request.answer(document, listing_text.state)


def list_(request: Request) -> int:
    given = request.arguments
    by = "hunk" if given.ids else given.by
    wish = wished(request)
    document = request.glance() if (by, given.status) == ("hunk", "pending") and not wish else None
    if document is None:
        with request.desk() as desk:
            document = desk.list(by=by, status=given.status, **({"wish": wish} if wish else {}))
    if given.ids:
        found = listing_text.described(document) if given.described else listing_text.identifiers(document)
        write(joined(found))
        return 0
    return request.answer(
        document, partial(listing_text.listed, by=by, wanted=given.status, narrowed=bool(wish))
    )


def wished(request: Request) -> HunkWish | None:
    """What of all there is somebody wants to see; None for everything."""
    given = request.arguments
    if not (given.selectors or given.agent or given.since or given.turn):
        return None
    from datetime import UTC, datetime

    from blueline.desk.hunk_filter import HunkWish
    from blueline.surfaces.cli.durations import since

    then = since(given.since, datetime.now(UTC))
    # The workbench says "Turn 3".
    turn = f"t{given.turn}" if given.turn.isdecimal() else given.turn
    return HunkWish(tuple(given.selectors), agent=given.agent, since=then, turn=turn)


def diff(request: Request) -> int:
    given = request.arguments
    with request.desk() as desk:
        document = desk.diff(given.selectors)
    if given.name_only and not request.is_json:
        write(joined(safe(file["path"]) for file in document["files"]))
        return DONE
    screen = request.screen(sys.stdout)
    if request.is_json or given.stat or given.word or screen.watched or screen.colour:
        return request.answer(document, _looking(given))
    # For a program it is a patch, whatever is in it; what a terminal would obey is marked for people only.
    write_bytes(document["diff"].encode("utf-8", "surrogateescape"))
    return DONE


def _looking(given: argparse.Namespace | SimpleNamespace) -> Draw[DiffDocument]:
    from blueline.surfaces.cli import diff_text

    if given.stat:
        return lambda document, screen: diff_text.stat(document["files"], screen)
    if given.word:
        return lambda document, screen: diff_text.by_words(document["diff"], screen)
    return listing_text.difference


def show(request: Request) -> int:
    with request.desk() as desk:
        document = desk.show(request.arguments.selector)
    from blueline.surfaces.cli.details import shown

    return request.answer(document, shown)


def log(request: Request) -> int:
    wish = wished(request)
    with request.desk() as desk:
        document = desk.log(wish) if wish else desk.log()
    from blueline.surfaces.cli import log_text

    draw = log_text.oneline if request.arguments.oneline else log_text.history
    return request.answer(document, draw if document["entries"] or not wish else log_text.unmatched)


def blame(request: Request) -> int:
    with request.desk() as desk:
        document = desk.history.blame(request.arguments.path)
    from blueline.surfaces.cli.blame_text import blamed

    return request.answer(document, blamed)


def report(request: Request) -> int:
    from datetime import UTC, datetime

    from blueline.surfaces.cli.durations import since

    given = request.arguments
    with request.desk() as desk:
        document = desk.history.report(since(given.since, datetime.now(UTC)))
        name = desk.root.name
    if given.html and not request.is_json:
        from blueline.surfaces.report_page import page

        write_bytes(joined(page(document, name)).encode())
        return DONE
    from blueline.surfaces.cli.report_text import reported

    return request.answer(document, reported)
