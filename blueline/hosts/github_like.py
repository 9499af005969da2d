"""One repository on a host whose API is GitHub's, or was made after it: what is asked for and posted.

What such hosts call or count differently are facts of the classes below it.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

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
from blueline.hosts.host import (
    BadName,
    Comment,
    HostedRepository,
    IssueThread,
    NewPull,
    Permission,
    Posted,
    Pull,
    Sign,
    ThreadName,
    repository_of,
)
from blueline.model.visible import visible


@dataclass
class GitHubLikeApi(ABC):
    """One repository on such a host."""

    label: ClassVar[str]
    """What the host is called."""
    locked: ClassVar[str]
    """The key that says whether nobody else may write to a thread."""
    writers: ClassVar[frozenset[str]]
    """The permissions of those who may write."""
    login: ClassVar[re.Pattern[str]]
    """The name of a person there."""

    repo: str
    token: str = field(repr=False)
    url: str
    say: Say = lambda message: None
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        owner, name = repository_name(self.repo)
        self._place = ("repos", owner, name)
        self._client = ApiClient(
            host=self.label,
            url=self.url,
            headers=self._headers(),
            say=self.say,
            sleep=self.sleep,
            heard=self._note,
        )
        self.clock = ""

    @abstractmethod
    def _headers(self) -> dict[str, str]:
        """What goes with every request."""

    @abstractmethod
    def _listed(self, doing: str, *place: str | int, **query: str) -> Iterable[Mapping[str, Any]]:
        """All entries of a list."""

    @abstractmethod
    def _is_open_already(self, error: ForgeFailed) -> bool:
        """Whether a pull request was not opened because there is one."""

    def _note(self, headers: Mapping[str, str]) -> None:
        self.clock = date_heard(headers) or self.clock

    # What is asked for

    def repository(self) -> HostedRepository:
        found = self._client.get("reading the repository", *self._place)
        return repository_of(found, name="full_name", address="clone_url")

    def permission(self, login: str) -> Permission:
        if not self.login.fullmatch(login):
            raise BadName(f"{visible(login)!r} is not a person on {self.label}")
        place = (*self._place, "collaborators", login, "permission")
        try:
            found = self._client.get("asking for a permission", *place)
        except ForgeFailed as error:
            if error.status == 404:
                return Permission(level="none", user=0)
            raise
        level = text_of(found, "permission")
        return Permission(
            level="write" if level in self.writers else "read" if level == "read" else "none",
            user=number_of(mapping_of(found, "user"), "id"),
        )

    def thread(self, number: int) -> IssueThread:
        found = self._client.get("reading the issue", *self._place, "issues", number)
        return IssueThread(
            is_open=text_of(found, "state") == "open",
            locked=bool(found.get(self.locked)),
            is_pull=isinstance(found.get("pull_request"), Mapping),
        )

    def pull(self, number: int) -> Pull:
        found = self._client.get("reading the pull request", *self._place, "pulls", number)
        head, base = mapping_of(found, "head"), mapping_of(found, "base")
        return Pull(
            is_open=text_of(found, "state") == "open",
            locked=bool(found.get(self.locked)),
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
        return [text_of(one, "body") for one in self._listed("reading the comments", *place, **query)]

    # What is posted

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
            if self._is_open_already(error):
                return None
            raise
        return Posted(id=number_of(found, "number"), url=text_of(found, "html_url"))


def is_there(body: str, texts: Sequence[str]) -> bool:
    """Whether a text of ours, known by its first line, is among others."""
    return any(text.partition("\n")[0].strip() == body.partition("\n")[0].strip() for text in texts)
