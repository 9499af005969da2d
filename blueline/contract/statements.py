"""The gate's answer, signed: an in-toto statement in a DSSE envelope, and what is said of it."""

from typing import NotRequired, TypedDict

from blueline.contract.gate import DecidedDocument, LoopState, OverrideDocument


class StatementDigest(TypedDict):
    """What a statement is about, as git names it."""

    gitTree: str
    gitCommit: NotRequired[str]


class StatementSubject(TypedDict):
    """What a statement is about."""

    name: str
    digest: StatementDigest


class StatementLoop(TypedDict):
    """A loop in a signed statement."""

    loop: int
    passed: bool
    state: LoopState
    at: str | None
    by: str | None
    skip: str
    """Why it was not asked for; empty if it was."""
    commands: list[str]
    """Those that were run and passed."""
    reported: bool
    """Whether somebody looked, and said that it passed."""


class StatementPredicate(TypedDict):
    """What is said of it."""

    open: bool
    config: str
    """The digest of the loops as they were configured."""
    loops: list[StatementLoop]
    override: OverrideDocument | None
    passed_over: list[str]
    """Codes of what spoke against it."""
    decided: list[DecidedDocument]
    """Who decided how much, and in which files."""
    by: str
    """Who says so."""


class StatementDocument(TypedDict):
    """The gate's answer about one tree, as in-toto has it: this is what is signed."""

    _type: str
    subject: list[StatementSubject]
    predicateType: str
    predicate: StatementPredicate


class SignatureDocument(TypedDict):
    """A signature in an envelope."""

    keyid: str
    sig: str


class SignedDocument(TypedDict):
    """The answer to `gate sign`."""

    ref: str
    """Where the signed statement is kept."""
    tree: str
    commit: str


class SignerDocument(TypedDict):
    """Who signed, by the file of allowed signers, and with which key."""

    name: str
    key: str


class VerifiedDocument(TypedDict):
    """The answer to `gate verify`."""

    open: bool
    commit: str
    tree: str
    signers: list[SignerDocument]
    override: OverrideDocument | None
    loops: list[StatementLoop]
    base: str
    """The commit whose loops it was judged by."""
    unmet: list[str]
    """What these ask for and was not done: an override passed over it."""
    decided: list[DecidedDocument]
