"""The door to a code host: what a surface can ask of it, and what becomes of the files here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk import Desk
from blueline.desk.people import OnlyPeople, must_be_a_person
from blueline.desk.state_folder import NotAProject
from blueline.errors import BluelineError
from blueline.forge import found_changes
from blueline.forge import workflow as workflow
from blueline.forge.action import event_of, handle
from blueline.forge.commands import parse
from blueline.forge.forge_config import ForgeSettings, Mode, read
from blueline.forge.forge_place import open_responder, settings_on_host, warn_of_scopes
from blueline.forge.found_changes import Left, OfferableChange
from blueline.forge.handover import hand_on
from blueline.forge.objects import Objects
from blueline.forge.offer import REFS, Offer
from blueline.forge.receiver import ADDRESS as ADDRESS
from blueline.forge.receiver import Receiver, WebhookServer
from blueline.forge.responder import Handled, LocalResponder, Responder
from blueline.forge.suggest_run import OfferResult, SuggestRun, SuggestTarget, target_of
from blueline.forge.suggestion import Suggestion
from blueline.hosts.api_client import Say
from blueline.hosts.host import Comment, ThreadName
from blueline.hosts.kinds import has_token, host_of
from blueline.model.ids import whole_number
from blueline.model.visible import visible

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.suggestions import (
        EventDocument,
        FetchedDocument,
        HandledDocument,
        SettledHere,
        SuggestedDocument,
        ThreadDocument,
    )

EXPLANATION = "Why is each change proposed? Lines below a `## number` are its rationale.\n"
DONE_WITH = ("done", "nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestWish:
    """What is to be offered, where, and how. Without a range or the work tree: what is pending."""

    selectors: Sequence[str] = ()
    commits: str | None = None
    from_worktree: bool = False
    mode: Mode | None = None
    issue: int | None = None
    pull: int | None = None
    branch: str = ""
    per_hunk: bool = False
    rationales: Mapping[int, str]
    edit: Callable[[str], str] | None = None
    """Lets a person type rationales: a text in, and out as they leave it."""
    dry_run: bool = False


class ForgeDoor:
    """One project, and the repository that it has on a host."""

    def __init__(
        self,
        start: Path,
        environ: Mapping[str, str],
        say: Say,
        open_desk: Callable[[], AbstractContextManager[Desk]],
        *,
        repo: str = "",
        api: str = "",
    ) -> None:
        self._start = start
        self._environ = environ
        self._say = say
        self._open_desk = open_desk
        self._repo = repo
        self._api = api

    def suggest(self, wish: SuggestWish) -> SuggestedDocument:
        """Offer what is wished for; what is only offered goes back here, what is committed is kept."""
        settings, found, left, root = self._gathered(wish)
        mode = wish.mode or settings.default_mode
        if mode != "suggest-only" and not wish.dry_run:
            must_be_a_person(self._environ, "commit what nobody has answered")
        responder, target = self._target(wish, root, settings)
        offering = SuggestRun(
            responder,
            mode,
            per_hunk=wish.per_hunk,
            rationales=wish.rationales,
            edit=wish.edit and _typing(wish.edit),
        )
        done = offering.offer(found, target, dry_run=wish.dry_run)
        here: SettledHere = {} if wish.dry_run else self._settled(responder, done)
        return _suggested(done, left, here, responder.api.repo, dry_run=wish.dry_run)

    def apply(self, number: int, command: str, *, is_pull: bool) -> tuple[HandledDocument, bool]:
        """Do what a comment with this command would do, as whoever is here; and whether that was done."""
        must_be_a_person(self._environ, "apply suggestions")
        responder = self._responder()
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
        done = here.run(ThreadName(number, is_pull), command)
        return _handled(done), done.outcome in DONE_WITH

    def handle_event(self) -> EventDocument:
        """Answer the comment that a GitHub Action was started for."""
        must_be_a_person(self._environ, "say what was commented")
        event = event_of(host_of(self._environ, "", self._api).kind, self._environ)
        done = handle(self._responder(), event)
        return {**_handled(done), "handed_on": self._hand_on(done)}

    def listen(self, secret: str, address: str, port: int) -> tuple[WebhookServer, str]:
        """A server that answers the comments a webhook brings, and the repository they are made in."""
        must_be_a_person(self._environ, "answer comments")
        responder = self._responder()
        settings_on_host(responder)
        warn_of_scopes(responder)

        def handle_one(comment: Comment) -> Handled:
            # By the rules of this moment: the config may have changed since.
            responder.settings = settings_on_host(responder)
            done = responder.handle(comment)
            self._hand_on(done)
            return done

        receiver = Receiver(responder.api.kind, secret, handle_one, responder.say)
        return WebhookServer(receiver, address, port), responder.api.repo

    def fetch(self) -> FetchedDocument:
        """Hand on to the agents here what people answered on the host."""
        responder = self._responder()
        refs = responder.remote.names(f"{REFS}*")
        found = responder.remote.fetch(*refs) if refs else {}
        offers = [responder.objects.offer(commit) for commit in found.values() if commit]
        with self._open_desk() as desk:
            count = sum(hand_on(desk.pending_files, offer) for offer in offers)
        threads = [_thread(offer) for offer in sorted(offers, key=lambda one: one.number)]
        return {"handed_on": count, "threads": threads}

    def _responder(self) -> Responder:
        return open_responder(self._start, self._environ, self._say, repo=self._repo, api=self._api)

    def _gathered(self, wish: SuggestWish) -> tuple[ForgeSettings, list[OfferableChange], list[Left], Path]:
        """What there is to offer. The project is let go before anybody is asked over the network."""
        with self._open_desk() as desk:
            pending = desk.pending_files
            settings = read(pending.config())
            root = desk.root
            files = [] if wish.commits or wish.from_worktree else pending.pending(wish.selectors)
        objects = Objects(root)
        if wish.commits:
            return settings, found_changes.from_range(objects, wish.commits), [], root
        if wish.from_worktree:
            return settings, *found_changes.from_worktree(objects, root), root
        return settings, *found_changes.from_pending(files, objects.prefix), root

    def _target(
        self, wish: SuggestWish, root: Path, settings: ForgeSettings
    ) -> tuple[Responder, SuggestTarget]:
        # A look at what would be said needs nobody's leave.
        is_local = wish.dry_run and wish.pull is None and not has_token(self._environ)
        responder = open_responder(
            root,
            self._environ,
            self._say,
            repo=self._repo or ("local/preview" if is_local else ""),
            api=self._api,
            settings=settings,
            needs_token=not is_local,
        )
        if is_local:
            branch = wish.branch or responder.objects.branch() or "HEAD"
            head = responder.objects.head()
            return responder, SuggestTarget(number=wish.issue or 0, branch=branch, head=head, is_preview=True)
        target = target_of(responder, issue=wish.issue, pull=wish.pull, branch=wish.branch)
        warn_of_scopes(responder)
        return responder, target

    def _settled(self, responder: Responder, done: OfferResult) -> SettledHere:
        """What becomes of the files here: what is only offered goes back, what is committed is kept."""
        committed = {one.number for one in done.committed if one.status == "applied"}
        where = f"{responder.api.repo}#{done.target.number}"
        back = [one for one in done.shown if one.number not in committed]
        kept = [one for one in done.committed if one.number in committed]
        answer: SettledHere = {"taken_back": [], "kept": [], "problems": []}
        with self._open_desk() as desk:
            pending = {hunk["id"] for hunk in desk.list()["hunks"]}
            offered = sorted({name for one in back for name in one.of if name in pending})
            taken = sorted({name for one in kept for name in one.of if name in pending})
            try:
                if offered:
                    reason = f"offered on {where}, where people decide about it"
                    said = desk.decide("reject", offered, reason=reason)
                    answer["taken_back"] = said["written"]
                    answer["problems"] += _problems(said, offered)
                if taken:
                    reason = f"committed as {done.commit[:12]} by blueline suggest"
                    answer["problems"] += _problems(desk.decide("accept", taken, reason=reason), taken)
                    answer["kept"] = taken
            except OnlyPeople as error:  # an agent may offer, and what it did stays undecided here
                answer["problems"].append(f"{error}: it is offered, and still undecided here")
        if done.commit:
            sides = {one.change.path: one.change.new for one in kept}
            sides |= {one.change.old_path: None for one in kept if one.change.old_path != one.change.path}
            moved = responder.objects.move_branch(done.target.branch, done.target.head, done.commit, sides)
            answer["branch"] = "moved" if moved else "behind"
        return answer

    def _hand_on(self, done: Handled) -> int:
        """Tell the agents here, if this is a project; in an Action there is none, and words wait in git."""
        if done.offer is None or not done.offer.feedback:
            return 0
        try:
            with self._open_desk() as desk:
                return hand_on(desk.pending_files, done.offer)
        except NotAProject:
            return 0


def problem_of(command: str) -> str:
    """Why a command cannot be understood; empty if it can."""
    commands = parse(command).commands
    if not commands:
        return "it was not understood"
    return next((one.problem for one in commands if one.problem), "")


def _typing(edit: Callable[[str], str]) -> Callable[[Sequence[Suggestion]], Mapping[int, str]]:
    """Rationales as a person leaves them in a text."""

    def typed(suggestions: Sequence[Suggestion]) -> Mapping[int, str]:
        lines = [f"\n## {one.number} {visible(one.path)}\n{one.rationale}\n" for one in suggestions]
        found: dict[int, list[str]] = {}
        here: list[str] = []
        for line in edit("".join([EXPLANATION, *lines])).splitlines():
            words = line.split()
            number = whole_number(words[1]) if words[:1] == ["##"] and len(words) > 1 else None
            if number is not None:
                here = found.setdefault(number, [])
            else:
                here.append(line)
        return {number: " ".join(" ".join(some).split()) for number, some in found.items()}

    return typed


def _problems(said: DecisionDocument, hunks: Sequence[str]) -> list[str]:
    return [f"{said['error']}: {', '.join(hunks)}"] if said["needs"] else []


def _suggested(
    done: OfferResult, left: Sequence[Left], here: SettledHere, repository: str, *, dry_run: bool
) -> SuggestedDocument:
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
        "repository": repository,
        "dry_run": dry_run,
    }


def _handled(done: Handled) -> HandledDocument:
    return {"outcome": done.outcome, "answer": done.answer, "commit": done.commit or None}


def _thread(offer: Offer) -> ThreadDocument:
    return {
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
