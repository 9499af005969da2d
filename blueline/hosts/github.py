"""One repository on GitHub: what is asked for and posted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
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
from blueline.hosts.github_events import github_comment, is_signed
from blueline.hosts.host import (
    BadName,
    Comment,
    HostedRepository,
    HostKind,
    IssueThread,
    LineComment,
    NewPull,
    Permission,
    Posted,
    Pull,
    Sign,
    ThreadName,
    WebhookForm,
)
from blueline.model.visible import visible

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

_LOGIN = re.compile(r"[A-Za-z0-9_-]{1,100}(\[bot\])?")


@dataclass
class GitHubApi:
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
        self.kind = GITHUB
        self.line_reviews = self

    # What is asked for

    def repository(self) -> HostedRepository:
        found = self._client.get("reading the repository", *self._place)
        return HostedRepository(
            full_name=text_of(found, "full_name"),
            default_branch=text_of(found, "default_branch"),
            clone_url=text_of(found, "clone_url"),
        )

    def permission(self, login: str) -> Permission:
        if not _LOGIN.fullmatch(login):
            raise BadName(f"{visible(login)!r} is not a person on GitHub")
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

    def button(self, lines: int) -> str:
        return "suggestion"

    def patches(self, number: int) -> dict[str, str | None]:
        place = (*self._place, "pulls", number, "files")
        found = self._client.pages("reading the pull request's files", *place)
        patches = ((text_of(one, "filename"), one.get("patch")) for one in found)
        return {path: patch if isinstance(patch, str) else None for path, patch in patches}

    def comments(self, thread: ThreadName, since: str = "") -> list[str]:
        when = moment(since)
        query = {} if when is None else {"since": api_time(when)}
        place = (*self._place, "issues", thread.number, "comments")
        return [text_of(one, "body") for one in self._client.pages("reading the comments", *place, **query)]

    def reviews(self, number: int) -> list[str]:
        """The texts of the reviews of a pull request."""
        place = (*self._place, "pulls", number, "reviews")
        return [text_of(one, "body") for one in self._client.pages("reading the reviews", *place)]

    # What is posted

    def comment(self, thread: ThreadName, body: str) -> Posted:
        found = self._client.post(
            "writing a comment",
            *(*self._place, "issues", thread.number, "comments"),
            body={"body": body},
            is_done=lambda: is_there(body, self.comments(thread)),
        )
        return Posted(id=number_of(found, "id"), url=text_of(found, "html_url"))

    def review(self, number: int, commit: str, body: str, comments: Sequence[LineComment]) -> Posted:
        found = self._client.post(
            "writing a review",
            *(*self._place, "pulls", number, "reviews"),
            body={
                "commit_id": commit,
                "event": "COMMENT",
                "body": body,
                "comments": [one.document() for one in comments],
            },
            is_done=lambda: is_there(body, self.reviews(number)),
        )
        return Posted(id=number_of(found, "id"), url=text_of(found, "html_url"))

    def react(self, comment: Comment, sign: Sign) -> None:
        kind = "pulls" if comment.id < 0 else "issues"
        place = (*self._place, kind, "comments", abs(comment.id), "reactions")
        self._client.post("answering with a sign", *place, body={"content": sign})

    def open_pull(self, wanted: NewPull) -> Posted | None:
        asked = {"title": wanted.title, "body": wanted.body, "head": wanted.branch, "base": wanted.base}
        try:
            found = self._client.post("opening a pull request", *self._place, "pulls", body=asked)
        except ForgeFailed as error:
            if error.status == 422 and "already exists" in str(error):
                return None
            raise
        return Posted(id=number_of(found, "number"), url=text_of(found, "html_url"))

    def pause(self) -> None:
        self.sleep(PAUSE_SECONDS)

    def _note(self, headers: Mapping[str, str]) -> None:
        self.clock = date_heard(headers) or self.clock
        said = headers.get("x-oauth-scopes", "")
        self.scopes = frozenset(one.strip() for one in said.split(",") if one.strip())

    def wide_scopes(self) -> list[str]:
        return sorted(self.scopes - NEEDED_SCOPES)


def is_there(body: str, texts: Sequence[str]) -> bool:
    """Whether a text of ours, known by its first line, is among others."""
    return any(text.partition("\n")[0].strip() == body.partition("\n")[0].strip() for text in texts)


GITHUB = HostKind(
    name="github",
    label="GitHub",
    api_path="/api/v3",
    known={"github.com": API},
    tokens=("GITHUB_TOKEN", "GH_TOKEN"),
    addresses=("GITHUB_API_URL",),
    repositories=("GITHUB_REPOSITORY",),
    pull_ref="refs/pull/{number}/head",
    git_user="x-access-token",
    needs="write access to contents, issues and pull requests",
    webhook=WebhookForm(
        event="x-github-event",
        deliveries=("x-github-delivery",),
        proof="x-hub-signature-256",
        is_genuine=is_signed,
        comment_of=github_comment,
    ),
    opens=GitHubApi,
)
