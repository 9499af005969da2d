"""What GitHub tells when somebody writes a comment. Gitea and Forgejo tell it in nearly the same words."""

from __future__ import annotations

import hashlib
import hmac

from blueline.hosts.address import repository_name
from blueline.hosts.event import Event, number, part, read_event, text
from blueline.hosts.host import Comment, Ignored

COMMENT = "issue_comment"
REVIEW_COMMENT = "pull_request_review_comment"
"""Somebody answers in a thread of a review. Only a webhook brings it: an Action for it would run with what a
pull request says should run."""


def is_signed(secret: bytes, payload: bytes, signature: str) -> bool:
    """Whether somebody who knows the secret sent exactly this."""
    wanted = "sha256=" + hmac.new(secret, payload, hashlib.sha256).hexdigest()
    return hmac.compare_digest(wanted.encode(), signature.encode("utf-8", "replace"))


def github_comment(name: str, payload: bytes) -> Comment | Ignored:
    """The comment that an event of GitHub's is about."""
    if name == "ping":
        return Ignored(why="GitHub tries whether somebody listens")
    if name not in (COMMENT, REVIEW_COMMENT):
        return Ignored(why=f"events of this kind are not handled: {name[:40]!r}")
    event = read_event(payload)
    if event.get("action") != "created":
        return Ignored(why="only new comments are obeyed, not changes to old ones")
    if _is_machine(event):
        return Ignored(why="it was written by a program")
    return new_comment(event, is_review=name == REVIEW_COMMENT)


def new_comment(event: Event, *, is_review: bool = False) -> Comment:
    comment, issue = part(event, "comment"), part(event, "pull_request" if is_review else "issue")
    user = part(comment, "user")
    found = Comment(
        repository=text(part(event, "repository"), "full_name"),
        number=number(issue, "number"),
        is_pull=is_review or isinstance(issue.get("pull_request"), dict),
        id=-number(comment, "id") if is_review else number(comment, "id"),
        body=text(comment, "body"),
        login=text(user, "login"),
        user=number(user, "id"),
        at=text(comment, "created_at"),
        path=text(comment, "path") if is_review else "",
    )
    repository_name(found.repository)
    return found


def _is_machine(event: Event) -> bool:
    comment, sender = part(event, "comment"), part(event, "sender")
    user = part(comment, "user")
    if any(
        one.get("type") != "User" or str(one.get("login", "")).endswith("[bot]") for one in (user, sender)
    ):
        return True
    # Somebody may write through a program; who can say what it was told?
    return sender.get("id") != user.get("id") or isinstance(comment.get("performed_via_github_app"), dict)
