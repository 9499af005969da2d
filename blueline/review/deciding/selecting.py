"""Which pieces a place in a text means."""

from collections.abc import Iterator

from blueline.model.mark import PENDING, UNDECIDED, Mark, Segment
from blueline.model.piece import Piece
from blueline.review.file import File
from blueline.review.weave.weave import Run, Shown


def undecided_pieces(file: File, ops: set[int] | None = None) -> list[Piece]:
    """Everything still undecided in a file, or in some of its operations: also what does not show."""
    return [
        piece for piece, mark in file.pieces() if mark.state in UNDECIDED and (ops is None or mark.op in ops)
    ]


def pieces_on_lines(file: File, first: int, last: int) -> list[Piece]:
    """What is pending on the lines first to last of the file as it is (from zero, both included)."""
    text = file.live.text
    if text is None:
        return []
    start = _line_start(text, first)
    return pieces_between(file, start, _line_start(text, last + 1)) if start is not None else []


def _line_start(text: str, line: int) -> int | None:
    at = 0
    for _ in range(line):
        found = text.find("\n", at)
        if found < 0:
            return None if at == len(text) else len(text)
        at = found + 1
    return at


def pieces_between(file: File, start: int, end: int | None) -> list[Piece]:
    """What is pending in characters start:end of the file as it is, and never what a person typed.

    Inserted text counts where it stands; a deletion with the first line of what replaced it; a bare deletion
    as standing on the line before it.
    """
    node = file.live.node
    if not node.is_woven:
        return []
    weave = file.weaves[int(node.value)]
    shown = weave.live
    end = len(shown.text) if end is None else end
    found = list(_inserted(weave.runs, shown, start, end))
    replaced = _first_shown(weave.runs, shown)
    for number, run in enumerate(weave.runs):
        for piece, mark in run.marks():
            if piece.kind == "delete" and mark.state == PENDING:
                place = replaced.get(mark.segment)
                at = _place_of_bare(shown, number, mark) if place is None else place
                if start <= at < end or (at == start == end == 0):
                    found.append(piece)
    return found


def _inserted(runs: tuple[Run, ...], shown: Shown, start: int, end: int) -> Iterator[Piece]:
    for (number, low, high), at in zip(shown.spans, shown.starts, strict=False):
        run = runs[number]
        if run.insertion.state != PENDING:
            continue
        first, last = max(start, at), min(end, at + high - low)
        if first < last:
            own = run.insertion.op
            offset = run.start + low - at
            yield Piece("insert", own, own, offset + first, offset + last)


def _first_shown(runs: tuple[Run, ...], shown: Shown) -> dict[Segment, int]:
    """For each insertion that shows, where its first character stands."""
    found: dict[Segment, int] = {}
    for (number, _, _), at in zip(shown.spans, shown.starts, strict=False):
        mark = runs[number].insertion
        found.setdefault(mark.segment, at)
    return found


def _place_of_bare(shown: Shown, number: int, mark: Mark) -> int:
    at = shown.before_run[number]
    return max(at - 1, 0) if mark.whole or at == len(shown.text) else at
