"""A comment, dealt with: who wrote it, whether they may, what it asks for, and what is answered.

The offer and the branch move together or not at all, by one push that names what both were before. So a
command is done once, however often it is delivered and however many do it at the same time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from blueline.errors import BluelineError
from blueline.forge import answer_words
from blueline.forge.applied import Applied, Overlay, SuggestionOutcome, apply, refresh, reject
from blueline.forge.commands import CommentCommand, CommentRequest, parse
from blueline.forge.forge_config import ForgeSettings
from blueline.forge.objects import US, Objects
from blueline.forge.offer import Feedback, Offer, Person, ref_of
from blueline.forge.posts import answer_once, post_list
from blueline.forge.remote import Remote, Update, branch_ref
from blueline.hosts.api_client import Say, is_before
from blueline.hosts.host import Comment, HostApi, ThreadName
from blueline.hosts.inert_text import code, plain

ATTEMPTS = 5
FIRST_WAIT_SECONDS = 0.5
REFUSED = "Only people who may write to this repository are obeyed here; you may {level}."


class PushRefused(BluelineError):
    """The repository did not take our commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """What was done about a comment."""

    outcome: str
    """ignored, refused, nothing, again, moved, done."""
    answer: str = ""
    offer: Offer | None = None
    commit: str = ""


@dataclass
class Responder:
    """All that dealing with a comment needs."""

    api: HostApi
    objects: Objects
    remote: Remote
    settings: ForgeSettings = field(default_factory=ForgeSettings)
    say: Say = lambda message: None
    sleep: Callable[[float], None] = time.sleep

    def ref(self, thread: ThreadName) -> str:
        """Where the offer of a thread is kept on the host."""
        return ref_of(thread, counts_apart=self.api.kind.counts_apart)

    def offer(self, thread: ThreadName) -> tuple[Offer, str] | None:
        """The offer of a thread as it is on the host, and the commit that holds it."""
        ref = self.ref(thread)
        commit = self.remote.fetch(ref)[ref]
        return None if commit is None else (self.objects.offer(commit), commit)

    def handle(self, comment: Comment) -> Handled:
        """Deal with one comment."""
        if comment.repository.lower() != self.api.repo.lower():
            return Handled(outcome="ignored", answer="it is in another repository")
        asked = parse(comment.body)
        if not asked.commands and not asked.feedback:
            return Handled(outcome="ignored", answer="it asks for nothing")
        found = self.offer(comment.thread)
        if found is not None and comment.id in found[0].handled:
            return self._again(comment, found[0])
        if not asked.commands and (found is None or not found[0].suggestions):
            return Handled(outcome="ignored", answer="nothing was suggested in this thread")
        refusal = self._refusal(comment)
        if refusal:
            self.say(f"refused: {refusal} ({comment.login})")
            if asked.commands:
                self._answer(comment, refusal)
            return Handled(outcome="refused", answer=refusal)
        if found is None or (asked.commands and not found[0].pending):
            self._answer(comment, answer_words.NOTHING_WAITS)
            return Handled(outcome="nothing", answer=answer_words.NOTHING_WAITS)
        return self._attempts(comment, asked)

    def _answer(self, comment: Comment, text: str) -> None:
        answer_once(self.api, comment, text)

    def _handled(self, offer: Offer, comment: Comment, answer: str) -> Offer:
        """The offer, which remembers that a comment was dealt with."""
        return offer.answered(comment.id, answer)

    def _people(self, comment: Comment) -> list[Person]:
        """Who asked for it."""
        return [answer_words.account(comment.login, comment.user)]

    def _again(self, comment: Comment, offer: Offer) -> Handled:
        """It was done before, but the answer may have got lost."""
        answer = offer.handled[comment.id]
        if answer:
            self._answer(comment, answer)
        return Handled(outcome="again", answer=answer, offer=offer)

    def _refusal(self, comment: Comment) -> str:
        """Why somebody is not obeyed; empty if they are. Asked for anew every time."""
        permission = self.api.permission(comment.login)
        if permission.level != "write":
            return REFUSED.format(level="only read" if permission.level == "read" else "do nothing")
        if permission.user != comment.user:
            return "The account of this name is not the one that wrote this comment."
        return ""

    def _closed(self, offer: Offer) -> str:
        """Why nothing can be done in a thread any more; empty if it can."""
        if not offer.is_pull:
            thread = self.api.thread(offer.number)
            return _shut(is_open=thread.is_open, locked=thread.locked)
        pull = self.api.pull(offer.number)
        if why := _shut(is_open=pull.is_open, locked=pull.locked):
            return why
        if pull.base_repository.lower() != offer.repository.lower():
            return "The pull request was moved to another repository."
        if pull.head_repository.lower() != offer.repository.lower():
            return "The pull request comes from another repository, which cannot be written to from here."
        if pull.base != offer.base:
            return f"The pull request goes to {code(pull.base)} now: offer the suggestions again."
        if pull.draft and not offer.draft:
            return "The pull request has become a draft."
        if pull.branch != offer.branch:
            return "The pull request comes from another branch now."
        return ""

    def _attempts(self, comment: Comment, asked: CommentRequest) -> Handled:
        refused = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                self.say(f"the push was not taken ({refused}); trying again ({attempt} of {ATTEMPTS - 1})")
                self.sleep(FIRST_WAIT_SECONDS * 2 ** (attempt - 1))
                if refusal := self._refusal(comment):
                    self._answer(comment, refusal)
                    return Handled(outcome="refused", answer=refusal)
            done = self._attempt(comment, asked, is_first=attempt == 0)
            if isinstance(done, Handled):
                return done
            refused = done
        error = PushRefused(
            f"the push was refused {ATTEMPTS} times: {refused}", hint="see whether the branch is protected"
        )
        self._answer(comment, f"Nothing was applied: {plain(str(error))}.")
        raise error

    def _attempt(self, comment: Comment, asked: CommentRequest, *, is_first: bool) -> Handled | str:
        """One try; the reason if the push was refused."""
        found = self.offer(comment.thread)
        if found is None:
            return Handled(outcome="nothing")
        offer, before = found
        if comment.id in offer.handled:
            return self._again(comment, offer)
        if asked.commands and (closed := self._closed(offer)):
            self._answer(comment, closed)
            return Handled(outcome="refused", answer=closed, offer=offer)
        ref = branch_ref(offer.branch)
        head = self.remote.fetch(ref)[ref] if asked.commands else offer.head
        if head is None:
            answer = "The branch is gone."
            self._answer(comment, answer)
            return Handled(outcome="refused", answer=answer, offer=offer)
        if is_first and (moved := self._moved(comment, asked, offer, head)):
            return self._refreshed(comment, offer, before, head, moved)
        return self._done(comment, asked, offer, before, head)

    def _moved(self, comment: Comment, asked: CommentRequest, offer: Offer, head: str) -> str:
        """What to say if the writer had something else before their eyes than what there is now."""
        if not asked.commands:
            return ""
        named = next((one.head for one in asked.commands if one.head and not head.startswith(one.head)), "")
        if named or offer.head != head:
            return answer_words.moved_line(offer.branch, named or offer.head, head)
        return answer_words.EARLY if is_before(comment.at, offer.listed_at) else ""

    def _refreshed(self, comment: Comment, offer: Offer, before: str, head: str, line: str) -> Handled | str:
        """Nothing is done; a new list for the branch as it is."""
        fresh, gone = refresh(offer, head, self.objects.commit(head))
        fresh = self._handled(replace(fresh, listed_at=self.api.clock), comment, line)
        commit = self.objects.keep_offer(fresh, before, f"blueline: a new list for #{offer.number}")
        refused = self.remote.push([Update(ref=self.ref(offer.thread), old=before, new=commit)])
        if refused is not None:
            return refused.message
        notices = [
            answer_words.answer_mark(comment.id),
            line,
            *([answer_words.gone_line(gone)] if gone else []),
        ]
        if fresh.pending:
            post_list(self.api, fresh, self.settings, part=f"{comment.id}-", notices=notices)
        else:
            self._answer(comment, "\n\n".join([*notices[1:], answer_words.NOTHING_WAITS]))
        return Handled(outcome="moved", answer=line, offer=fresh)

    def _done(
        self, comment: Comment, asked: CommentRequest, offer: Offer, before: str, head: str
    ) -> Handled | str:
        after = offer
        lines: list[str] = []
        outcomes: list[SuggestionOutcome] = []
        updates: list[Update] = []
        overlay = Overlay(self.objects.commit(head))
        for command in asked.commands:
            if command.problem:
                lines.append(f"`/{command.verb}`: {command.problem}.")
            elif command.verb == "apply":
                numbers = None if command.everything else command.numbers
                done = apply(after, numbers, overlay, comment.login)
                after, outcomes = _told(done, comment), [*outcomes, *done.outcomes]
                lines.append(answer_words.applied_line(done.outcomes))
            else:
                after, said = self._reject(after, command, comment)
                lines.append(said)
        if asked.feedback:
            beside = [one.number for one in offer.suggestions if one.path == comment.path]
            after = after.heard(
                Feedback(comment=comment.id, by=comment.login, text=asked.feedback, numbers=tuple(beside))
            )
        commit = ""
        if overlay.writes:
            people = self._people(comment)
            people += [offer.offered_by] if offer.offered_by is not None else []
            text = answer_words.message(outcomes, offer.number, people)
            commit = self.objects.write(head, overlay.writes, text)
            updates.append(Update(ref=branch_ref(offer.branch), old=head, new=commit))
            after = replace(after, head=commit)
            lines.append(answer_words.committed_line(commit, offer.branch))
        answer = "\n\n".join(lines)
        after = self._handled(after, comment, answer)
        state = self.objects.keep_offer(after, before, f"blueline: {comment.login} on #{offer.number}")
        updates.append(Update(ref=self.ref(offer.thread), old=before, new=state))
        refused = self.remote.push(updates)
        if refused is not None:
            return refused.message
        if answer:
            self._answer(comment, answer)
        if asked.feedback and not asked.commands:
            self.api.react(comment, "eyes")
        return Handled(outcome="done", answer=answer, offer=after, commit=commit)

    def _reject(self, offer: Offer, command: CommentCommand, comment: Comment) -> tuple[Offer, str]:
        numbers = None if command.everything else command.numbers
        after, rejected, left = reject(offer, numbers, comment.login, command.reason)
        if rejected:
            after = after.heard(
                Feedback(
                    comment=comment.id,
                    by=comment.login,
                    text=command.reason,
                    numbers=tuple(one.number for one in rejected),
                    verdict="rejected",
                )
            )
        return after, answer_words.rejected_line(rejected, left, command.reason)


@dataclass
class LocalResponder(Responder):
    """Somebody at a command line instead of in a comment: whether they may is for the push to say."""

    person: Person = US

    def run(self, thread: ThreadName, command: str) -> Handled:
        """Do what a comment with this command would do; the answer goes to whoever asked."""
        found = self.offer(thread)
        if found is None or not found[0].pending:
            return Handled(outcome="nothing", answer=answer_words.NOTHING_WAITS)
        # No comment has this number.
        comment = Comment(
            repository=self.api.repo,
            number=thread.number,
            is_pull=found[0].is_pull,
            id=max([0, *found[0].handled]) + 1,
            body=command,
            login=self.person.name,
            user=0,
            at="",
        )
        return self._attempts(comment, parse(command))

    def _refusal(self, comment: Comment) -> str:
        return ""

    def _answer(self, comment: Comment, text: str) -> None:
        """Nothing is posted: the command prints the answer."""

    def _people(self, comment: Comment) -> list[Person]:
        return [self.person]

    def _handled(self, offer: Offer, comment: Comment, answer: str) -> Offer:
        return offer


def _told(done: Applied, comment: Comment) -> Offer:
    """The offer after suggestions were applied, of which their agents should hear."""
    numbers = tuple(one.number for one in done.outcomes if one.result != "skipped")
    if not numbers:
        return done.offer
    return done.offer.heard(
        Feedback(comment=comment.id, by=comment.login, text="", numbers=numbers, verdict="applied")
    )


def _shut(*, is_open: bool, locked: bool) -> str:
    if not is_open:
        return "This is closed: nothing is applied any more."
    return "This conversation is locked: nothing is applied any more." if locked else ""
