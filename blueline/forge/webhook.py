"""Comments that a host tells of, without our own texts."""

from __future__ import annotations

from blueline.forge.commands import is_own
from blueline.hosts.host import Comment, HostKind, Ignored


def comment_of(kind: HostKind, event: str, payload: bytes) -> Comment | Ignored:
    """The comment that an event is about. Edits, programs and our own texts are ignored."""
    found = kind.webhook.comment_of(event, payload)
    if isinstance(found, Comment) and is_own(found.body):
        return Ignored(why="it is a text of ours, or holds one")
    return found
