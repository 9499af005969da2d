"""The commands towards GitHub: suggest, apply, forge."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.errors import DONE, FAILED, INTERRUPTED, BluelineError
from blueline.model.ids import whole_number
from blueline.surfaces.cli.forge_words import applied, fetched, handled, suggested
from blueline.surfaces.cli.request import Document, Request, UsageError, complain, write
from blueline.surfaces.cli.terminal import visible

if TYPE_CHECKING:
    from blueline.contract.setup import WorkflowDocument
    from blueline.forge.config import ForgeSettings
    from blueline.forge.found_changes import FoundChange, Left
    from blueline.forge.github import Say
    from blueline.forge.responder import Handled, Responder
    from blueline.forge.suggest_run import OfferResult, SuggestTarget
    from blueline.forge.suggestion import Suggestion
    from blueline.forge.webhook import Comment

SECRET = "BLUELINE_WEBHOOK_SECRET"


def suggest(request: Request) -> int:
    """Offer what is pending, or a range of commits, or the work tree."""
    given = request.arguments
    if given.range and given.worktree:
        raise UsageError("--range and --worktree mean different things", hint="name one of them")
    if given.selectors and (given.range or given.worktree):
        raise UsageError("selectors are for what is pending", hint="leave them out")
    rationales = _rationales(given.rationale)
    settings, found, left, root = _gathered(request)
    mode = given.mode or settings.default_mode
    from blueline.forge.suggest_run import SuggestRun

    responder, target = _target(request, root, settings)
    edit = _typed if given.edit else None
    offering = SuggestRun(responder, mode, per_hunk=given.per_hunk, rationales=rationales, edit=edit)
    done = offering.offer(found, target, dry_run=given.dry_run)
    here = {} if given.dry_run else _settled(request, responder, done)
    document = _suggested(done, left, here) | {"repository": responder.api.repo, "dry_run": given.dry_run}
    return request.answer(document, suggested)


def _gathered(request: Request) -> tuple[ForgeSettings, list[FoundChange], list[Left], Path]:
    """What there is to offer. The project is let go before anybody is asked over the network."""
    from blueline.desk.pending_files import PendingFiles as Pending
    from blueline.forge import found_changes
    from blueline.forge.config import read
    from blueline.forge.objects import Objects

    given = request.arguments
    with request.desk() as desk:
        pending = Pending(desk)
        settings = read(pending.config())
        root = desk.root
        files = [] if given.range or given.worktree else pending.pending(given.selectors)
    objects = Objects(root)
    if given.range:
        return settings, found_changes.from_range(objects, given.range), [], root
    if given.worktree:
        return settings, *found_changes.from_worktree(objects, root), root
    return settings, *found_changes.from_pending(files, objects.prefix), root


def _target(request: Request, root: Path, settings: ForgeSettings) -> tuple[Responder, SuggestTarget]:
    from blueline.forge.forge_place import open_responder, token_of, warn_of_scopes
    from blueline.forge.suggest_run import SuggestTarget, target_of

    given = request.arguments
    # A look at what would be said needs nobody's leave.
    is_local = given.dry_run and given.pr is None and not token_of(os.environ)
    responder = open_responder(
        root,
        os.environ,
        _say(request),
        repo=given.repo or ("local/preview" if is_local else ""),
        api=given.api_url or "",
        settings=settings,
        needs_token=not is_local,
    )
    if is_local:
        here = responder.objects.branch() or "HEAD"
        branch = given.branch or here
        return responder, SuggestTarget(
            number=given.issue or 0, branch=branch, head=responder.objects.head(), is_preview=True
        )
    target = target_of(responder, issue=given.issue, pull=given.pr, branch=given.branch or "")
    warn_of_scopes(responder)
    return responder, target


def _settled(request: Request, responder: Responder, done: OfferResult) -> Document:
    """What becomes of the files here: what is only offered goes back, what is committed is kept."""
    committed = {one.number for one in done.committed if one.status == "applied"}
    where = f"{responder.api.repo}#{done.target.number}"
    back = [one for one in done.shown if one.number not in committed]
    kept = [one for one in done.committed if one.number in committed]
    answer: Document = {"taken_back": [], "kept": [], "problems": []}
    with request.desk() as desk:
        pending = {hunk["id"] for hunk in desk.list()["hunks"]}
        for verdict, some, key, reason in (
            ("reject", back, "taken_back", f"offered on {where}, where people decide about it"),
            ("accept", kept, "kept", f"committed as {done.commit[:12]} by blueline suggest"),
        ):
            hunks = sorted({name for one in some for name in one.of if name in pending})
            if not hunks:
                continue
            said = desk.decide(verdict, hunks, reason=reason)  # type: ignore[arg-type]
            answer[key] = said["written"] if verdict == "reject" else hunks
            if said["needs"]:
                answer["problems"].append(f"{said['error']}: {', '.join(hunks)}")
    if done.commit:
        sides = {one.change.path: one.change.new for one in kept}
        sides |= {one.change.old_path: None for one in kept if one.change.old_path != one.change.path}
        moved = responder.objects.move_branch(done.target.branch, done.target.head, done.commit, sides)
        answer["branch"] = "moved" if moved else "behind"
    return answer


def _suggested(done: OfferResult, left: Sequence[Left], here: Document) -> Document:
    return {
        "mode": done.mode,
        "thread": done.target.number,
        "branch": done.target.branch,
        "head": done.target.head,
        "suggestions": [one.document() for one in done.shown],
        "committed": [one.number for one in done.committed],
        "commit": done.commit or None,
        "left": [{"path": one.path, "why": one.why} for one in (*left, *done.left)],
        "skipped": [
            {"number": one.number, "path": one.path, "why": one.reason}
            for one in done.outcomes
            if one.result == "skipped"
        ],
        "urls": [url for url in done.urls if url],
        "texts": list(done.texts),
        "comments": list(done.comments),
        "problem": done.problem,
        "here": here,
    }


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


def _typed(suggestions: Sequence[Suggestion]) -> Mapping[int, str]:
    """The rationales as a person leaves them in an editor."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise BluelineError("there is no editor to type in", hint="set EDITOR, or use --rationale N=TEXT")
    lines = ["Why is each change proposed? Lines below a `## number` are its rationale.\n"]
    lines += [f"\n## {one.number} {visible(one.path)}\n{one.rationale}\n" for one in suggestions]
    with tempfile.TemporaryDirectory(prefix="blueline-") as folder:
        place = Path(folder) / "RATIONALES.md"
        place.write_text("".join(lines))
        try:
            code = subprocess.run([*shlex.split(editor), str(place)], check=False).returncode
            text = place.read_text(errors="replace")
        except (OSError, ValueError) as error:
            raise BluelineError(f"the editor could not be run: {error}", hint="look at EDITOR") from error
    if code:
        raise BluelineError("the editor failed, so nothing was offered")
    found: dict[int, list[str]] = {}
    here: list[str] = []
    for line in text.splitlines():
        words = line.split()
        number = whole_number(words[1]) if words[:1] == ["##"] and len(words) > 1 else None
        if number is not None:
            here = found.setdefault(number, [])
        else:
            here.append(line)
    return {number: " ".join(" ".join(some).split()) for number, some in found.items()}


def apply(request: Request) -> int:
    """Apply suggestions of a thread from here, by the same way as a comment does."""
    from blueline.forge.commands import parse
    from blueline.forge.forge_place import settings_on_host
    from blueline.forge.responder import LocalResponder

    given = request.arguments
    command = f"/apply {' '.join(given.numbers)}" + (f" at {given.head}" if given.head else "")
    problems = [one.problem for one in parse(command).commands if one.problem] or (
        [] if parse(command).commands else ["it was not understood"]
    )
    if problems:
        raise UsageError(
            problems[0].replace("`/apply", "`blueline apply"), hint="such as: blueline apply 1,3 --issue 5"
        )
    number = given.issue if given.pr is None else given.pr
    if number is None:
        raise UsageError("in which issue or pull request?", hint="name it: --issue N or --pr N")
    responder = _responder(request)
    responder.settings = settings_on_host(responder)
    person = responder.objects.person()
    if person is None:
        raise BluelineError("git does not know who you are", hint="git config user.name and user.email")
    here = LocalResponder(
        responder.api,
        responder.objects,
        responder.remote,
        responder.settings,
        responder.say,
        responder.sleep,
        person,
    )
    done = here.run(number, command)
    code = DONE if done.outcome in ("done", "nothing") else FAILED
    return request.answer(_handled(done), applied, code=code)


def forge(request: Request) -> int:
    """Answer comments: of a GitHub Action's event, or that a webhook brings; or hand on what was answered."""
    match request.arguments.action:
        case "handle-event":
            return _handle_event(request)
        case "serve":
            return _serve(request)
        case _:
            return _fetch(request)


def _responder(request: Request) -> Responder:
    from blueline.forge.forge_place import open_responder

    given = request.arguments
    return open_responder(
        request.start, os.environ, _say(request), repo=given.repo or "", api=given.api_url or ""
    )


def _say(request: Request) -> Say:
    return lambda message: complain(message, request.screen(sys.stderr))


def _handle_event(request: Request) -> int:
    from blueline.forge.action import event_of, handle

    event = event_of(os.environ)
    done = handle(_responder(request), event)
    return request.answer(_handled(done) | {"handed_on": _hand_on(request, done)}, handled)


def _hand_on(request: Request, done: Handled) -> int:
    """Tell the agents here, if this is a project; in an Action there is none, and the words wait in git."""
    from blueline.desk.pending_files import PendingFiles as Pending
    from blueline.desk.state_folder import NotAProject
    from blueline.forge.handover import hand_on

    if done.offer is None or not done.offer.feedback:
        return 0
    try:
        with request.desk() as desk:
            return hand_on(Pending(desk), done.offer)
    except NotAProject:
        return 0


def _handled(done: Handled) -> Document:
    return {"outcome": done.outcome, "answer": done.answer, "commit": done.commit or None}


def _serve(request: Request) -> int:
    from blueline.forge.forge_place import settings_on_host, warn_of_scopes
    from blueline.forge.receiver import ADDRESS, Receiver, WebhookServer

    given = request.arguments
    secret = _secret(given.secret_file)
    responder = _responder(request)
    settings_on_host(responder)
    warn_of_scopes(responder)

    def handle_one(comment: Comment) -> Handled:
        # By the rules of this moment: the config may have changed since.
        responder.settings = settings_on_host(responder)
        done = responder.handle(comment)
        _hand_on(request, done)
        return done

    receiver = Receiver(secret, handle_one, responder.say)
    address = given.address or ADDRESS
    server = WebhookServer(receiver, address, given.port)
    gc.enable()
    write(f"http://{address}:{server.port}/\n")
    note = "" if address == ADDRESS else "; others can reach this address, only signed events are taken"
    write(f"listening for comments on {visible(responder.api.repo)}{note}; Ctrl+C stops\n", sys.stderr)
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    try:
        server.run()
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


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


def _fetch(request: Request) -> int:
    from blueline.desk.pending_files import PendingFiles as Pending
    from blueline.forge.handover import hand_on
    from blueline.forge.offer import REF

    responder = _responder(request)
    refs = responder.remote.names(REF.format(number="*"))
    found = responder.remote.fetch(*refs) if refs else {}
    offers = [responder.objects.offer(commit) for commit in found.values() if commit]
    with request.desk() as desk:
        count = sum(hand_on(Pending(desk), offer) for offer in offers)
    threads = [
        {
            "thread": offer.number,
            "branch": offer.branch,
            "suggestions": [
                {"number": one.number, "path": one.path, "status": one.status, "by": one.by, "why": one.why}
                for one in offer.suggestions
            ],
            "feedback": [
                {"by": one.by, "verdict": one.verdict, "numbers": list(one.numbers), "text": one.text}
                for one in offer.feedback
            ],
        }
        for offer in sorted(offers, key=lambda one: one.number)
    ]
    return request.answer({"handed_on": count, "threads": threads}, fetched)


def install_workflow(root: Path) -> WorkflowDocument:
    """Write the workflow that answers comments."""
    from blueline.forge import workflow

    return {"path": workflow.PATH, "outcome": workflow.install(root)}


def take_workflow_out(root: Path) -> WorkflowDocument:
    """Take it out, unless somebody has changed it."""
    from blueline.forge import workflow

    return {"path": workflow.PATH, "outcome": "removed" if workflow.uninstall(root) else ""}
