"""What a code host is for us: a few requests, and comments that people write there.

Everything that hosts do differently is behind `HostApi`, or is a fact of its `HostKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from blueline.errors import BluelineError
from blueline.hosts.api_client import Say, text_of

if TYPE_CHECKING:
    from blueline.contract.suggestions import LineCommentDocument

Sign = Literal["eyes", "rocket", "+1", "-1", "confused"]


class BadName(BluelineError):
    """Not the name of a repository or of a person."""


class BadEvent(BluelineError):
    """Not an event of this host."""


class ThreadName(NamedTuple):
    """An issue, or a pull request: some hosts count them apart."""

    number: int
    is_pull: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """What somebody may do, asked a moment ago."""

    level: Literal["write", "read", "none"]
    user: int
    """The account's number: a name can go to somebody else."""


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
    """Empty if it is gone, or nobody says."""
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


def repository_of(found: object, *, name: str, address: str) -> HostedRepository:
    """From an answer, by what the host calls a repository's name and its address."""
    return HostedRepository(
        full_name=text_of(found, name),
        default_branch=text_of(found, "default_branch"),
        clone_url=text_of(found, address),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPull:
    """A pull request that is to be opened."""

    title: str
    body: str
    branch: str
    base: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """One comment that somebody wrote."""

    repository: str
    number: int
    is_pull: bool
    id: int
    body: str
    login: str
    user: int
    """The account's number."""
    at: str
    path: str = ""
    """The file that it stands beside, in a review. On GitHub its number is negative then: these are counted
    apart."""

    @property
    def thread(self) -> ThreadName:
        return ThreadName(self.number, self.is_pull)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """An event that nothing is to be done about."""

    why: str


class LineReviews(Protocol):
    """A host on which a comment can stand beside lines, with a button that puts others in their place."""

    def button(self, lines: int) -> str:
        """The language of a block that gets a button, for a comment on so many lines."""

    def patches(self, number: int) -> dict[str, str | None]:
        """The diff of each file of a pull request; None where the host does not give one."""

    def review(self, number: int, commit: str, body: str, comments: Sequence[LineComment]) -> Posted:
        """Comments on lines of a pull request, and one about all of them."""


class HostApi(Protocol):
    """One repository on a host, for who holds a token."""

    @property
    def kind(self) -> HostKind: ...
    @property
    def repo(self) -> str: ...
    @property
    def clock(self) -> str:
        """What time it was for the host when it answered last."""

    @property
    def line_reviews(self) -> LineReviews | None:
        """None on a host without such buttons."""

    def repository(self) -> HostedRepository: ...
    def permission(self, login: str) -> Permission:
        """What somebody may do in this repository at this moment."""

    def thread(self, number: int) -> IssueThread:
        """The issue of that number; on hosts that count both together, it may be a pull request."""

    def pull(self, number: int) -> Pull: ...
    def comments(self, thread: ThreadName, since: str = "") -> list[str]:
        """The texts of the comments of a thread, oldest first."""

    def comment(self, thread: ThreadName, body: str) -> Posted:
        """One more comment; never twice, even if the host did it and failed to say so."""

    def react(self, comment: Comment, sign: Sign) -> None:
        """A small sign at a comment; twice the same is one."""

    def open_pull(self, wanted: NewPull) -> Posted | None:
        """Open a pull request; None if there is one for this branch."""

    def wide_scopes(self) -> list[str]:
        """What the token may do that is not needed here, as far as the host says."""

    def pause(self) -> None:
        """To be called between two things that are posted."""


class OpensApi(Protocol):
    def __call__(
        self, repo: str, token: str, url: str, say: Say = ..., sleep: Callable[[float], None] = ...
    ) -> HostApi: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookForm:
    """How a host tells that something has happened."""

    event: str
    """The header that names the kind of event."""
    deliveries: tuple[str, ...]
    """The headers of which the first one there names the delivery."""
    proof: str
    """The header that shows that the sender knows the secret."""
    is_genuine: Callable[[bytes, bytes, str], bool]
    """Whether the secret, the body and the proof belong together."""
    comment_of: Callable[[str, bytes], Comment | Ignored]
    """The comment that an event is about. Edits and programs are ignored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostKind:
    """What is the same for all hosts of a kind."""

    name: str
    label: str
    """For people."""
    api_path: str
    """How the address of its API ends."""
    known: Mapping[str, str]
    """The API of each host that everybody knows, by the host's name."""
    tokens: tuple[str, ...]
    """The variables that may hold a token, the first one first."""
    addresses: tuple[str, ...]
    """The variables that may hold the address of the API."""
    repositories: tuple[str, ...]
    """The variables that may name the repository."""
    pull_ref: str
    git_user: str
    """Who a token is for, when git is asked for a name."""
    needs: str
    """What a token has to be good for, in words."""
    counts_apart: bool = False
    """Whether issues and pull requests have numbers of their own."""
    webhook: WebhookForm
    opens: OpensApi = field(repr=False)

    def pull_head(self, number: int) -> str:
        return self.pull_ref.format(number=number)
