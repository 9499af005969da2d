"""One project on a GitLab: what is asked for and posted.

Issues and merge requests are counted apart there, projects stand in groups of groups, and a comment with a
button is a discussion of its own.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from blueline.hosts.address import parts_of
from blueline.hosts.api_client import (
    ApiClient,
    ForgeFailed,
    Say,
    date_heard,
    is_before,
    mapping_of,
    number_of,
    text_of,
)
from blueline.hosts.gitlab_events import gitlab_comment, knows_secret
from blueline.hosts.host import (
    BadName,
    Comment,
    HostedRepository,
    HostKind,
    IssueThread,
    LineComment,
    LineReviews,
    NewPull,
    Permission,
    Posted,
    Pull,
    Sign,
    ThreadName,
    WebhookForm,
    repository_of,
)
from blueline.model.visible import visible

DEVELOPER = 30
"""The lowest level of access that may push."""

SIGNS: Mapping[Sign, str] = {"+1": "thumbsup", "-1": "thumbsdown"}
"""Where it has another name for one than GitHub."""

PAUSE_SECONDS = 1.0
"""Notes are limited to so many a minute."""

_LOGIN = re.compile(r"[A-Za-z0-9._-]{1,255}")
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@.*")


@dataclass
class GitLabApi:
    """One project on a GitLab."""

    repo: str
    token: str = field(repr=False)
    url: str
    say: Say = lambda message: None
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts_of(self.repo)
        self._place = ("projects", self.repo)
        self._client = ApiClient(
            host=GITLAB.label,
            url=self.url,
            headers={"Accept": "application/json", "PRIVATE-TOKEN": self.token},
            say=self.say,
            sleep=self.sleep,
            heard=self._note,
        )
        self.clock = ""
        self.kind = GITLAB
        self.line_reviews: LineReviews | None = self

    # What is asked for

    def repository(self) -> HostedRepository:
        found = self._client.get("reading the project", *self._place)
        return repository_of(found, name="path_with_namespace", address="http_url_to_repo")

    def permission(self, login: str) -> Permission:
        if not _LOGIN.fullmatch(login):
            raise BadName(f"{visible(login)!r} is not a person on {GITLAB.label}")
        found = self._client.get("asking who somebody is", "users", username=login)
        user = number_of(found[0], "id") if isinstance(found, list) and found else 0
        if not user:
            return Permission(level="none", user=0)
        try:
            member = self._client.get("asking for a permission", *self._place, "members", "all", user)
        except ForgeFailed as error:
            if error.status == 404:
                return Permission(level="none", user=user)
            raise
        level = number_of(member, "access_level")
        is_active = text_of(member, "state") == "active"
        return Permission(level="write" if level >= DEVELOPER and is_active else "read", user=user)

    def thread(self, number: int) -> IssueThread:
        found = self._client.get("reading the issue", *self._place, "issues", number)
        return IssueThread(
            is_open=text_of(found, "state") == "opened",
            locked=bool(found.get("discussion_locked")),
            is_pull=False,
        )

    def pull(self, number: int) -> Pull:
        found = self._merge_request(number)
        source, target = number_of(found, "source_project_id"), number_of(found, "target_project_id")
        return Pull(
            is_open=text_of(found, "state") == "opened",
            locked=bool(found.get("discussion_locked")),
            draft=bool(found.get("draft")),
            head=text_of(found, "sha"),
            branch=text_of(found, "source_branch"),
            head_repository=self.repo if source and source == target else "",
            base=text_of(found, "target_branch"),
            base_repository=self.repo,
        )

    def comments(self, thread: ThreadName, since: str = "") -> list[str]:
        place = (*self._place, _kind(thread), thread.number, "notes")
        found = self._client.pages("reading the comments", *place, sort="asc", order_by="created_at")
        return [text_of(one, "body") for one in found if not is_before(text_of(one, "created_at"), since)]

    def button(self, lines: int) -> str:
        return f"suggestion:-{lines - 1}+0"

    def patches(self, number: int) -> dict[str, str | None]:
        return {text_of(one, "new_path"): text_of(one, "diff") or None for one in self._diffs(number)}

    def _diffs(self, number: int) -> list[Mapping[str, Any]]:
        place = (*self._place, "merge_requests", number, "diffs")
        return list(self._client.pages("reading the merge request's files", *place))

    def _merge_request(self, number: int) -> Mapping[str, Any]:
        found = self._client.get("reading the merge request", *self._place, "merge_requests", number)
        return found if isinstance(found, Mapping) else {}

    # What is posted

    def comment(self, thread: ThreadName, body: str) -> Posted:
        return self._note_once((*self._place, _kind(thread), thread.number, "notes"), thread, {"body": body})

    def review(self, number: int, commit: str, body: str, comments: Sequence[LineComment]) -> Posted:
        """Each comment on lines is posted by itself; nothing is if the branch has moved."""
        thread = ThreadName(number, is_pull=True)
        refs = mapping_of(self._merge_request(number), "diff_refs")
        if text_of(refs, "head_sha") != commit:
            raise ForgeFailed("writing a review failed: the merge request has moved", hint="offer it again")
        files = {text_of(one, "new_path"): one for one in self._diffs(number)} if comments else {}
        place = (*self._place, "merge_requests", number, "discussions")
        for one in comments:
            wanted = {"body": one.body, "position": _position(one, refs, files.get(one.path, {}))}
            self._note_once(place, thread, wanted)
            self.pause()
        return self.comment(thread, body)

    def _note_once(
        self, place: tuple[str | int, ...], thread: ThreadName, wanted: Mapping[str, Any]
    ) -> Posted:
        body = str(wanted["body"])
        found = self._client.post(
            "writing a comment",
            *place,
            body=wanted,
            is_done=lambda: any(text.strip() == body.strip() for text in self.comments(thread)),
        )
        return Posted(id=number_of(found, "id"))

    def react(self, comment: Comment, sign: Sign) -> None:
        place = (*self._place, _kind(comment.thread), comment.number, "notes", comment.id, "award_emoji")
        try:
            self._client.post("answering with a sign", *place, body={"name": SIGNS.get(sign, sign)})
        except ForgeFailed as error:
            # The sign is there already: it can be given once.
            if error.status != 404 or "already been taken" not in str(error):
                raise

    def open_pull(self, wanted: NewPull) -> Posted | None:
        asked = {
            "title": wanted.title,
            "description": wanted.body,
            "source_branch": wanted.branch,
            "target_branch": wanted.base,
        }
        try:
            found = self._client.post("opening a merge request", *self._place, "merge_requests", body=asked)
        except ForgeFailed as error:
            if error.status == 409:
                return None
            raise
        return Posted(id=number_of(found, "iid"), url=text_of(found, "web_url"))

    def wide_scopes(self) -> list[str]:
        # It does not say what a token may do.
        return []

    def pause(self) -> None:
        self.sleep(PAUSE_SECONDS)

    def _note(self, headers: Mapping[str, str]) -> None:
        self.clock = date_heard(headers) or self.clock


def _kind(thread: ThreadName) -> str:
    return "merge_requests" if thread.is_pull else "issues"


def _position(one: LineComment, refs: Mapping[str, Any], file: Mapping[str, Any]) -> dict[str, Any]:
    """Where a comment stands: at the last of its lines, which a line that was there before has two numbers
    for."""
    position: dict[str, Any] = {
        "position_type": "text",
        **{name: text_of(refs, name) for name in ("base_sha", "start_sha", "head_sha")},
        "old_path": text_of(file, "old_path") or one.path,
        "new_path": one.path,
        "new_line": one.last,
    }
    before = old_lines(text_of(file, "diff")).get(one.last)
    return position if before is None else {**position, "old_line": before}


def old_lines(diff: str) -> dict[int, int]:
    """The number before of each line that a diff shows and does not change, by the number after."""
    found: dict[int, int] = {}
    old = new = 0
    for line in diff.split("\n"):
        if head := _HUNK.fullmatch(line):
            # An empty side is given by the line before it.
            old, new = int(head[1]) + (head[2] == "0"), int(head[3]) + (head[4] == "0")
        elif line[:1] == " ":
            found[new] = old
            old, new = old + 1, new + 1
        elif line[:1] == "+":
            new += 1
        elif line[:1] == "-":
            old += 1
    return found


GITLAB = HostKind(
    name="gitlab",
    label="GitLab",
    api_path="/api/v4",
    known={"gitlab.com": "https://gitlab.com/api/v4"},
    tokens=("GITLAB_TOKEN",),
    addresses=("GITLAB_API_URL", "CI_API_V4_URL"),
    repositories=("CI_PROJECT_PATH",),
    pull_ref="refs/merge-requests/{number}/head",
    git_user="oauth2",
    needs="the scope api, for this project alone",
    counts_apart=True,
    webhook=WebhookForm(
        event="x-gitlab-event",
        deliveries=("idempotency-key", "x-gitlab-event-uuid"),
        proof="x-gitlab-token",
        is_genuine=knows_secret,
        comment_of=gitlab_comment,
    ),
    opens=GitLabApi,
)
