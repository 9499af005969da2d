"""One repository on a Gitea or a Forgejo: what is asked for and posted.

Their API is much like GitHub's, without buttons for suggested lines.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from blueline.hosts.address import repository_name
from blueline.hosts.api_client import (
    ApiClient,
    ForgeFailed,
    Say,
    api_time,
    date_heard,
    mapping_of,
    moment,
    number_of,
    text_of,
)
from blueline.hosts.event import part, read_event
from blueline.hosts.github import is_there
from blueline.hosts.github_events import COMMENT, is_signed, new_comment
from blueline.hosts.host import (
    BadName,
    Comment,
    HostedRepository,
    HostKind,
    Ignored,
    IssueThread,
    LineReviews,
    NewPull,
    Permission,
    Posted,
    Pull,
    Sign,
    ThreadName,
    WebhookForm,
)
from blueline.model.visible import visible

WRITERS = frozenset({"write", "admin", "owner"})
_LOGIN = re.compile(r"[A-Za-z0-9._-]{1,100}")


@dataclass
class GiteaApi:
    """One repository on a Gitea or a Forgejo."""

    repo: str
    token: str = field(repr=False)
    url: str
    say: Say = lambda message: None
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        owner, name = repository_name(self.repo)
        self._place = ("repos", owner, name)
        self._client = ApiClient(
            host=GITEA.label,
            url=self.url,
            headers={"Accept": "application/json", "Authorization": f"token {self.token}"},
            say=self.say,
            sleep=self.sleep,
            heard=self._note,
        )
        self.clock = ""
        self.kind = GITEA
        self.line_reviews: LineReviews | None = None

    def repository(self) -> HostedRepository:
        found = self._client.get("reading the repository", *self._place)
        return HostedRepository(
            full_name=text_of(found, "full_name"),
            default_branch=text_of(found, "default_branch"),
            clone_url=text_of(found, "clone_url"),
        )

    def permission(self, login: str) -> Permission:
        if not _LOGIN.fullmatch(login):
            raise BadName(f"{visible(login)!r} is not a person on {GITEA.label}")
        place = (*self._place, "collaborators", login, "permission")
        try:
            found = self._client.get("asking for a permission", *place)
        except ForgeFailed as error:
            if error.status == 404:
                return Permission(level="none", user=0)
            raise
        level = text_of(found, "permission")
        return Permission(
            level="write" if level in WRITERS else "read" if level == "read" else "none",
            user=number_of(mapping_of(found, "user"), "id"),
        )

    def thread(self, number: int) -> IssueThread:
        found = self._client.get("reading the issue", *self._place, "issues", number)
        return IssueThread(
            is_open=text_of(found, "state") == "open",
            locked=bool(found.get("is_locked")),
            is_pull=isinstance(found.get("pull_request"), Mapping),
        )

    def pull(self, number: int) -> Pull:
        found = self._client.get("reading the pull request", *self._place, "pulls", number)
        head, base = mapping_of(found, "head"), mapping_of(found, "base")
        return Pull(
            is_open=text_of(found, "state") == "open",
            locked=bool(found.get("is_locked")),
            draft=bool(found.get("draft")),
            head=text_of(head, "sha"),
            branch=text_of(head, "ref"),
            head_repository=text_of(mapping_of(head, "repo"), "full_name"),
            base=text_of(base, "ref"),
            base_repository=text_of(mapping_of(base, "repo"), "full_name"),
        )

    def comments(self, thread: ThreadName, since: str = "") -> list[str]:
        when = moment(since)
        query = {} if when is None else {"since": api_time(when)}
        place = (*self._place, "issues", thread.number, "comments")
        # All of them: these come without pages.
        found = self._client.get("reading the comments", *place, **query)
        return [text_of(one, "body") for one in found if isinstance(found, list)]

    def comment(self, thread: ThreadName, body: str) -> Posted:
        found = self._client.post(
            "writing a comment",
            *(*self._place, "issues", thread.number, "comments"),
            body={"body": body},
            is_done=lambda: is_there(body, self.comments(thread)),
        )
        return Posted(id=number_of(found, "id"), url=text_of(found, "html_url"))

    def react(self, comment: Comment, sign: Sign) -> None:
        place = (*self._place, "issues", "comments", comment.id, "reactions")
        self._client.post("answering with a sign", *place, body={"content": sign})

    def open_pull(self, wanted: NewPull) -> Posted | None:
        asked = {"title": wanted.title, "body": wanted.body, "head": wanted.branch, "base": wanted.base}
        try:
            found = self._client.post("opening a pull request", *self._place, "pulls", body=asked)
        except ForgeFailed as error:
            if error.status == 409:
                return None
            raise
        return Posted(id=number_of(found, "number"), url=text_of(found, "html_url"))

    def wide_scopes(self) -> list[str]:
        # It does not say what a token may do.
        return []

    def pause(self) -> None:
        """Nobody asks for it here."""

    def _note(self, headers: Mapping[str, str]) -> None:
        self.clock = date_heard(headers) or self.clock


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
    label="Gitea",
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
