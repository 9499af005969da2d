"""A hunk, as much of it as each place shows."""

from typing import Annotated, Literal, NotRequired, TypedDict

from blueline.contract.actors import ActorDocument
from blueline.contract.cells import HunkCellDocument
from blueline.contract.groups import HunkStatus
from blueline.contract.turns import CallAboutDocument, CallDocument, TurnDocument

MovedFrom = TypedDict(
    "MovedFrom", {"from": NotRequired[Annotated[str, "Of a rename: where the file was before."]]}
)
"""Where a file that was renamed came from."""


class HunkFields(MovedFrom):
    """What every hunk says of itself, wherever it is shown."""

    id: str
    path: str
    status: HunkStatus
    turn: str | None
    subagent: str | None
    """The sub-agent whose call it was; null for what the agent itself did."""
    call: str | None
    tool: str | None
    """The agent's name for what it called."""
    actor: ActorDocument
    """Who did it. `external` was found on disk, in no tool call: your editor, or a program of yours.
    `shared`: several calls may have done it."""
    old_start: int
    """The first of its lines in the baseline, from one; for an empty side, the line before."""
    old_lines: int
    new_start: int
    """The same, in the file as it is."""
    new_lines: int
    builds_on: list[str]
    """Undecided hunks that it stands on: reject those, and it is asked about."""
    built_on_by: list[str]
    complete: bool
    """False if Blueline could not look: the bytes before it are not known."""
    at: str
    held: bool
    """A proposal, which is not in the file; `new` is what it would be."""
    shared_with: list[str]
    """Other calls that may have made it. `c…` and `t…` of each of them select it."""
    modified: bool
    """A person typed into it, or took away from it."""
    endings: bool
    """Nothing but line ends changed."""
    again: str | None
    """A hunk with the same change that was rejected before."""
    committed: str | None
    """The commit in which a person has it as it stands in the file. It stays undecided."""
    queued: str | None
    """The decision about it that waits for the end of a call."""
    cell: NotRequired[HunkCellDocument | None]
    """In a notebook: the cell it is in; null for the notebook itself."""
    place: NotRequired[int]
    """In a notebook: the line by which it is listed."""
    as_text: NotRequired[str]
    """Why a notebook is shown as text."""
    same: NotRequired[str]
    """A word for what it exchanges: the same change in other places has the same word."""


class HunkSummary(HunkFields):
    """A hunk without its text."""

    kind: str
    """What it does to the file: modify, create, delete, rename, mode, symlink, binary, cell-edit, …"""


class HunkTexts(TypedDict):
    """The whole lines that a hunk is about."""

    old: str | None
    """In the baseline; null for what is not text. Two hunks on one line both show it."""
    new: str | None
    """As they are now. An empty folder comes or goes without lines."""


class HunkDocument(HunkSummary, HunkTexts):
    """A hunk, in `list`."""


class HunkEntry(HunkSummary):
    """A hunk in the overview of a project."""

    digest: str
    """Another one when anything of what is shown of it has changed."""


class FileHunkDocument(HunkDocument):
    """A hunk on the page of its file."""

    digest: str
    """Another one when anything of what is shown of it has changed."""
    decisions: list[str]
    """The standing decisions about it."""


class HunkShown(HunkFields, HunkTexts):
    """`show` of a hunk."""

    kind: Literal["hunk"]
    change: str
    """What it does to the file: elsewhere, its `kind`."""
    prompt: str | None
    """What the person had asked the agent for."""
    about: CallAboutDocument
    """What is known of its call."""
    decisions: list[str]
    """The standing decisions about it."""


class PendingTurn(TurnDocument):
    """A turn with what is undecided of it."""

    pending: list[HunkDocument]


class RelatedCall(CallDocument):
    """Another call that had to do with the same lines."""

    hunks: list[str]


class WhyDocument(HunkShown):
    """A hunk with why it is there."""

    digest: str
    """Another one when anything of what is shown of it has changed."""
    command: str | None
    """Of a shell call."""
    agreed: list[int]
    """Of a new file: the lines of `new` that are nobody's question, such as those that a person typed."""
    above: list[str]
    """A few lines of the file that stand before it, without their ends; none unless it is pending."""
    below: list[str]
    """A few that stand after it."""
    related: list[RelatedCall]
