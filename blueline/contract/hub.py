"""What a hub and the machines that joined it say to each other, and to whoever starts them."""

from typing import Any, Literal, NotRequired, TypedDict

from blueline.model.dependents import Dependents

RequestVerb = Literal["accept", "reject", "undo"]
RequestState = Literal["waiting", "done", "refused", "expired"]


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
    """Lets one machine or one browser in, once."""

    invitation: str
    link: NotRequired[str]
    """For a person: what to open."""


class HubDocument(TypedDict):
    """The hub that a project belongs to."""

    url: str
    project: str


class RestoredDocument(TypedDict):
    """A project that goes on in another folder."""

    root: str
    project: str
    records: int
    files: list[str]
    """Those that were written."""
    left: list[str]
    """Those that were there and are not as they were agreed on: they stayed as they are."""


class PartDocument(TypedDict):
    """Some lines of a hunk."""

    digest: str
    """Of what was shown of the whole hunk."""
    first: int
    """From one, among the hunk's own lines in the file as it was shown; zero for the whole hunk."""
    last: int


class WishDocument(TypedDict):
    """What somebody at a hub decided."""

    verb: RequestVerb
    hunks: dict[str, str]
    """The hunks that it is about, each with the digest of what was shown."""
    parts: NotRequired[dict[str, PartDocument]]
    """Instead of `hunks`, where it is about some lines: all that it is about. A machine that does not know
    parts then finds no hunks, and refuses."""
    decision: str
    """With `undo`: the decision that is taken back; else empty."""
    dependents: Dependents
    reason: str


class RequestDocument(WishDocument):
    """A decision made at a hub, which waits for the project's machine to carry it out."""

    number: int
    """Counts up in a project."""
    id: str
    by: str
    """The person's name at the hub."""
    at: str


class RequestsDocument(TypedDict):
    """What waits for a machine."""

    requests: list[RequestDocument]


class OutcomeDocument(TypedDict):
    """What became of a request."""

    state: Literal["done", "refused"]
    decision: str | None
    """The decision that carried it out; null if there was nothing left to do."""
    error: str
    """Why it was refused."""
    hint: str


class MeDocument(TypedDict):
    """Whose browser it is, and what they may do."""

    person: int
    name: str
    role: str | None
    """In the project that was asked about, else in all of them; null if that was given for single ones."""


class BrowserEntry(TypedDict):
    """A browser that somebody is signed in with."""

    id: str
    about: str
    """What kind it is, as far as it said; empty if not."""
    since: str
    expires: str
    here: bool
    """It is the one that asks."""


class BrowsersDocument(TypedDict):
    """Those of somebody, the latest first."""

    browsers: list[BrowserEntry]


class WaitingWish(TypedDict):
    """A decision that waits for the machine."""

    verb: RequestVerb
    by: str
    at: str
    hunks: list[str]


class RefusedWish(TypedDict):
    """What the machine refused last, or was not there to carry out."""

    number: int
    state: Literal["refused", "expired"]
    verb: RequestVerb
    by: str
    error: str
    hint: str


class AskedDocument(TypedDict):
    """What people asked of a project's machine, as it stands now, and who looks at the project."""

    machine: str
    away: str
    """Since when it has not been heard from; empty while it is there."""
    waiting: list[WaitingWish]
    refused: RefusedWish | None
    """Refused or expired, if nothing was done since."""
    looking: list[str]


class PersonRole(TypedDict):
    """Somebody and what they may do in a project."""

    person: int
    name: str
    role: str
    """reader, reviewer or owner."""
    everywhere: bool
    """It was given for all projects of the hub."""
    browsers: int
    """How many they are signed in with."""
    invited: str | None
    """Until when a link that they have not opened yet is good."""


class PeopleDocument(TypedDict):
    """The people of a project."""

    people: list[PersonRole]


class KnownPerson(TypedDict):
    """Somebody whom the hub knows."""

    person: int
    name: str
    issuer: str
    """Who vouches for them; empty for who came by an invitation alone."""
    roles: dict[str, str]
    """By project; `*` stands for all of them."""
    browsers: int


class EverybodyDocument(TypedDict):
    """All whom a hub knows."""

    people: list[KnownPerson]


class SignedOutDocument(TypedDict):
    """Somebody is a stranger again, in every browser."""

    person: int
    browsers: int


class MachineEntry(TypedDict):
    """A machine that was let in."""

    id: str
    machine: str
    joined: str
    heard: str | None
    """When it was last heard from; null for one that is not good any more."""
    expires: str
    ended: str | None
    """Since when it is not good any more: taken over, or sent away."""


class MachinesDocument(TypedDict):
    """The machines of a project, the latest first. One at most is good."""

    machines: list[MachineEntry]


class AuditEntry(TypedDict):
    """Something that somebody did, and that stays written down."""

    number: int
    at: str
    who: str
    what: str
    about: dict[str, Any]


class AuditDocument(TypedDict):
    """What was done in a project, the latest first."""

    entries: list[AuditEntry]


class CarriedDocument(TypedDict):
    """A request and what this machine made of it."""

    request: RequestDocument
    outcome: OutcomeDocument


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
    requests: list[CarriedDocument]
    """What people had asked for at the hub, and what became of it."""
