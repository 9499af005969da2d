"""One repository on GitHub: what is asked for and posted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from blueline.errors import BluelineError
from blueline.forge.api_client import (
    ApiClient,
    ForgeFailed,
    Say,
    api_time,
    date_heard,
    mapping_of,
    number_of,
    text_of,
)
from blueline.model.visible import visible

if TYPE_CHECKING:
    from blueline.contract.suggestions import LineCommentDocument

API = "https://api.github.com"
VERSION = "2026-03-10"
OTHER_VERSION = "2022-11-28"
"""The version of the API that a GitHub of one's own knows too; what is asked for here is alike in both."""

PAUSE_SECONDS = 1.0
"""Between two things that are posted: GitHub asks for it, and answers with a longer wait otherwise."""

WRITERS = frozenset({"admin", "write"})
"""`maintain` is reported as `write`, `triage` as `read`."""

NEEDED_SCOPES = frozenset({"repo", "public_repo", "repo:status", "repo_deployment", "read:org", "read:user"})
"""What a classic token may have without a word."""

_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
_LOGIN = re.compile(r"[A-Za-z0-9_-]{1,100}(\[bot\])?")

Sign = Literal["eyes", "rocket", "+1", "-1", "confused"]


class BadName(BluelineError):
    """Not the name of a repository or of a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """What somebody may do, asked a moment ago."""

    level: str
    user: int
    """The account's number: a name can go to somebody else."""

    @property
    def may_write(self) -> bool:
        return self.level in WRITERS


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueThread:
    """An issue or a pull request, as it is now."""

    is_open: bool
    locked: bool
    is_pull: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """A pull request, as it is now."""

    is_open: bool
    locked: bool
    draft: bool
    head: str
    branch: str
    head_repository: str
    """Empty if it is gone."""
    base: str
    base_repository: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineComment:
    """A comment on lines of the new side, from one, both ends included."""

    path: str
    first: int
    last: int
    body: str

    def document(self) -> LineCommentDocument:
        document: LineCommentDocument = {
            "path": self.path,
            "line": self.last,
            "side": "RIGHT",
            "body": self.body,
        }
        if self.first < self.last:
            document["start_line"], document["start_side"] = self.first, "RIGHT"
        return document


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """Something of ours on the host."""

    id: int
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedRepository:
    full_name: str
    default_branch: str
    clone_url: str = ""


def repository_name(text: str) -> tuple[str, str]:
    owner, slash, name = text.partition("/")
    if not slash or not _NAME.fullmatch(owner) or not _NAME.fullmatch(name) or {".", ".."} & {owner, name}:
        raise BadName(f"{visible(text)!r} is not a repository", hint="name it as owner/name")
    return owner, name


@dataclass
class Api:
    """One repository on GitHub."""

    repo: str
    token: str = field(repr=False)
    url: str = API
    say: Say = lambda message: None
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        owner, name = repository_name(self.repo)
        self._place = ("repos", owner, name)
        self._client = ApiClient(
            host="GitHub",
            url=self.url,
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self.token}",
                "X-GitHub-Api-Version": VERSION if self.url.rstrip("/") == API else OTHER_VERSION,
            },
            say=self.say,
            sleep=self.sleep,
            heard=self._note,
        )
        self.scopes: frozenset[str] = frozenset()
        """What a classic token may do, once something was asked; empty for other tokens."""
        self.clock = ""
        """What time it was for GitHub when it answered last."""

    # What is asked for

    def repository(self) -> HostedRepository:
        found = self._client.get("reading the repository", *self._place)
        return HostedRepository(
            full_name=text_of(found, "full_name"),
            default_branch=text_of(found, "default_branch"),
            clone_url=text_of(found, "clone_url"),
        )

    def permission(self, login: str) -> Permission:
        """What somebody may do in this repository at this moment."""
        if not _LOGIN.fullmatch(login):
            raise BadName(f"{visible(login)!r} is not a person on GitHub")
        place = (*self._place, "collaborators", login, "permission")
        try:
            found = self._client.get("asking for a permission", *place)
        except ForgeFailed as error:
            if error.status == 404:
                return Permission(level="none", user=0)
            raise
        return Permission(level=text_of(found, "permission"), user=number_of(mapping_of(found, "user"), "id"))

    def thread(self, number: int) -> IssueThread:
        found = self._client.get("reading the issue", *self._place, "issues", number)
        return IssueThread(
            is_open=text_of(found, "state") == "open",
            locked=bool(found.get("locked")),
            is_pull=isinstance(found.get("pull_request"), Mapping),
        )

    def pull(self, number: int) -> Pull:
        found = self._client.get("reading the pull request", *self._place, "pulls", number)
        head, base = mapping_of(found, "head"), mapping_of(found, "base")
        return Pull(
            is_open=text_of(found, "state") == "open",
            locked=bool(found.get("locked")),
            draft=bool(found.get("draft")),
            head=text_of(head, "sha"),
            branch=text_of(head, "ref"),
            head_repository=text_of(mapping_of(head, "repo"), "full_name"),
            base=text_of(base, "ref"),
            base_repository=text_of(mapping_of(base, "repo"), "full_name"),
        )

    def patches(self, number: int) -> dict[str, str | None]:
        """The diff of each file of a pull request; None where GitHub does not give one."""
        place = (*self._place, "pulls", number, "files")
        found = self._client.pages("reading the pull request's files", *place)
        patches = ((text_of(one, "filename"), one.get("patch")) for one in found)
        return {path: patch if isinstance(patch, str) else None for path, patch in patches}

    def comments(self, number: int, since: str = "") -> list[str]:
        """The texts of the comments of a thread, oldest first."""
        when = _moment(since)
        query = {} if when is None else {"since": api_time(when)}
        place = (*self._place, "issues", number, "comments")
        return [text_of(one, "body") for one in self._client.pages("reading the comments", *place, **query)]

    def reviews(self, number: int) -> list[str]:
        """The texts of the reviews of a pull request."""
        place = (*self._place, "pulls", number, "reviews")
        return [text_of(one, "body") for one in self._client.pages("reading the reviews", *place)]

    # What is posted

    def comment(self, number: int, body: str) -> Posted:
        """One more comment; never twice, even if GitHub did it and failed to say so."""
        found = self._client.post(
            "writing a comment",
            *(*self._place, "issues", number, "comments"),
            body={"body": body},
            is_done=lambda: _is_there(body, self.comments(number)),
        )
        return Posted(id=number_of(found, "id"), url=text_of(found, "html_url"))

    def review(self, number: int, commit: str, body: str, comments: Sequence[LineComment]) -> Posted:
        """A review with comments on lines."""
        found = self._client.post(
            "writing a review",
            *(*self._place, "pulls", number, "reviews"),
            body={
                "commit_id": commit,
                "event": "COMMENT",
                "body": body,
                "comments": [one.document() for one in comments],
            },
            is_done=lambda: _is_there(body, self.reviews(number)),
        )
        return Posted(id=number_of(found, "id"), url=text_of(found, "html_url"))

    def react(self, comment: int, sign: Sign) -> None:
        """A small sign at a comment, or with a negative number at one of a review; twice the same is one."""
        kind = "pulls" if comment < 0 else "issues"
        place = (*self._place, kind, "comments", abs(comment), "reactions")
        self._client.post("answering with a sign", *place, body={"content": sign})

    def pause(self) -> None:
        """To be called between two things that are posted."""
        self.sleep(PAUSE_SECONDS)

    def _note(self, headers: Mapping[str, str]) -> None:
        self.clock = date_heard(headers) or self.clock
        said = headers.get("x-oauth-scopes", "")
        self.scopes = frozenset(one.strip() for one in said.split(",") if one.strip())

    def wide_scopes(self) -> list[str]:
        """What the token may do that is not needed here, as far as GitHub says."""
        return sorted(self.scopes - NEEDED_SCOPES)


def _is_there(body: str, texts: Sequence[str]) -> bool:
    """Whether a text of ours, known by its first line, is among others."""
    return any(text.partition("\n")[0].strip() == body.partition("\n")[0].strip() for text in texts)


def is_before(one: str, other: str) -> bool:
    """Whether a time is earlier than another; not if one of them is not known."""
    first, second = _moment(one), _moment(other)
    return first is not None and second is not None and first < second


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
