"""What is put before people's eyes: lists in comments, reviews with buttons, answers."""

from __future__ import annotations

from collections.abc import Sequence

from blueline.forge import answer_words
from blueline.forge.anchors import place
from blueline.forge.blocks import marker
from blueline.forge.commands import MARK
from blueline.forge.comment_sizes import MOST_CHARACTERS, Length, comments
from blueline.forge.forge_config import ForgeSettings
from blueline.forge.offer import Offer
from blueline.forge.suggestion import Suggestion
from blueline.hosts.api_client import NOT_TAKEN, ForgeFailed
from blueline.hosts.host import Comment, HostApi, LineComment, LineReviews, Posted, ThreadName
from blueline.hosts.inert_text import fenced, named, plain

PER_REVIEW = 30
"""Comments of one review: more at once trip GitHub's limits."""


def answer_once(api: HostApi, comment: Comment, text: str) -> Posted | None:
    """Answer a comment, unless that was done before."""
    mark = answer_words.answer_mark(comment.id)
    if any(mark in one for one in api.comments(comment.thread, comment.at)):
        return None
    return api.comment(comment.thread, f"{mark}\n{text}")


def list_texts(
    offer: Offer,
    settings: ForgeSettings,
    part: str = "",
    notices: Sequence[str] = (),
    *,
    with_actions: bool = True,
) -> list[str]:
    """The comments that list what waits in an offer."""
    return comments(
        offer.pending,
        offer=f"{offer.id}{part}",
        head=offer.head,
        branch=offer.branch,
        most=settings.max_per_comment,
        show_rationale=settings.show_rationale,
        notices=notices,
        with_actions=with_actions,
    )


def post_list(
    api: HostApi,
    offer: Offer,
    settings: ForgeSettings,
    part: str = "",
    notices: Sequence[str] = (),
    *,
    with_actions: bool = True,
) -> list[Posted]:
    """List what waits in an offer, in as many comments as it takes."""
    texts = list_texts(offer, settings, part, notices, with_actions=with_actions)
    return _post_all(api, offer.thread, texts)


def _post_all(api: HostApi, thread: ThreadName, texts: Sequence[str]) -> list[Posted]:
    posted: list[Posted] = []
    for text in texts:
        if posted:
            api.pause()
        posted.append(api.comment(thread, text))
    return posted


class PullReview:
    """What a review of a pull request holds: comments with buttons, and the rest for the list."""

    def __init__(self, offer: Offer, host: LineReviews, settings: ForgeSettings) -> None:
        self.comments: list[LineComment] = []
        self.listed: list[tuple[Suggestion, str]] = []
        """Suggestions that have no button, or not for everything, and why."""
        self._settings = settings
        self._button = host.button
        patches = host.patches(offer.number)
        for one in offer.pending:
            self._place(one, patches.get(one.path))

    def _place(self, one: Suggestion, patch: str | None) -> None:
        indices = None if one.hunk is None else [one.hunk]
        found = place(one.change, patch, indices)
        count = len(found.anchored) + len(found.others)
        for number, anchored in enumerate(found.anchored, 1):
            of = f" ({number} of {count})" if count > 1 else ""
            why = (
                f"💡 {plain(one.rationale[:1000])}\n\n"
                if one.rationale and self._settings.show_rationale
                else ""
            )
            mark = f"{MARK} suggestion={one.number} -->"
            block = fenced(anchored.text, self._button(anchored.end - anchored.start))
            body = f"{mark}\n**{one.number}.**{of} {why}\n{block}"
            self.comments.append(
                LineComment(path=one.path, first=anchored.start + 1, last=anchored.end, body=body)
            )
        if found.others or not found.anchored:
            reasons = dict.fromkeys(why for _, why in found.others)
            self.listed.append((one, "; ".join(reasons) or "it has no lines"))


def review_texts(offer: Offer, settings: ForgeSettings, review: PullReview) -> list[str]:
    """The body of a review, and what does not fit into it: what has no button is a diff here."""
    listed = {one.number for one, _ in review.listed}
    buttons = [f"- **{one.number}.** {named(one.path)}" for one in offer.pending if one.number not in listed]
    whys = [f"- **{one.number}.** {plain(why)}" for one, why in review.listed]
    notices = []
    if buttons:
        notices.append("With a button beside the lines:\n\n" + _cut(buttons))
    if whys:
        notices.append("Without a button, or not for all of it:\n\n" + _cut(whys))
    return comments(
        [one for one, _ in review.listed],
        offer=offer.id,
        head=offer.head,
        branch=offer.branch,
        most=settings.max_per_comment,
        show_rationale=settings.show_rationale,
        notices=notices,
        every=offer.pending,
    )


def post_review(
    api: HostApi, host: LineReviews, offer: Offer, settings: ForgeSettings
) -> tuple[list[Posted], str]:
    """Offer everything in a pull request: with buttons where they can be, and as diffs.

    What the host does not take as a review is listed in comments, and the second value says why.
    """
    review = PullReview(offer, host, settings)
    first, *others = review_texts(offer, settings, review)
    posted: list[Posted] = []
    for start in range(0, max(1, len(review.comments)), PER_REVIEW):
        some = review.comments[start : start + PER_REVIEW]
        body = first if start == 0 else f"{marker(f'{offer.id}r', start)}\n📝 {len(some)} more."
        if posted:
            api.pause()
        try:
            posted.append(host.review(offer.number, offer.head, body, some))
        except ForgeFailed as error:
            if error.status not in NOT_TAKEN:
                raise
            return [*posted, *post_list(api, offer, settings)], str(error)
    if others:
        api.pause()
    return [*posted, *_post_all(api, offer.thread, others)], ""


def _cut(lines: Sequence[str]) -> str:
    """As many lines as leave room for the rest."""
    kept: list[str] = []
    used = 0
    for line in lines:
        used += Length.of(line).units + 1
        if used > MOST_CHARACTERS // 4:
            return "\n".join([*kept, f"- and {len(lines) - len(kept)} more"])
        kept.append(line)
    return "\n".join(kept)
