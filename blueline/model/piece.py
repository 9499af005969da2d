"""Names of pieces that stay valid however often their text is split."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from blueline.model.answer import Answer

Kind = Literal["insert", "delete", "node", "mode", "path"]


class Piece(NamedTuple):
    """A stretch of an insertion or deletion, or one setting of a file.

    Characters are named by the operation that inserted them and their place in the text it inserted, so
    `target`, `start` and `end` mean the same for ever. For settings the three are 0.
    """

    kind: Kind
    op: int
    target: int = 0
    start: int = 0
    end: int = 0


def is_within(piece: Piece, other: Piece) -> bool:
    """Whether all characters of a piece are another's, too."""
    return piece[:3] == other[:3] and other.start <= piece.start and piece.end <= other.end


def both(piece: Piece, other: Piece) -> list[Piece]:
    """What two pieces have in common, as one piece; none if it is nothing."""
    start, end = max(piece.start, other.start), min(piece.end, other.end)
    if piece[:3] != other[:3] or (start >= end and piece != other):
        return []
    return [piece._replace(start=start, end=end)]


class Passed(NamedTuple):
    """Pieces that have become part of another hunk, which builds on the one they came with (rule B2)."""

    op: int
    """The operation of that hunk."""
    hunk: int
    """Which of its hunks, from 0."""
    answered: tuple[int, ...]
    """The decisions that had answered that hunk: now they count as having answered these pieces, too."""
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, values: Iterable[Any]) -> "Passed":
        """From plain values, as they are stored."""
        op, hunk, answered, pieces = values
        return cls(op, hunk, tuple(answered), tuple(Piece(*piece) for piece in pieces))


class PieceAnswer(NamedTuple):
    """A piece and the answer it gets; None: it is answered, but its state stays (to imagine a decision)."""

    piece: Piece
    answer: Answer | None
