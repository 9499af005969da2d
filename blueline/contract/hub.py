"""What a hub and the machines that joined it say to each other, and to whoever starts them."""

from typing import NotRequired, TypedDict


class CopyDocument(TypedDict):
    """How far the hub's copy of a journal is."""

    copy: int
    """Which copy: a journal that was cut or put back gets another."""
    length: int
    last_start: int
    """Where the last whole frame starts."""
    last_header: str
    """Its header, which holds its checksum, in hexadecimal digits."""


class JoinedDocument(TypedDict):
    """A machine was let in."""

    project: str


class MissingDocument(TypedDict):
    """Contents that the hub has not."""

    missing: list[str]


class ServingDocument(TypedDict):
    """What `hub serve` says once the hub listens."""

    address: str
    port: int


class InvitationDocument(TypedDict):
    """Lets one machine in, once."""

    invitation: str


class HubDocument(TypedDict):
    """The hub that a project belongs to."""

    url: str
    project: str


class SyncDocument(TypedDict):
    """What was sent to the hub, or would be."""

    url: str
    records: int
    bytes: int
    blobs: int
    withheld: list[str]
    """Files whose content never leaves this machine."""
    dry_run: bool
    missing: NotRequired[int]
    """Contents that are not stored here either."""


class RestoredDocument(TypedDict):
    """A project that goes on in another folder."""

    root: str
    project: str
    records: int
    files: list[str]
    """Those that were written."""
    left: list[str]
    """Those that were there and are not as they were agreed on: they stayed as they are."""
