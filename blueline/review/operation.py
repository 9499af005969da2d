"""An operation that was done to a file, and the steps and decisions that came of it."""

from typing import Literal, NamedTuple

from blueline.model.actor import Actor
from blueline.model.answer import ACCEPTED, PENDING, Answer
from blueline.model.piece import Kind, Piece

BASE = 0
"""The number, in every file, of the operation that stands for what was there when we first looked."""


class Operation(NamedTuple):
    """What is remembered of an operation once its text is in the weave."""

    number: int
    actor: Actor
    call: int | None
    at: str
    hunk: int
    """The number of its first hunk; the others follow."""
    hunks: int
    edits: tuple[int, ...]
    """For each edit of the text, its hunk, from 0; what formatters did to it comes after its own."""
    settings: tuple[tuple[Kind, int], ...]
    """Likewise for each setting."""
    complete: bool = True
    others: tuple[int, ...] = ()
    """Calls besides `call` that may have done it."""

    @property
    def first(self) -> Answer:
        """The answer that its pieces arrive with."""
        return first_answer(self.actor)


def first_answer(actor: Actor) -> Answer:
    """What people and their programs do is accepted as it arrives; the rest is asked about."""
    return ACCEPTED if actor.kind in ("person", "external") else PENDING


Join = tuple[int, tuple[tuple[int, Answer], ...]]
"""The operation that an edit joins, and the answers which what it joins has got."""

Joins = tuple[Join, ...]
"""For each edit, what it joins."""


class FileStep(NamedTuple):
    """Something that happened to a file: an operation, a formatter's pass over earlier ones, a decision, or
    one that fell or stood up again."""

    kind: Literal["op", "formatted", "decision", "fallen", "stands"]
    number: int
    content: str
    """The content that the file had afterwards, as a short key."""


class HunkPlace(NamedTuple):
    """The hunk that a piece is in, and the answers it got there. The greatest is the latest."""

    op: int
    hunk: int
    log: tuple[tuple[int, Answer], ...]


class Committed(NamedTuple):
    """Pieces that a commit has as they stood in the file then; without one, not any more."""

    commit: str
    op: int
    """The last operation before that."""
    pieces: tuple[Piece, ...]
