"""What of a selection that is to go back somebody has corrected, and what becomes of that (rule D1)."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import chain, zip_longest

from blueline.diff.edits import split_lines
from blueline.model.answer import IN_EFFECT, PENDING, REJECTED
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.deciding.hunks import Hunk, overlap
from blueline.review.deciding.selected_pieces import pieces_between
from blueline.review.deciding.sides import TextLines, whole_lines
from blueline.review.file import File
from blueline.review.weave.corrections import Correction
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import IMAGINED, LineEnd, Run, Weave


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedLine:
    """A line that somebody corrected: as it is, and what stood in its place; None if nothing did."""

    line: int
    now: str
    before: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """What corrects a selection. `file` is how things stand when that is looked at: see `corrected`."""

    file: File
    weave: int
    corrections: list[Correction]

    @property
    def pieces(self) -> list[Piece]:
        """The pieces of all corrections, in their order."""
        return [piece for one in self.corrections for piece in one.pieces]

    def lines_of(self, hunk: Hunk, dependents: Iterable[Hunk]) -> tuple[CorrectedLine, ...]:
        """The lines that show what corrects a hunk. Before it, nothing of its dependents stood there."""
        own = [one for one in self.corrections if _is_about(one, hunk)]
        weave = self.file.weaves[self.weave]
        going = chain(hunk.pieces, self.pieces, *(one.pieces for one in dependents))
        changes = [PieceAnswer(piece, REJECTED) for piece in going]
        now, before = TextLines(weave, live=True), TextLines(weave.answer(changes, IMAGINED), live=True)
        found: list[CorrectedLine] = []
        for lines, runs in _stretches(weave, now, own):
            place, texts = (min(runs), max(runs)), (before, now)
            old, new = (text.between(text.place(*place)) for text in texts)
            stood = (whole_lines(texts, place, (old, new))[0].text or "").splitlines()
            if len(stood) > len(lines):
                stood[len(lines) - 1 :] = ["\n".join(stood[len(lines) - 1 :])]
            found += [
                CorrectedLine(line=number + 1, now=now.line(number), before=text)
                for number, text in zip_longest(lines, stood)
            ]
        return tuple(sorted(found, key=lambda one: one.line))

    def kept(self) -> dict[Piece, list[Correction]]:
        """What of the selection is in the corrected lines and has to stay with them; and for which edits."""
        weave = self.file.weaves[self.weave]
        now = TextLines(weave, live=True)
        edits = [(one, now.lines_of(one.runs)) for one in self.corrections]
        found: dict[Piece, list[Correction]] = {}
        for number in {number for _, lines in edits for number in lines}:
            for piece in pieces_between(self.file, *now.bounds(number), self.corrections):
                # On this line, or by now on none.
                here = [
                    one
                    for one, lines in edits
                    if number in lines or (not lines and any(overlap(piece, other) for other in one.of))
                ]
                found.setdefault(piece, []).extend(here)
        counted = [(piece, mark) for piece, mark in weave.pieces() if _is_asked(mark)]
        segments = {kept: mark.segment for piece, mark in counted for kept in found if overlap(piece, kept)}
        # Lines stay one by one; of what is in a line, no part can stay alone.
        parts = {mark.segment for piece, mark in counted if piece.kind == "insert" and not mark.whole}
        parts -= {run.insertion.segment for run in weave.runs if "\n" in run.text}
        together: dict[Segment, list[Correction]] = {}
        for piece, segment in sorted(segments.items(), key=lambda item: item[0].start):
            if segment in parts:
                all_here = [*together.get(segment, ()), *found[piece]]
                together[segment] = sorted(all_here, key=lambda edit: edit.segment)
            elif piece.kind == "insert":  # what it replaced stays with the first line
                together.setdefault(segment, found[piece])
        stay = {
            piece: together.get(segment, found[piece])
            if piece.kind == "delete" or segment in parts
            else found[piece]
            for piece, segment in segments.items()
        }
        for piece, mark in counted:
            if mark.segment in parts and mark.segment in together:
                stay.setdefault(piece, together[mark.segment])
        return stay | self._taken_beside(stay)

    def _taken_beside(self, stay: Mapping[Piece, list[Correction]]) -> dict[Piece, list[Correction]]:
        """What else the corrections took away of lines that stay in part: the blanks between words, and the
        line end. Without these, the words would be a line that nobody wrote."""
        insertions = [(piece, edits) for piece, edits in stay.items() if piece.kind == "insert"]
        ops = {piece.op for piece, _ in insertions}
        lines = [
            (number, line, part)
            for number, run in enumerate(self.file.weaves[self.weave].runs)
            if run.insertion.op in ops and _is_asked(run.insertion)
            for line, part in _lines_of(run)
        ]
        gone = {number for one in self.corrections for number in one.gone}
        taken = [
            (line, part)
            for number, line, part in lines
            if number in gone and not any(overlap(part, piece) for piece, _ in insertions)
        ]
        about = {line for line, _ in taken}
        kept = {
            line: edits
            for _, line, part in lines
            if line in about
            for piece, edits in insertions
            if overlap(piece, part)
        }
        return {part: kept[line] for line, part in taken if line in kept}


def _lines_of(run: Run) -> Iterator[tuple[tuple[Segment, LineEnd | None], Piece]]:
    """An insertion, line by line; each with a name of the line as it was inserted."""
    own, start = run.insertion.op, run.start
    for text in split_lines(run.text):
        end = start + len(text)
        line_end = (own, end - 1) if text.endswith("\n") else run.line_end
        yield (run.insertion.segment, line_end), Piece("insert", own, own, start, end)
        start = end


def corrected(file: File, taken: Iterable[Hunk], by: Set[int] | None = None) -> Corrected | None:
    """What the operations `by`, or else people, did that corrects some hunks of the text that shows.

    If a selected hunk rewrote what corrects another, the later goes back first.
    """
    node = file.live.node
    going = [hunk for hunk in taken if hunk.state in IN_EFFECT and hunk.weave >= 0]
    if not node.is_woven or not going:
        return None
    if by is None:
        by = file.by_people
    later: set[int] = set()
    while by:
        asked = file.answered(
            [
                PieceAnswer(piece, REJECTED if piece.op in later else PENDING)
                for hunk in going
                for piece in hunk.pieces
            ],
            IMAGINED,
        )
        weave = asked.weaves[int(node.value)]
        found = asked.corrections_by(by, _is_asked)[int(node.value)]
        runs = [weave.runs[number] for one in found for number in one.runs]
        hiding = {mark.op for run in runs for mark in run.deletions if _is_asked(mark)}
        if not hiding:
            shows = any(run.live for run in runs)
            return Corrected(file=asked, weave=int(node.value), corrections=found) if shows else None
        later |= hiding
    return None


def _is_asked(mark: Mark) -> bool:
    return mark.state == PENDING and mark.touched_by(IMAGINED)


def _is_about(correction: Correction, hunk: Hunk) -> bool:
    return any(overlap(piece, one) for piece in hunk.pieces for one in correction.of)


def _stretches(
    weave: Weave, now: TextLines, corrections: list[Correction]
) -> list[tuple[list[int], set[int]]]:
    """Lines that stand for the same text, and the runs that this is about."""
    found: list[tuple[list[int], set[int]]] = []
    for one in corrections:
        lines = set(now.lines_of(one.runs))
        replaced = {weave.runs[number].insertion.segment for number in one.touched}
        runs = {*one.runs, *one.touched}
        runs |= {
            number
            for number, run in enumerate(weave.runs)
            if any(mark.segment in replaced for mark in run.deletions)
        }
        for other in [other for other in found if runs & other[1] or lines & {*other[0]}]:
            found.remove(other)
            lines, runs = lines | {*other[0]}, runs | other[1]
        found.append((sorted(lines), runs))
    return [(lines, runs) for lines, runs in found if lines]
