"""What GitHub tells when somebody writes a comment: read with care, and only what is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from blueline.errors import BluelineError
from blueline.forge.commands import is_own
from blueline.forge.github import repository_name

EVENT = "issue_comment"
REVIEW_EVENT = "pull_request_review_comment"
"""Somebody answers in a thread of a review. Only a webhook brings it: an Action for it would run with what a
pull request says should run."""


class BadEvent(BluelineError):
    """Not an event of GitHub's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """One comment that somebody wrote."""

    repository: str
    number: int
    is_pull: bool
    id: int
    body: str
    login: str
    user: int
    """The account's number."""
    at: str
    path: str = ""
    """The file that it stands beside, in a review. Its number is negative then: they are counted apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """An event that nothing is to be done about."""

    why: str


def comment_of(name: str, payload: bytes) -> Comment | Ignored:
    """The comment that an event is about. Edits, bots and our own texts are ignored."""
    if name == "ping":
        return Ignored(why="GitHub tries whether somebody listens")
    if name not in (EVENT, REVIEW_EVENT):
        return Ignored(why=f"events of this kind are not handled: {name[:40]!r}")
    try:
        event = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise BadEvent("the event is not JSON") from error
    if not isinstance(event, dict):
        raise BadEvent("the event is not an object")
    if event.get("action") != "created":
        return Ignored(why="only new comments are obeyed, not changes to old ones")
    is_review = name == REVIEW_EVENT
    comment, issue = _part(event, "comment"), _part(event, "pull_request" if is_review else "issue")
    user = _part(comment, "user")
    if _is_machine(user, _part(event, "sender"), comment):
        return Ignored(why="it was written by a program")
    found = Comment(
        repository=_text(_part(event, "repository"), "full_name"),
        number=_number(issue, "number"),
        is_pull=is_review or isinstance(issue.get("pull_request"), dict),
        id=-_number(comment, "id") if is_review else _number(comment, "id"),
        body=_text(comment, "body"),
        login=_text(user, "login"),
        user=_number(user, "id"),
        at=_text(comment, "created_at"),
        path=_text(comment, "path") if is_review else "",
    )
    repository_name(found.repository)
    if is_own(found.body):
        return Ignored(why="it is a text of ours, or holds one")
    return found


def _is_machine(user: Mapping[str, Any], sender: Mapping[str, Any], comment: Mapping[str, Any]) -> bool:
    if any(
        one.get("type") != "User" or str(one.get("login", "")).endswith("[bot]") for one in (user, sender)
    ):
        return True
    # Somebody may write through a program; who can say what it was told?
    return sender.get("id") != user.get("id") or isinstance(comment.get("performed_via_github_app"), dict)


def _part(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = found.get(name)
    if not isinstance(value, dict):
        raise BadEvent(f"the event has no {name}")
    return value


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        raise BadEvent(f"the event has no {name}")
    return value


def _number(found: Mapping[str, Any], name: str) -> int:
    value = found.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadEvent(f"the event has no {name}")
    return value
