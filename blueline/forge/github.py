"""GitHub's API: what is asked for, with the waiting and trying again that it wants.

Requests are checked by githubkit before they are sent. Answers are read with care, by name.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal

from blueline.errors import BluelineError
from blueline.model.visible import visible

if TYPE_CHECKING:
    from githubkit import GitHub, TokenAuthStrategy

    from blueline.contract.suggestions import LineCommentDocument

API = "https://api.github.com"
OTHER_VERSION = "2022-11-28"
"""The version of the API that a GitHub of one's own knows too; what is asked for here is alike in both."""

ATTEMPTS = 5
LONGEST_WAIT_SECONDS = 300
FIRST_WAIT_SECONDS = 1.0
SECONDARY_WAIT_SECONDS = 60.0
"""What GitHub asks for when too much is written at once and it names no time."""

PAUSE_SECONDS = 1.0
"""Between two things that are posted, so that it does not come to that."""

TIMEOUT_SECONDS = 30.0
MOST_PAGES = 60
PER_PAGE = 100
LONGEST_MESSAGE = 300

WRITERS = frozenset({"admin", "write"})
"""`maintain` is reported as `write`, `triage` as `read`."""

NEEDED_SCOPES = frozenset({"repo", "public_repo", "repo:status", "repo_deployment", "read:org", "read:user"})
"""What a classic token may have without a word."""

_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
_LOGIN = re.compile(r"[A-Za-z0-9_-]{1,100}(\[bot\])?")

Say = Callable[[str], None]
Sign = Literal["eyes", "rocket", "+1", "-1", "confused"]


class ForgeFailed(BluelineError):
    """The host did not do what was asked."""

    status = 0


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
        self.owner, self.name = repository_name(self.repo)
        self._headers = {} if self.url.rstrip("/") == API else {"X-GitHub-Api-Version": OTHER_VERSION}
        self._github: GitHub[TokenAuthStrategy] | None = None
        self.scopes: frozenset[str] = frozenset()
        """What a classic token may do, once something was asked; empty for other tokens."""
        self.clock = ""
        """What time it was for GitHub when it answered last."""

    @property
    def github(self) -> GitHub[TokenAuthStrategy]:
        if self._github is None:
            from githubkit import GitHub, TokenAuthStrategy

            # It would write the whole of a failed request into the log, and whoever reads that has the text.
            logging.getLogger("githubkit").setLevel(logging.CRITICAL)
            self._github = GitHub(
                TokenAuthStrategy(self.token),
                base_url=self.url.rstrip("/") + "/",
                user_agent="blueline",
                timeout=TIMEOUT_SECONDS,
                http_cache=False,
                auto_retry=False,
                follow_redirects=False,
            )
        return self._github

    # What is asked for

    def repository(self) -> HostedRepository:
        found = self._ask(
            "reading the repository",
            lambda: self.github.rest.repos.get(self.owner, self.name, headers=self._headers),
        )
        return HostedRepository(
            full_name=_text(found, "full_name"),
            default_branch=_text(found, "default_branch"),
            clone_url=_text(found, "clone_url"),
        )

    def permission(self, login: str) -> Permission:
        """What somebody may do in this repository at this moment."""
        if not _LOGIN.fullmatch(login):
            raise BadName(f"{visible(login)!r} is not a person on GitHub")

        def ask() -> Any:
            return self.github.rest.repos.get_collaborator_permission_level(
                self.owner, self.name, login, headers=self._headers
            )

        try:
            found = self._ask("asking for a permission", ask)
        except ForgeFailed as error:
            if error.status == 404:
                return Permission(level="none", user=0)
            raise
        return Permission(level=_text(found, "permission"), user=_number(_mapping(found, "user"), "id"))

    def thread(self, number: int) -> IssueThread:
        found = self._ask(
            "reading the issue",
            lambda: self.github.rest.issues.get(self.owner, self.name, number, headers=self._headers),
        )
        return IssueThread(
            is_open=_text(found, "state") == "open",
            locked=bool(found.get("locked")),
            is_pull=isinstance(found.get("pull_request"), Mapping),
        )

    def pull(self, number: int) -> Pull:
        found = self._ask(
            "reading the pull request",
            lambda: self.github.rest.pulls.get(self.owner, self.name, number, headers=self._headers),
        )
        head, base = _mapping(found, "head"), _mapping(found, "base")
        return Pull(
            is_open=_text(found, "state") == "open",
            locked=bool(found.get("locked")),
            draft=bool(found.get("draft")),
            head=_text(head, "sha"),
            branch=_text(head, "ref"),
            head_repository=_text(_mapping(head, "repo"), "full_name"),
            base=_text(base, "ref"),
            base_repository=_text(_mapping(base, "repo"), "full_name"),
        )

    def patches(self, number: int) -> dict[str, str | None]:
        """The diff of each file of a pull request; None where GitHub does not give one."""

        def page(count: int) -> Any:
            return self.github.rest.pulls.list_files(
                self.owner, self.name, number, per_page=PER_PAGE, page=count, headers=self._headers
            )

        found = self._pages("reading the pull request's files", page)
        patches = ((_text(one, "filename"), one.get("patch")) for one in found)
        return {path: patch if isinstance(patch, str) else None for path, patch in patches}

    def comments(self, number: int, since: str = "") -> list[str]:
        """The texts of the comments of a thread, oldest first."""
        when = _moment(since)

        def page(count: int) -> Any:
            about = (self.owner, self.name, number)
            if when is None:
                return self.github.rest.issues.list_comments(
                    *about, per_page=PER_PAGE, page=count, headers=self._headers
                )
            return self.github.rest.issues.list_comments(
                *about, since=when, per_page=PER_PAGE, page=count, headers=self._headers
            )

        return [_text(one, "body") for one in self._pages("reading the comments", page)]

    def reviews(self, number: int) -> list[str]:
        """The texts of the reviews of a pull request."""

        def page(count: int) -> Any:
            return self.github.rest.pulls.list_reviews(
                self.owner, self.name, number, per_page=PER_PAGE, page=count, headers=self._headers
            )

        return [_text(one, "body") for one in self._pages("reading the reviews", page)]

    # What is posted

    def comment(self, number: int, body: str) -> Posted:
        """One more comment; never twice, even if GitHub did it and failed to say so."""

        def ask() -> Any:
            return self.github.rest.issues.create_comment(
                self.owner, self.name, number, body=body, headers=self._headers
            )

        found = self._ask("writing a comment", ask, is_done=lambda: _is_there(body, self.comments(number)))
        return Posted(id=_number(found, "id"), url=_text(found, "html_url"))

    def review(self, number: int, commit: str, body: str, comments: Sequence[LineComment]) -> Posted:
        """A review with comments on lines."""

        def ask() -> Any:
            return self.github.rest.pulls.create_review(
                self.owner,
                self.name,
                number,
                commit_id=commit,
                event="COMMENT",
                body=body,
                comments=[one.document() for one in comments],
                headers=self._headers,
            )

        found = self._ask("writing a review", ask, is_done=lambda: _is_there(body, self.reviews(number)))
        return Posted(id=_number(found, "id"), url=_text(found, "html_url"))

    def react(self, comment: int, sign: Sign) -> None:
        """A small sign at a comment, or with a negative number at one of a review; twice the same is one."""

        def ask() -> Any:
            about = (self.owner, self.name, abs(comment))
            reactions = self.github.rest.reactions
            if comment < 0:
                return reactions.create_for_pull_request_review_comment(
                    *about, content=sign, headers=self._headers
                )
            return reactions.create_for_issue_comment(*about, content=sign, headers=self._headers)

        self._ask("answering with a sign", ask)

    def pause(self) -> None:
        """To be called between two things that are posted."""
        self.sleep(PAUSE_SECONDS)

    # How it is asked

    def _pages(self, what: str, page: Callable[[int], Any]) -> Iterator[Mapping[str, Any]]:
        for count in range(1, MOST_PAGES + 1):
            found = self._ask(what, lambda count=count: page(count))  # type: ignore[misc]
            every = found if isinstance(found, list) else []
            yield from (one for one in every if isinstance(one, dict))
            if len(every) < PER_PAGE:
                return

    def _ask(self, what: str, ask: Callable[[], Any], is_done: Callable[[], bool] | None = None) -> Any:
        """The answer. `is_done` finds out whether something was done although the answer got lost."""
        from githubkit.exception import GitHubException, RequestError, RequestFailed, RequestTimeout

        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = ask()
            except RequestFailed as error:
                self._note(error.response.headers)
                said = _said(error)
                wait = _wait(error.response.status_code, error.response.headers, attempt, said)
                failure = _failure(what, error.response.status_code, said)
                unsure = error.response.status_code >= 500
            except (RequestTimeout, RequestError) as error:
                wait, unsure = FIRST_WAIT_SECONDS * 2 ** (attempt - 1), True
                failure = ForgeFailed(
                    f"{what} failed: GitHub could not be reached ({type(error.__cause__ or error).__name__})",
                    hint="check the network and the address of the API",
                )
            except GitHubException as error:
                raise ForgeFailed(f"{what} failed: {visible(str(error))[:LONGEST_MESSAGE]}") from error
            else:
                self._note(answer.headers)
                if answer.status_code >= 300:
                    # Elsewhere it may be somebody else's: a token is not taken there.
                    raise _failure(what, answer.status_code, "")
                return answer.json() if answer.status_code != 204 else {}
            if wait is None or wait > LONGEST_WAIT_SECONDS or attempt == ATTEMPTS:
                raise failure
            self.say(f"{failure}; trying again in {wait:.0f} s ({attempt} of {ATTEMPTS - 1})")
            self.sleep(wait)
            if unsure and is_done is not None and is_done():
                return {}
        raise AssertionError("the last attempt either answers or fails")

    def _note(self, headers: Mapping[str, str]) -> None:
        self.clock = _clock(headers.get("date", "")) or self.clock
        said = headers.get("x-oauth-scopes", "")
        self.scopes = frozenset(one.strip() for one in said.split(",") if one.strip())

    def wide_scopes(self) -> list[str]:
        """What the token may do that is not needed here, as far as GitHub says."""
        return sorted(self.scopes - NEEDED_SCOPES)


def _wait(status: int, headers: Mapping[str, str], attempt: int, said: str) -> float | None:
    """How long to wait before asking again; None if asking again is of no use."""
    backoff = FIRST_WAIT_SECONDS * 2 ** (attempt - 1)
    if status in (403, 429):
        after = headers.get("retry-after", "")
        if after.isdecimal():
            return max(float(after), 0.0)
        reset = headers.get("x-ratelimit-reset", "")
        if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
            return max(int(reset) - datetime.now(UTC).timestamp(), 0.0) + 1
        if "secondary rate limit" in said.lower():
            return SECONDARY_WAIT_SECONDS * attempt
        return backoff if status == 429 else None
    return backoff if status >= 500 else None


def _failure(what: str, status: int, said: str) -> ForgeFailed:
    hints = {
        401: "the token is not valid (any more)",
        403: "the token may not do this, or GitHub asks to slow down",
        404: "it does not exist, or the token may not see it",
        301: "the repository has moved: name it as it is called now",
        307: "the repository has moved: name it as it is called now",
        422: "GitHub does not take it like this",
    }
    error = ForgeFailed(f"{what} failed: GitHub answered {status} {said}".strip(), hint=hints.get(status, ""))
    error.status = status
    return error


def _said(error: Any) -> str:
    try:
        document = error.response.json()
        words = [str(document.get("message", ""))]
        words += [
            str(one.get("message", "") if isinstance(one, dict) else one)
            for one in document.get("errors", [])
        ]
    except (ValueError, AttributeError, TypeError):
        return ""
    return visible(" ".join(word for word in words if word))[:LONGEST_MESSAGE]


def _is_there(body: str, texts: Sequence[str]) -> bool:
    """Whether a text of ours, known by its first line, is among others."""
    return any(text.partition("\n")[0].strip() == body.partition("\n")[0].strip() for text in texts)


def _clock(date: str) -> str:
    """The time of an answer, as the API writes times; empty if it cannot be read."""
    try:
        return parsedate_to_datetime(date).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, TypeError, OverflowError):
        return ""


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


def _text(found: Any, name: str) -> str:
    value = found.get(name) if isinstance(found, Mapping) else None
    return value if isinstance(value, str) else ""


def _number(found: Any, name: str) -> int:
    value = found.get(name) if isinstance(found, Mapping) else None
    return value if isinstance(value, int) else 0


def _mapping(found: Any, name: str) -> Mapping[str, Any]:
    value = found.get(name) if isinstance(found, Mapping) else None
    return value if isinstance(value, Mapping) else {}
