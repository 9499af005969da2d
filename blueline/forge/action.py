"""The event of a GitHub Action, from its file to what was done about it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from blueline.errors import BluelineError
from blueline.forge.forge_place import settings_on_host, warn_of_scopes
from blueline.forge.responder import Handled, Responder
from blueline.forge.webhook import comment_of
from blueline.hosts.host import Comment, HostKind, Ignored

LARGEST = 25 << 20
"""Bytes of an event: GitHub sends no larger ones."""


class NoEvent(BluelineError):
    """This was not started by GitHub."""


def event_of(kind: HostKind, environ: Mapping[str, str]) -> Comment | Ignored:
    """What the host says has happened, as GitHub's Actions are told."""
    name, path = environ.get("GITHUB_EVENT_NAME", ""), environ.get("GITHUB_EVENT_PATH", "")
    if not name or not path:
        raise NoEvent(
            "there is no event to handle",
            hint="this is for a GitHub Action, which sets GITHUB_EVENT_NAME and GITHUB_EVENT_PATH",
        )
    try:
        with Path(path).open("rb") as file:
            payload = file.read(LARGEST + 1)
    except OSError as error:
        raise NoEvent(
            f"the event cannot be read: {error.strerror}", hint="look at GITHUB_EVENT_PATH"
        ) from error
    if len(payload) > LARGEST:
        raise NoEvent("the event is larger than GitHub makes them")
    return comment_of(kind, name, payload)


def handle(responder: Responder, event: Comment | Ignored) -> Handled:
    """Deal with an event, by the rules of the default branch."""
    if isinstance(event, Ignored):
        return Handled(outcome="ignored", answer=event.why)
    responder.settings = settings_on_host(responder)
    warn_of_scopes(responder)
    return responder.handle(event)
