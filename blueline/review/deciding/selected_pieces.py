"""Which pieces a place in a text means."""

from collections.abc import Iterator

from blueline.model.answer import PENDING
from blueline.model.piece import Piece
from blueline.review.file import File
from blueline.review.weave.corrections import Correction
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import Run, Shown, Weave


def undecided_pieces(file: File, ops: set[int] | None = None) -> list[Piece]:
    """Everything still undecided in a file, or in some of its operations: also what does not show."""
    return [piece for piece, mark in file.undecided if ops is None or file.place_of(piece, mark).op in ops]


def are_all_undecided(file: File, pieces: list[Piece]) -> bool:
    """Whether these pieces are all that is undecided in a file. Mostly the first ones tell that they are
    not."""
    chosen, found = {*pieces}, 0
    for piece, _ in file.each_undecided():
        if piece not in chosen:
            return False
        found += 1
    return found == len(chosen)


def pieces_on_lines(file: File, first: int, last: int) -> list[Piece]:
    """What is pending on the lines first to last of the file as it is (from zero, both included)."""
    text = file.live.text
    if text is None:
        return []
    start = _line_start(text, first)
    if start is None:
        return []
    return pieces_between(file, *_with_split(file, start, _line_start(text, last + 1)))


def _with_split(file: File, start: int, end: int | None) -> tuple[int, int]:
    """The lines, with all of what formatting split, or put in, that they hold a part of (rule D2)."""
    node = file.live.node
    weave = file.weaves[int(node.value)]
    before = weave.live.before_run
    last = len(weave.live) if end is None else end
    ties = [
        _tied(weave, run.insertion.op, before[number], before[number + 1])
        for number, run in enumerate(weave.runs)
        if run.live and run.insertion.since and run.insertion.state == PENDING and "\n" in run.text
    ]
    for tie in (*ties, *reversed(ties)):
        if tie[0] < last and start < tie[1]:
            start, last = min(start, tie[0]), max(last, tie[1])
    return start, last


def _tied(weave: Weave, op: int, start: int, end: int) -> tuple[int, int]:
    """The lines that belong together because of a line end in them; blank lines with what they are for."""
    text = weave.live.text
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end) + 1 or len(text)
    if text[end - 1] != "\n":
        return first, last
    below = (weave.runs[run].insertion for (run, _, _), _ in weave.live.spans_between(end, last))
    if any(mark.op == op and mark.state == PENDING for mark in below):
        return first, last
    return text.rfind("\n", 0, max(first - 1, 0)) + 1, end


def is_decided_on_lines(file: File, first: int, last: int) -> bool:
    """Whether lines touch something that was decided: what an agent wrote there, or took away."""
    node = file.live.node
    start, end = (_line_start(file.live.text or "", line) for line in (first, last + 1))
    if not node.is_woven or start is None:
        return False
    weave = file.weaves[int(node.value)]
    here = weave.live.spans_between(start, len(weave.live) if end is None else end)
    runs = weave.runs[here[0][0][0] : here[-1][0][0] + 1] if here else ()
    marks = (mark for run in runs for mark in (run.insertion, *run.deletions))
    return any(mark.log and file.operations[mark.op].first == PENDING for mark in marks)


def _line_start(text: str, line: int) -> int | None:
    at = 0
    for _ in range(line):
        found = text.find("\n", at)
        if found < 0:
            return None if at == len(text) else len(text)
        at = found + 1
    return at


def pieces_between(
    file: File, start: int, end: int | None, corrections: list[Correction] | None = None
) -> list[Piece]:
    """What is pending in characters start:end of the file as it is, and never what a person typed.

    Inserted text counts where it stands, or what corrected it does; a deletion with the first line of what
    replaced it; a bare deletion as standing on the line before it.
    """
    node = file.live.node
    if not node.is_woven:
        return []
    weave = file.weaves[int(node.value)]
    shown = weave.live
    end = len(shown.text) if end is None else end
    found = list(_inserted(weave.runs, shown, start, end))
    replaced = _first_shown(weave.runs, shown)
    for one in file.corrections[int(node.value)] if corrections is None else corrections:
        at = next((shown.before_run[n] for n in one.runs if weave.runs[n].live), None)
        if at is not None:
            for number in one.touched:
                replaced.setdefault(weave.runs[number].insertion.segment, at)
            if start <= at < end:
                hidden = {run.start for n in one.touched if not (run := weave.runs[n]).live}
                found += [piece for piece in one.of if piece.kind == "delete" or piece.start in hidden]
    for number, run in enumerate(weave.runs):
        for piece, mark in run.marks():
            if piece.kind == "delete" and mark.state == PENDING:
                place = replaced.get(mark.segment)
                at = _place_of_bare(shown, number, mark) if place is None else place
                if start <= at < end or (at == start == end == 0):
                    found.append(piece)
    return list(dict.fromkeys(found))


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
