"""Offering: suggestions put into a thread, committed, or both, as the mode says."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from blueline.errors import BluelineError
from blueline.forge import answer_words
from blueline.forge.applied import Overlay, SuggestionOutcome, apply
from blueline.forge.forge_config import Mode
from blueline.forge.found_changes import Left, OfferableChange, fitted, numbered
from blueline.forge.modes import Sorted, sort, weighed
from blueline.forge.offer import Offer
from blueline.forge.posts import PullReview, list_texts, post_list, post_review, review_texts
from blueline.forge.remote import Update, branch_ref
from blueline.forge.responder import ATTEMPTS, FIRST_WAIT_SECONDS, PushRefused, Responder
from blueline.forge.suggestion import Suggestion
from blueline.hosts.host import LineReviews, ThreadName

if TYPE_CHECKING:
    from blueline.contract.suggestions import LineCommentDocument

ID_BYTES = 6


class CannotOffer(BluelineError):
    """There is nobody to offer anything to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestTarget:
    """Where suggestions go: a thread, and a branch."""

    number: int | None
    """None if nobody is to be asked: then things can only be committed."""
    is_pull: bool = False
    branch: str
    head: str
    base: str = ""
    draft: bool = False
    is_ours: bool = True
    """Whether the branch can be written to; not that of somebody else's copy of the repository."""
    is_preview: bool = False
    """Nobody is asked anything: what is there on the host is not known."""

    @property
    def thread(self) -> ThreadName:
        return ThreadName(self.number or 0, self.is_pull)


@dataclass(frozen=True, kw_only=True)
class OfferResult:
    """What became of each change that could be offered."""

    mode: Mode
    target: SuggestTarget
    shown: tuple[Suggestion, ...] = ()
    committed: tuple[Suggestion, ...] = ()
    left: tuple[Left, ...] = ()
    outcomes: tuple[SuggestionOutcome, ...] = ()
    commit: str = ""
    texts: tuple[str, ...] = ()
    """The comments, when nothing was posted."""
    comments: tuple[LineCommentDocument, ...] = ()
    """The comments with buttons, when nothing was posted."""
    urls: tuple[str, ...] = ()
    problem: str = ""


def target_of(responder: Responder, *, issue: int | None, pull: int | None, branch: str) -> SuggestTarget:
    """The thread and the branch that somebody named, as they are now."""
    if pull is not None:
        found = responder.api.pull(pull)
        if not found.is_open or found.locked:
            raise CannotOffer(f"pull request {pull} is {'locked' if found.is_open else 'closed'}")
        is_ours = found.head_repository.lower() == responder.api.repo.lower()
        ref = branch_ref(found.branch) if is_ours else responder.api.kind.pull_head(pull)
        head = responder.remote.fetch(ref)[ref]
        if head is None:
            raise CannotOffer(f"the branch of pull request {pull} is gone")
        return SuggestTarget(
            number=pull,
            is_pull=True,
            branch=found.branch,
            head=head,
            base=found.base,
            draft=found.draft,
            is_ours=is_ours,
        )
    if issue is not None:
        thread = responder.api.thread(issue)
        if thread.is_pull:
            return target_of(responder, issue=None, pull=issue, branch=branch)
        if not thread.is_open or thread.locked:
            raise CannotOffer(f"issue {issue} is {'locked' if thread.is_open else 'closed'}")
    name = branch or responder.api.repository().default_branch
    ref = branch_ref(name)
    head = responder.remote.fetch(ref)[ref]
    if head is None:
        raise CannotOffer(
            f"there is no branch {name} in {responder.api.repo}", hint="push it first, or name another"
        )
    return SuggestTarget(number=issue, branch=name, head=head)


@dataclass
class SuggestRun:
    """One run of `blueline suggest`."""

    responder: Responder
    mode: Mode
    per_hunk: bool = False
    rationales: Mapping[int, str] | None = None
    edit: Callable[[Sequence[Suggestion]], Mapping[int, str]] | None = None
    sleep: Callable[[float], None] = time.sleep

    def offer(
        self, found: Sequence[OfferableChange], target: SuggestTarget, *, dry_run: bool = False
    ) -> OfferResult:
        """Offer, commit, or both. With `dry_run`, say what would be posted."""
        refused = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                self.responder.say(
                    f"the push was not taken ({refused}); trying again ({attempt} of {ATTEMPTS - 1})"
                )
                self.sleep(FIRST_WAIT_SECONDS * 2 ** (attempt - 1))
                there = self.responder.api.kind.pull_head(target.thread.number)
                ref = branch_ref(target.branch) if target.is_ours else there
                head = self.responder.remote.fetch(ref)[ref]
                target = replace(target, head=head or target.head)
            done = self._attempt(found, target, dry_run=dry_run)
            if isinstance(done, OfferResult):
                return done
            refused = done
        raise PushRefused(
            f"the push was refused {ATTEMPTS} times: {refused}", hint="see whether the branch is protected"
        )

    def _attempt(
        self, found: Sequence[OfferableChange], target: SuggestTarget, *, dry_run: bool
    ) -> OfferResult | str:
        is_known = target.number is not None and not target.is_preview
        before = self.responder.offer(target.thread) if is_known else None
        fit, left = fitted(found, self.responder.objects, target.head)
        # Numbers are never used twice in one thread: an old command could mean the new one.
        first = 1 + max((one.number for one in before[0].suggestions), default=0) if before else 1
        every = weighed(numbered(fit, per_hunk=self.per_hunk, first=first), self.responder.settings)
        every = self._with_words(every)
        ways = sort(every, self.mode, self.responder.settings.risk_threshold)
        if ways.committed and not target.is_ours:
            raise CannotOffer(
                "the pull request comes from another repository, which cannot be committed to",
                hint="use --mode suggest-only",
            )
        if ways.shown and target.number is None:
            raise CannotOffer(
                "where to suggest it?", hint="name an issue or a pull request: --issue N or --pr N"
            )
        offer = self._offer(every, ways, target, before[0] if before else None)
        if dry_run:
            return self._dry(offer, ways, target, left)
        return self._do(offer, ways, target, before[1] if before else None, left)

    def _with_words(self, every: Sequence[Suggestion]) -> list[Suggestion]:
        if not self.responder.settings.show_rationale:
            # What nobody is to see is not kept where they could look it up either.
            return [replace(one, rationale="") for one in every]
        first = every[0].number if every else 1
        words = {first - 1 + number: text for number, text in (self.rationales or {}).items()}
        named = [replace(one, rationale=words.get(one.number, one.rationale)) for one in every]
        if self.edit is not None:
            typed = self.edit(named)
            named = [replace(one, rationale=typed.get(one.number, one.rationale)) for one in named]
            self.rationales = {one.number - first + 1: one.rationale for one in named}
            self.edit = None
        return named

    def _offer(
        self, every: Sequence[Suggestion], ways: Sorted, target: SuggestTarget, before: Offer | None
    ) -> Offer:
        old = () if before is None else before.suggestions
        kept = tuple(
            one.decided("outdated", "", "another list took its place") if one.status == "pending" else one
            for one in old
        )
        return Offer(
            id=secrets.token_hex(ID_BYTES),
            repository=self.responder.api.repo,
            number=target.number or 0,
            is_pull=target.is_pull,
            branch=target.branch,
            head=target.head,
            base=target.base,
            draft=target.draft,
            offered_by=self.responder.objects.person(),
            suggestions=(*kept, *every),
            handled={} if before is None else before.handled,
            feedback=() if before is None else before.feedback,
            listed_at=self.responder.api.clock,
        )

    def _dry(self, offer: Offer, ways: Sorted, target: SuggestTarget, left: Sequence[Left]) -> OfferResult:
        offer = _only(offer, ways.shown)
        texts: list[str] = []
        buttons: list[LineCommentDocument] = []
        if ways.shown and (host := self._line_reviews(target)):
            review = PullReview(offer, host, self.responder.settings)
            texts = review_texts(offer, self.responder.settings, review)
            buttons = [one.document() for one in review.comments]
        elif ways.shown:
            texts = list_texts(offer, self.responder.settings)
        return OfferResult(
            mode=self.mode,
            target=target,
            shown=ways.shown,
            committed=ways.committed,
            left=tuple(left),
            texts=tuple(texts),
            comments=tuple(buttons),
        )

    def _do(
        self, offer: Offer, ways: Sorted, target: SuggestTarget, before: str | None, left: Sequence[Left]
    ) -> OfferResult | str:
        updates: list[Update] = []
        commit, after = "", offer
        outcomes: tuple[SuggestionOutcome, ...] = ()
        if ways.committed:
            overlay = Overlay(self.responder.objects.commit(target.head))
            done = apply(offer, {one.number for one in ways.committed}, overlay, "the mode " + self.mode)
            outcomes, after = done.outcomes, done.offer
            if overlay.writes:
                people = [offer.offered_by] if offer.offered_by is not None else []
                text = answer_words.message(outcomes, offer.number, people)
                commit = self.responder.objects.write(target.head, overlay.writes, text)
                updates.append(Update(ref=branch_ref(target.branch), old=target.head, new=commit))
                after = replace(after, head=commit)
        if ways.shown and target.number is not None:
            state = self.responder.objects.keep_offer(
                after, before, f"blueline: suggestions for #{target.number}"
            )
            updates.append(Update(ref=self.responder.ref(target.thread), old=before, new=state))
        if updates:
            refused = self.responder.remote.push(updates)
            if refused is not None:
                return refused.message
        posted, problem = self._post(after, ways, target, commit)
        return OfferResult(
            mode=self.mode,
            target=target,
            shown=ways.shown,
            committed=tuple(one for one in after.suggestions if one.number in _numbers(ways.committed)),
            left=tuple(left),
            outcomes=outcomes,
            commit=commit,
            urls=tuple(posted),
            problem=problem,
        )

    def _post(self, offer: Offer, ways: Sorted, target: SuggestTarget, commit: str) -> tuple[list[str], str]:
        if not ways.shown or target.number is None:
            return [], ""
        api, settings = self.responder.api, self.responder.settings
        waiting = _only(offer, ways.shown)
        if not waiting.pending:
            # Everything is committed already: there is nothing to answer, but something to see.
            shown = replace(waiting, suggestions=ways.shown)
            notice = answer_words.committed_line(commit, offer.branch)
            return [
                one.url for one in post_list(api, shown, settings, notices=[notice], with_actions=False)
            ], ""
        if host := self._line_reviews(target):
            posted, problem = post_review(api, host, waiting, settings)
            return [one.url for one in posted], problem
        return [one.url for one in post_list(api, waiting, settings)], ""

    def _line_reviews(self, target: SuggestTarget) -> LineReviews | None:
        """Who takes comments with buttons there, if they are wanted."""
        wanted = target.is_pull and self.responder.settings.pull_suggestions
        return self.responder.api.line_reviews if wanted else None


def _only(offer: Offer, some: Sequence[Suggestion]) -> Offer:
    """The offer with nothing in it but these, as they are in it."""
    wanted = _numbers(some)
    return replace(offer, suggestions=tuple(one for one in offer.suggestions if one.number in wanted))


def _numbers(some: Sequence[Suggestion]) -> set[int]:
    return {one.number for one in some}
