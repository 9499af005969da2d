"""One repository on GitHub: what is asked for and posted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blueline.hosts.api_client import ForgeFailed, number_of, text_of
from blueline.hosts.github_events import github_comment, is_signed
from blueline.hosts.github_like import GitHubLikeApi, is_there
from blueline.hosts.host import Comment, HostKind, LineComment, Posted, Sign, WebhookForm

API = "https://api.github.com"
VERSION = "2026-03-10"
OTHER_VERSION = "2022-11-28"
"""The version of the API that a GitHub of one's own knows too; what is asked for here is alike in both."""

PAUSE_SECONDS = 1.0
"""Between two things that are posted: GitHub asks for it, and answers with a longer wait otherwise."""

NEEDED_SCOPES = frozenset({"repo", "public_repo", "repo:status", "repo_deployment", "read:org", "read:user"})
"""What a classic token may have without a word."""


@dataclass
class GitHubApi(GitHubLikeApi):
    """One repository on GitHub."""

    label = "GitHub"
    locked = "locked"
    # `maintain` is reported as `write`, `triage` as `read`.
    writers = frozenset({"admin", "write"})
    login = re.compile(r"[A-Za-z0-9_-]{1,100}(\[bot\])?")

    url: str = API

    def __post_init__(self) -> None:
        super().__post_init__()
        self.scopes: frozenset[str] = frozenset()
        """What a classic token may do, once something was asked; empty for other tokens."""
        self.kind = GITHUB
        self.line_reviews = self

    def _headers(self) -> dict[str, str]:
        return {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self.token}",
            "X-GitHub-Api-Version": VERSION if self.url.rstrip("/") == API else OTHER_VERSION,
        }

    def _listed(self, doing: str, *place: str | int, **query: str) -> Iterable[Mapping[str, Any]]:
        return self._client.pages(doing, *place, **query)

    def _is_open_already(self, error: ForgeFailed) -> bool:
        return error.status == 422 and "already exists" in str(error)

    def button(self, lines: int) -> str:
        return "suggestion"

    def patches(self, number: int) -> dict[str, str | None]:
        place = (*self._place, "pulls", number, "files")
        found = self._client.pages("reading the pull request's files", *place)
        patches = ((text_of(one, "filename"), one.get("patch")) for one in found)
        return {path: patch if isinstance(patch, str) else None for path, patch in patches}

    def reviews(self, number: int) -> list[str]:
        """The texts of the reviews of a pull request."""
        place = (*self._place, "pulls", number, "reviews")
        return [text_of(one, "body") for one in self._client.pages("reading the reviews", *place)]

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

    def pause(self) -> None:
        self.sleep(PAUSE_SECONDS)

    def _note(self, headers: Mapping[str, str]) -> None:
        super()._note(headers)
        said = headers.get("x-oauth-scopes", "")
        self.scopes = frozenset(one.strip() for one in said.split(",") if one.strip())

    def wide_scopes(self) -> list[str]:
        return sorted(self.scopes - NEEDED_SCOPES)


GITHUB = HostKind(
    name="github",
    label=GitHubApi.label,
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
