"""Names of pieces that stay valid however often their text is split."""

from typing import Literal, NamedTuple

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


class PieceAnswer(NamedTuple):
    """A piece and the answer it gets; None: it is answered, but its state stays (to imagine a decision)."""

    piece: Piece
    answer: Answer | None
