"""Suggestions on a code host: what was offered there, and what became of it."""

from typing import NotRequired, TypedDict


class SuggestedHunk(TypedDict):
    """Lines that a suggestion replaces."""

    old_start: int
    """From one."""
    old_lines: int
    new_start: int
    new_lines: int
    old: str
    new: str


class SuggestionDocument(TypedDict):
    """A change that is offered under a number, and why."""

    number: int
    """By which people on the host name it."""
    path: str
    old_path: str
    action: str
    """create, modify, delete or rename."""
    old: str | None
    """The whole text before; null if there is none."""
    new: str | None
    hunks: list[SuggestedHunk]
    rationale: str
    risk: str
    """low, medium, high or critical."""
    reasons: list[str]
    """Why the risk is what it is."""
    status: str
    """pending, applied, rejected or outdated."""
    of: list[str]
    """The hunks that it was made from."""


class LeftOutDocument(TypedDict):
    """A change that was not offered."""

    path: str
    why: str


class SkippedSuggestion(LeftOutDocument):
    """A suggestion that was not committed."""

    number: int


class LineCommentDocument(TypedDict):
    """A comment on lines of a pull request, as GitHub takes it."""

    path: str
    line: int
    """The last one."""
    side: str
    body: str
    start_line: NotRequired[int]
    """The first one, if there are several."""
    start_side: NotRequired[str]


class SettledHere(TypedDict, total=False):
    """What became of the files here. Nothing, of a preview."""

    taken_back: list[str]
    """Files that were written: what is only offered goes back."""
    kept: list[str]
    """Hunks that were accepted: they are committed."""
    problems: list[str]
    branch: str
    """moved, or behind."""


class SuggestedDocument(TypedDict):
    """The answer to `suggest`."""

    mode: str
    """suggest-only, suggest-and-commit, commit-only or hybrid."""
    thread: int | None
    """The number of the issue or the pull request; null of a preview without one."""
    branch: str
    head: str
    suggestions: list[SuggestionDocument]
    committed: list[int]
    """Numbers of suggestions."""
    commit: str | None
    left: list[LeftOutDocument]
    skipped: list[SkippedSuggestion]
    urls: list[str]
    texts: list[str]
    """Of a preview: what would be said."""
    comments: list[LineCommentDocument]
    problem: str
    here: SettledHere
    repository: str
    dry_run: bool


class HandledDocument(TypedDict):
    """The answer to `apply`: what a comment came to."""

    outcome: str
    """done, nothing, refused, failed, ignored, again, …"""
    answer: str
    """What was said in the thread."""
    commit: str | None


class EventDocument(HandledDocument):
    """The answer to `forge handle-event`."""

    handed_on: int
    """How many words of people the agents here will hear."""


class SuggestionStanding(TypedDict):
    """What became of a suggestion."""

    number: int
    path: str
    status: str
    by: str
    why: str


class FeedbackDocument(TypedDict):
    """What somebody said to suggestions."""

    by: str
    verdict: str
    """feedback, rejected or applied."""
    numbers: list[int]
    text: str


class ThreadDocument(TypedDict):
    """An issue or a pull request with suggestions."""

    thread: int
    branch: str
    suggestions: list[SuggestionStanding]
    feedback: list[FeedbackDocument]


class FetchedDocument(TypedDict):
    """The answer to `forge fetch`."""

    handed_on: int
    """How many words of people the agents here will hear."""
    threads: list[ThreadDocument]


class ListeningDocument(TypedDict):
    """Where `forge serve` listens, and for which repository."""

    url: str
    repository: str
