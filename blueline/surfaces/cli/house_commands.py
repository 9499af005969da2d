"""The commands that keep house: mode, export, check, purge, completion."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from blueline.errors import DONE, FAILED
from blueline.surfaces.cli import outcomes
from blueline.surfaces.cli.durations import since
from blueline.surfaces.cli.request import Request, UsageError, joined, write
from blueline.surfaces.cli.terminal import visible

if TYPE_CHECKING:
    from blueline.contract.checks import PurgeDocument
    from blueline.contract.overview import ModeDocument


def mode(request: Request) -> int:
    wish = request.arguments.mode
    with request.desk() as desk:
        document: ModeDocument = desk.set_mode(wish) if wish else {"mode": desk.mode}
    return request.answer(document, outcomes.moded)


def export(request: Request) -> int:
    """Exact for other programs; a terminal gets only what it would not obey."""
    with request.desk() as desk:
        text = desk.export(request.arguments.format)
    if request.screen(sys.stdout).watched:
        text = joined(visible(line, tabs=True) for line in text.removesuffix("\n").split("\n"))
    write_exact(text)
    return DONE


def write_exact(text: str) -> None:
    """Print text that may hold bytes which are not UTF-8, as a patch of such a file does."""
    stream = sys.stdout
    if stream is not None and hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    write(text)


def check(request: Request) -> int:
    with request.desk() as desk:
        document = desk.check(repair=request.arguments.repair)
    return request.answer(document, outcomes.checked, code=DONE if document["ok"] else FAILED)


def purge(request: Request) -> int:
    given = request.arguments
    if [bool(given.paths), given.everything, bool(given.older)].count(True) != 1:
        raise UsageError(
            "what to purge?", hint="blueline purge PATH… for some files, or --all, or --older 90d for history"
        )
    if given.older and given.and_words:
        raise UsageError("words are not removed by age", hint="blueline purge --and-words PATH…, or --all")
    if given.dry_run:
        return request.answer(_purge(request, dry_run=True), outcomes.purged)
    if not given.yes and not _confirmed(request):
        return DONE
    return request.answer(_purge(request, dry_run=False), outcomes.purged)


def _purge(request: Request, *, dry_run: bool) -> PurgeDocument:
    given = request.arguments
    before = since(given.older, datetime.now(UTC), "--older")
    with request.desk() as desk:
        if before:
            return desk.history.purge(before, dry_run=dry_run)
        return desk.purge(
            given.paths, everything=given.everything, dry_run=dry_run, with_words=given.and_words
        )


def _confirmed(request: Request) -> bool:
    """Whether the person wants it, having seen what goes. The desk is closed while they think."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "purge removes stored content for good, and nobody is here to be asked",
            hint="say --yes if you mean it, or --dry-run to see what would go",
        )
    document = _purge(request, dry_run=True)
    if not document["purged"] and not document["bytes"]:
        request.answer(document, outcomes.purged)
        return False
    write(joined(list(outcomes.purged(document, request.screen(sys.stderr)))[:-1]), sys.stderr)
    write("Remove it for good? This cannot be undone. [y/N] ", sys.stderr)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    write("Nothing was removed.\n", sys.stderr)
    return False


def completion(request: Request) -> int:
    from blueline.surfaces.cli.completion import script

    write(script(request.arguments.shell))
    return DONE
