"""Files that went through random steps."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from hypothesis import strategies as st

from blueline.model.answer import ACCEPTED, PENDING, Answer
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.file import File, new_file
from blueline.review.intake.formatters import kept_lines
from blueline.review.intake.operation_edits import fitted_edits
from blueline.review.medium.choice import TEXT
from blueline.review.setting import Node
from blueline.review.weave.stroke import Stroke
from tests.support.texts import TEXTS


class Decide(NamedTuple):
    """An answer about every piece whose number divides evenly."""

    answer: Answer
    divisor: int


STEPS = st.lists(
    TEXTS | st.builds(Decide, st.sampled_from(("accepted", "rejected", "pending")), st.integers(1, 4)),
    max_size=8,
)


def start(text: str) -> File:
    return new_file(1, "a.md", Node("text", 0), text, 0o644, "")


def edited(file: File, op: int, text: str, first: Answer = PENDING) -> tuple[File, Stroke | None]:
    kept = partial(kept_lines, file, text, TEXT)
    edits = fitted_edits(file, text, [], op=op, first=first, kept=kept)
    assert edits is not None, "no edits lead to this text"
    stroke = Stroke(op, first, edits, tuple(text[edit.new_start : edit.new_end] for edit in edits))
    return (file.edited(stroke), stroke) if edits else (file, None)


def answered(file: File, decide: Decide, decision: int) -> File:
    pieces = [piece for number, (piece, _) in enumerate(text_pieces(file)) if number % decide.divisor == 0]
    return file.answered([PieceAnswer(piece, decide.answer) for piece in pieces], decision)


def text_pieces(file: File) -> list[tuple[Piece, Answer]]:
    return [(piece, mark.state) for piece, mark in file.weaves[0].pieces() if mark.op]


def walked(before: str, steps: list[str | Decide]) -> tuple[File, list[Stroke]]:
    """The file after these steps, people and agents taking turns."""
    file, strokes = start(before), []
    for number, step in enumerate(steps, 1):
        if isinstance(step, str):
            file, stroke = edited(file, number, step, ACCEPTED if number % 2 else PENDING)
            strokes += [stroke] if stroke else []
            assert file.live.text == step
        else:
            file = answered(file, step, number)
    return file, strokes


def states(file: File) -> tuple[tuple[str, int, int, int, Answer], ...]:
    """The state of every character: answers split runs, which is no difference."""
    found = []
    for piece, mark in file.weaves[0].pieces():
        found += [
            (piece.kind, piece.op, piece.target, at, mark.state) for at in range(piece.start, piece.end)
        ]
    return tuple(sorted(found))
