"""The commands towards GitHub: suggest, apply, forge."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.errors import DONE, FAILED, INTERRUPTED, BluelineError
from blueline.model.ids import whole_number
from blueline.surfaces.cli import staying
from blueline.surfaces.cli.forge_words import applied, fetched, handled, suggested
from blueline.surfaces.cli.request import Request, UsageError, as_json, complain, write
from blueline.surfaces.cli.terminal import visible

if TYPE_CHECKING:
    from blueline.contract.setup import WorkflowDocument
    from blueline.contract.suggestions import ListeningDocument
    from blueline.forge.door import ForgeDoor

SECRET = "BLUELINE_WEBHOOK_SECRET"


def _door(request: Request) -> ForgeDoor:
    from blueline.forge.door import ForgeDoor

    given = request.arguments
    return ForgeDoor(
        request.start,
        os.environ,
        lambda message: complain(message, request.screen(sys.stderr)),
        request.desk,
        repo=given.repo or "",
        api=given.api_url or "",
    )


def suggest(request: Request) -> int:
    """Offer what is pending, or a range of commits, or the work tree."""
    given = request.arguments
    if given.range and given.worktree:
        raise UsageError("--range and --worktree mean different things", hint="name one of them")
    if given.selectors and (given.range or given.worktree):
        raise UsageError("selectors are for what is pending", hint="leave them out")
    rationales = _rationales(given.rationale)
    from blueline.forge.door import SuggestWish

    wish = SuggestWish(
        selectors=given.selectors,
        commits=given.range,
        from_worktree=given.worktree,
        mode=given.mode,
        issue=given.issue,
        pull=given.pr,
        branch=given.branch or "",
        per_hunk=given.per_hunk,
        rationales=rationales,
        edit=_edited if given.edit else None,
        dry_run=given.dry_run,
    )
    return request.answer(_door(request).suggest(wish), suggested)


def _rationales(words: Sequence[str]) -> dict[int, str]:
    found = {}
    for word in words:
        spelled, equals, text = word.partition("=")
        number = whole_number(spelled)
        if not equals or number is None:
            raise UsageError(
                f"--rationale {visible(word)} is not N=TEXT", hint="such as --rationale 2='a typo'"
            )
        found[number] = text
    return found


def _edited(text: str) -> str:
    """A text as a person leaves it in an editor."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise BluelineError("there is no editor to type in", hint="set EDITOR, or use --rationale N=TEXT")
    with tempfile.TemporaryDirectory(prefix="blueline-") as folder:
        place = Path(folder) / "RATIONALES.md"
        place.write_text(text)
        try:
            code = subprocess.run([*shlex.split(editor), str(place)], check=False).returncode
            found = place.read_text(errors="replace")
        except (OSError, ValueError) as error:
            raise BluelineError(f"the editor could not be run: {error}", hint="look at EDITOR") from error
    if code:
        raise BluelineError("the editor failed, so nothing was offered")
    return found


def apply(request: Request) -> int:
    """Apply suggestions of a thread from here, by the same way as a comment does."""
    from blueline.forge.door import problem_of

    given = request.arguments
    command = f"/apply {' '.join(given.numbers)}" + (f" at {given.head}" if given.head else "")
    if problem := problem_of(command):
        raise UsageError(
            problem.replace("`/apply", "`blueline apply"), hint="such as: blueline apply 1,3 --issue 5"
        )
    number = given.issue if given.pr is None else given.pr
    if number is None:
        raise UsageError("in which issue or pull request?", hint="name it: --issue N or --pr N")
    document, is_done = _door(request).apply(number, command, is_pull=given.pr is not None)
    return request.answer(document, applied, code=DONE if is_done else FAILED)


def forge(request: Request) -> int:
    """Answer comments: of a GitHub Action's event, or that a webhook brings; or hand on what was answered."""
    match request.arguments.action:
        case "handle-event":
            return request.answer(_door(request).handle_event(), handled)
        case "serve":
            return _serve(request)
        case _:
            return request.answer(_door(request).fetch(), fetched)


def _serve(request: Request) -> int:
    from blueline.forge.door import ADDRESS

    given = request.arguments
    secret = _secret(given.secret_file)
    address = given.address or ADDRESS
    server, repository = _door(request).listen(secret, address, given.port)
    staying.collect()
    url = f"http://{address}:{server.port}/"
    started: ListeningDocument = {"url": url, "repository": repository}
    write(as_json(started) if given.json else f"{url}\n")
    note = "" if address == ADDRESS else "; others can reach this address, only signed events are taken"
    write(f"listening for comments on {visible(repository)}{note}; Ctrl+C stops\n", sys.stderr)
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    with suppress(KeyboardInterrupt):  # how it is stopped; sometimes it has ended before that is raised
        server.run()
    return INTERRUPTED


def _secret(path: str | None) -> str:
    if path is None:
        found = os.environ.get(SECRET, "")
        if not found:
            raise BluelineError(
                "there is no secret for the webhook", hint=f"set {SECRET}, or name a --secret-file"
            )
        return found
    try:
        return Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BluelineError(f"the secret cannot be read: {error}", hint="look at --secret-file") from error


def install_workflow(root: Path) -> WorkflowDocument:
    """Write the workflow that answers comments."""
    from blueline.forge.door import workflow

    return {"path": workflow.PATH, "outcome": workflow.install(root)}


def take_workflow_out(root: Path) -> WorkflowDocument:
    """Take it out, unless somebody has changed it."""
    from blueline.forge.door import workflow

    return {"path": workflow.PATH, "outcome": "removed" if workflow.uninstall(root) else ""}
