"""One repository on a Gitea or a Forgejo: what is asked for and posted.

Their API is much like GitHub's, without buttons for suggested lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from blueline.hosts.api_client import ForgeFailed
from blueline.hosts.event import part, read_event
from blueline.hosts.github_events import COMMENT, is_signed, new_comment
from blueline.hosts.github_like import GitHubLikeApi
from blueline.hosts.host import Comment, HostKind, Ignored, LineReviews, WebhookForm


@dataclass
class GiteaApi(GitHubLikeApi):
    """One repository on a Gitea or a Forgejo."""

    label = "Gitea"
    locked = "is_locked"
    writers = frozenset({"write", "admin", "owner"})
    login = re.compile(r"[A-Za-z0-9._-]{1,100}")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.kind = GITEA
        self.line_reviews: LineReviews | None = None

    def _headers(self) -> dict[str, str]:
        return {"Accept": "application/json", "Authorization": f"token {self.token}"}

    def _listed(self, doing: str, *place: str | int, **query: str) -> Iterable[Mapping[str, Any]]:
        # All of them: these come without pages.
        found = self._client.get(doing, *place, **query)
        return found if isinstance(found, list) else []

    def _is_open_already(self, error: ForgeFailed) -> bool:
        return error.status == 409

    def wide_scopes(self) -> list[str]:
        # It does not say what a token may do.
        return []

    def pause(self) -> None:
        """Nobody asks for it here."""


def gitea_comment(name: str, payload: bytes) -> Comment | Ignored:
    """The comment that an event is about."""
    if name != COMMENT:
        return Ignored(why=f"events of this kind are not handled: {name[:40]!r}")
    event = read_event(payload)
    if event.get("action") != "created":
        return Ignored(why="only new comments are obeyed, not changes to old ones")
    user, sender = part(part(event, "comment"), "user"), part(event, "sender")
    # What its own programs write has accounts with numbers below one.
    if any(not isinstance(one.get("id"), int) or one["id"] < 1 for one in (user, sender)):
        return Ignored(why="it was written by a program")
    if user["id"] != sender["id"]:
        return Ignored(why="it was written for somebody else")
    return new_comment(event)


GITEA = HostKind(
    name="gitea",
    label=GiteaApi.label,
    api_path="/api/v1",
    known={"codeberg.org": "https://codeberg.org/api/v1", "gitea.com": "https://gitea.com/api/v1"},
    tokens=("GITEA_TOKEN", "FORGEJO_TOKEN"),
    addresses=("GITEA_API_URL", "FORGEJO_API_URL"),
    repositories=(),
    pull_ref="refs/pull/{number}/head",
    git_user="x-access-token",
    needs="write access to the repository and its issues",
    webhook=WebhookForm(
        event="x-gitea-event",
        deliveries=("x-gitea-delivery",),
        proof="x-hub-signature-256",
        is_genuine=is_signed,
        comment_of=gitea_comment,
    ),
    opens=GiteaApi,
)
