"""What GitLab tells when somebody writes a comment."""

from __future__ import annotations

import hmac
import re

from blueline.hosts.address import parts_of
from blueline.hosts.event import number, part, read_event, text
from blueline.hosts.host import Comment, Ignored

EVENT = "Note Hook"
THREADS = {"Issue": ("issue", False), "MergeRequest": ("merge_request", True)}
_PROGRAM = re.compile(r"(?:project|group)_\d+_bot(?:_\w+)?|ghost|(?:support|alert|security)-bot")


def knows_secret(secret: bytes, payload: bytes, proof: str) -> bool:
    """Whether the sender knows the secret: it is sent as it is, and the body is not signed."""
    return hmac.compare_digest(secret, proof.encode("utf-8", "replace"))


def gitlab_comment(name: str, payload: bytes) -> Comment | Ignored:
    """The comment that an event of GitLab's is about."""
    if name != EVENT:
        return Ignored(why=f"events of this kind are not handled: {name[:40]!r}")
    event = read_event(payload)
    note, user = part(event, "object_attributes"), part(event, "user")
    # Earlier versions tell of new comments only, and do not say so.
    if note.get("action", "create") != "create":
        return Ignored(why="only new comments are obeyed, not changes to old ones")
    if note.get("system") or _PROGRAM.fullmatch(text(user, "username")):
        return Ignored(why="it was written by a program")
    kind = text(note, "noteable_type")
    if kind not in THREADS:
        return Ignored(why="it is not in an issue or a merge request")
    author = number(note, "author_id")
    if user.get("id", author) != author:
        return Ignored(why="it was written for somebody else")
    named, is_pull = THREADS[kind]
    position = note.get("position")
    found = Comment(
        repository=text(part(event, "project"), "path_with_namespace"),
        number=number(part(event, named), "iid"),
        is_pull=is_pull,
        id=number(note, "id"),
        body=text(note, "note"),
        login=text(user, "username"),
        user=author,
        at=text(note, "created_at").replace(" UTC", "+00:00"),
        path=text(position, "new_path") if isinstance(position, dict) else "",
    )
    parts_of(found.repository)
    return found
