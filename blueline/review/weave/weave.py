"""All that ever stood in one text, who put it there, who took it away, and what shows of it.

Nothing is taken out of a weave but what folds (`folded_history`). The file as it is and the baseline are
read off it: to accept or reject is to change the state of pieces, never to patch text. Weaves are immutable;
each step gives a new one.
"""

import operator
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate, chain, pairwise, takewhile
from math import isqrt
from typing import NamedTuple

from blueline.model.answer import ACCEPTED, IN_EFFECT, REJECTED, UNDECIDED, Answer
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.weave.mark import Mark, Segment

LineEnd = tuple[int, int]
"""A line end, named as every character is: its operation, and its place in what that inserted."""


class Run:
    """A stretch of text: characters start:end of what one operation inserted."""

    __slots__ = ("agreed", "deletions", "end", "ends_line", "insertion", "line_end", "live", "start", "text")

    def __init__(
        self,
        text: str,
        start: int,
        insertion: Mark,
        deletions: tuple[Mark, ...] = (),
        line_end: LineEnd | None = None,
    ) -> None:
        self.text = text
        self.start = start
        self.end = start + len(text)
        self.ends_line = text[-1] == "\n"
        self.insertion = insertion
        self.deletions = deletions
        self.line_end = line_end
        """What ended the line that its last characters came onto; None at the end of a text without one."""
        live, agreed = insertion.state in IN_EFFECT, insertion.state == ACCEPTED
        for mark in deletions:
            live = live and mark.state not in IN_EFFECT
            agreed = agreed and mark.state != ACCEPTED
        self.live = live
        """It shows in the file as it is, line ends that are kept aside (see `_read`)."""
        self.agreed = agreed
        """It shows in the baseline, likewise."""

    def part(self, start: int, end: int) -> "Run":
        """Characters start:end of this run."""
        if start == 0 and end == len(self.text):
            return self
        cut = self.text.find("\n", end)
        line_end = self.line_end if cut < 0 else (self.insertion.op, self.start + cut)
        return Run(self.text[start:end], self.start + start, self.insertion, self.deletions, line_end)

    def marked(self, insertion: Mark, deletions: tuple[Mark, ...]) -> "Run":
        """The same text with other answers."""
        return Run(self.text, self.start, insertion, deletions, self.line_end)

    def keeps_line_end(self, *, live: bool) -> bool:
        """Whether its line end, hidden, still shows as long as something else on that line does.

        So it is when every reason for hiding it took or brought the line as a whole. Of what was rejected,
        what is still undecided about it counts as well: nobody agreed to a line end that is not in the file.
        """
        counts = IN_EFFECT if live or self.insertion.state == REJECTED else (ACCEPTED,)
        if self.insertion.state not in counts and not self.insertion.whole:
            return False
        return all(mark.whole for mark in self.deletions if mark.state in counts)

    def marks(self) -> list[tuple[Piece, Mark]]:
        """Its pieces with their marks: the insertion, then each deletion."""
        own = self.insertion.op
        found = [(Piece("insert", own, own, self.start, self.end), self.insertion)]
        for mark in self.deletions:
            found.append((Piece("delete", mark.op, own, self.start, self.end), mark))
        return found

    @property
    def is_open(self) -> bool:
        """Whether anything of it is undecided."""
        if self.insertion.state in UNDECIDED:
            return True
        return bool(self.deletions) and any(mark.state in UNDECIDED for mark in self.deletions)


_Hit = tuple[int, int, Answer | None]


Span = tuple[int, int, int]
"""Run number, start, end: those characters of the run show. A plain tuple, because there are many."""

BLOCK = 128
"""How many runs are read together at most; a step reads again only the blocks that it touched."""


class BlockReading(NamedTuple):
    """What shows of one block."""

    spans: list[Span]
    """Runs counted from the beginning of the block."""
    starts: list[int]
    """Where each begins in the text."""
    text: str
    line_ends: tuple[LineEnd, ...]
    """The line ends that text which shows after the last one came with."""


class Block:
    """Neighbouring runs, and what shows of them, remembered."""

    def __init__(self, runs: tuple[Run, ...]) -> None:
        self.runs = runs
        self._readings: dict[tuple[bool, tuple[LineEnd, ...]], BlockReading] = {}

    @cached_property
    def ops(self) -> set[int]:
        """Every operation that has to do with it."""
        found = {run.insertion.op for run in self.runs}
        found.update(mark.op for run in self.runs for mark in run.deletions)
        return found

    @cached_property
    def is_formatted(self) -> bool:
        """Whether a formatter did anything of it (rule D2)."""
        return any(run.insertion.since or any(mark.since for mark in run.deletions) for run in self.runs)

    @cached_property
    def reach(self) -> dict[int, tuple[int, int]]:
        """For each operation, the first and the last of what it inserted that stands here."""
        found: dict[int, tuple[int, int]] = {}
        for run in self.runs:
            low, high = found.get(run.insertion.op, (run.start, run.end))
            found[run.insertion.op] = min(low, run.start), max(high, run.end)
        return found

    def reading(self, *, live: bool, line_ends: tuple[LineEnd, ...]) -> BlockReading:
        """What shows; `line_ends` are those of the text that shows before it on its first line."""
        known = self._readings.get((live, line_ends))
        if known is None:
            known = self._readings[live, line_ends] = _read(self.runs, live=live, line_ends=line_ends)
        return known


def _read(runs: tuple[Run, ...], *, live: bool, line_ends: tuple[LineEnd, ...]) -> BlockReading:
    spans = []
    texts = []
    for number, run in enumerate(runs):
        text = run.text
        if run.live if live else run.agreed:
            spans.append((number, 0, len(text)))
            texts.append(text)
            if run.ends_line:
                line_ends = ()
            elif run.line_end is not None:
                line_ends = (run.line_end,) if "\n" in text else (*line_ends, run.line_end)
            continue
        end = text.find("\n")
        if end < 0:
            continue
        # Kept for text that came onto the line that it ended, and for no other.
        if (run.insertion.op, run.start + end) in line_ends and run.keeps_line_end(live=live):
            start = end - (end > 0 and text[end - 1] == "\r")
            spans.append((number, start, end + 1))
            texts.append(text[start : end + 1])
        line_ends = ()
    starts = [0, *accumulate([len(text) for text in texts])]
    return BlockReading(spans, starts, "".join(texts), line_ends)


def blocks_of(runs: tuple[Run, ...], of: int = 0) -> tuple[Block, ...]:
    """Runs, cut into blocks of about equal size, so that step after step leaves no small ones behind.

    `of` is how many runs there are in all, if these are some of them: of few, a step reads fewer again.
    """
    size = min(BLOCK, 2 * isqrt(max(of, len(runs))) + 1)
    count = max(1, len(runs) // size)
    edges = [len(runs) * number // count for number in range(count + 1)]
    return tuple(Block(runs[start:end]) for start, end in pairwise(edges) if start < end)


class Shown:
    """One reading of a weave: the text, and which runs it comes from."""

    def __init__(self, blocks: tuple[Block, ...], *, live: bool) -> None:
        self._first_runs = [0]
        self._offsets = [0]
        self._readings: list[BlockReading] = []
        line_ends: tuple[LineEnd, ...] = ()
        for block in blocks:
            reading = block.reading(live=live, line_ends=line_ends)
            line_ends = reading.line_ends
            self._readings.append(reading)
            self._first_runs.append(self._first_runs[-1] + len(block.runs))
            self._offsets.append(self._offsets[-1] + len(reading.text))

    @cached_property
    def text(self) -> str:
        return "".join([reading.text for reading in self._readings])

    def __len__(self) -> int:
        return self._offsets[-1]

    def span_at(self, offset: int) -> tuple[Span, int]:
        """The span that holds a character, with its place in the text."""
        block = bisect_right(self._offsets, offset) - 1
        at, reading = self._offsets[block], self._readings[block]
        one = bisect_right(reading.starts, offset - at) - 1
        run, start, end = reading.spans[one]
        return (self._first_runs[block] + run, start, end), at + reading.starts[one]

    def spans_from(self, offset: int) -> Iterator[tuple[Span, int]]:
        """The spans from the one that holds a character on, each with its place in the text."""
        number = bisect_right(self._offsets, offset) - 1
        for place in range(number, len(self._readings)):
            at, first, reading = self._offsets[place], self._first_runs[place], self._readings[place]
            for one in range(max(bisect_right(reading.starts, offset - at) - 1, 0), len(reading.spans)):
                run, start, end = reading.spans[one]
                yield (first + run, start, end), at + reading.starts[one]

    def spans_between(self, start: int, end: int) -> list[tuple[Span, int]]:
        """The spans that hold characters start:end, each with its place in the text."""
        found = []
        for span, at in self.spans_from(start):
            if at >= end:
                break
            found.append((span, at))
        return found

    @cached_property
    def spans(self) -> list[Span]:
        """All spans in order."""
        return [
            (first + run, start, end)
            for reading, first in zip(self._readings, self._first_runs, strict=False)
            for run, start, end in reading.spans
        ]

    @cached_property
    def starts(self) -> list[int]:
        """Where each span begins in the text, and last the length of the text."""
        return list(accumulate([end - start for _, start, end in self.spans], initial=0))

    @cached_property
    def before_run(self) -> list[int]:
        """For each run, and one past the last, how many characters of the text stand before it."""
        counts = [0] * (self._first_runs[-1] + 1)
        for run, start, end in self.spans:
            counts[run + 1] += end - start
        return list(accumulate(counts))


IMAGINED = -1
"""The number of a decision that nobody made, to see what it would do."""


class Weave:
    """The runs of one text in order, and which insertion stands inside which."""

    def __init__(self, blocks: tuple[Block, ...], inside: dict[Segment, Segment | None]) -> None:
        self.blocks = blocks
        self.inside = inside
        self.latest: tuple[object, Weave] | None = None
        """The last operation that was tried on this weave, and what came of it."""

    @classmethod
    def of(cls, runs: Iterable[Run], inside: dict[Segment, Segment | None]) -> "Weave":
        """A weave of just these runs."""
        return cls(blocks_of(tuple(runs)), inside)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """All runs in order."""
        return tuple(chain.from_iterable([block.runs for block in self.blocks]))

    @cached_property
    def live(self) -> Shown:
        """The file as it is: everything but rejected and held pieces."""
        return Shown(self.blocks, live=True)

    @cached_property
    def baseline(self) -> Shown:
        """What was agreed to: accepted pieces only."""
        return Shown(self.blocks, live=False)

    @cached_property
    def idle_places(self) -> list[range]:
        """Runs in places that hold exactly what was agreed there, whatever was done and undone (rule D4)."""
        found: list[range] = []
        first, agreed, live = 0, "", ""
        for number, run in enumerate(chain(self.runs, (None,))):
            if run is None or (run.live and run.agreed):
                if agreed and live:
                    if agreed == live:
                        found.append(range(first, number))
                    elif 2 < number - first <= MOST_IN_A_PLACE:
                        found += _idle_lines(self.runs, first, number)
                first, agreed, live = number + 1, "", ""
            elif run.live:
                live += run.text
            elif run.agreed:
                agreed += run.text
        return found

    @cached_property
    def idle(self) -> frozenset[int]:
        """All runs in such places."""
        return frozenset(chain.from_iterable(self.idle_places))

    def pieces(self) -> Iterator[tuple[Piece, Mark]]:
        """Every piece of every run, in the order of the text."""
        for run in self.runs:
            yield from run.marks()

    def answer(self, changes: Iterable[PieceAnswer], decision: int) -> "Weave":
        """The weave after a decision; pieces are split where only a part of one is answered."""
        listed: dict[tuple[str, int, int], list[_Hit]] = defaultdict(list)
        for piece, verdict in changes:
            listed[piece.kind, piece.op, piece.target].append((piece.start, piece.end, verdict))
        if not listed:
            return self
        answers = _Answers({key: _Hits(hits) for key, hits in listed.items()}, decision)
        # Per operation whose text is answered, the stretch that holds all of it.
        reach: dict[int, tuple[int, int]] = {}
        for (_, _, target), hits in listed.items():
            low, high = reach.get(target, hits[0][:2])
            reach[target] = min([low, *(hit[0] for hit in hits)]), max([high, *(hit[1] for hit in hits)])

        def answered(block: Block) -> Block:
            if not any(
                op in block.reach and low < block.reach[op][1] and block.reach[op][0] < high
                for op, (low, high) in reach.items()
            ):
                return block
            runs: list[Run] = []
            for run in block.runs:
                low, high = reach.get(run.insertion.op, (0, 0))
                if low < run.end and run.start < high:
                    runs += answers.given_to(run)
                else:
                    runs.append(run)
            return Block(tuple(runs))

        return Weave(tuple(answered(block) for block in self.blocks), self.inside)

    def imagined(self, first: int, last: int, changes: Iterable[PieceAnswer], *, live: bool) -> str:
        """What would show of the runs first to last, if these pieces had these answers."""
        line_ends = []
        for number in range(first - 1, -1, -1):
            run = self.runs[number]
            if "\n" in run.text:
                break
            if run.line_end is not None and (run.live if live else run.agreed):
                line_ends.append(run.line_end)
        part = Weave.of(self.runs[first : last + 1], self.inside).answer(changes, IMAGINED)
        return _read(part.runs, live=live, line_ends=tuple(line_ends)).text

    def with_decision(self, decision: int, fallen: frozenset[int]) -> "Weave":
        """The weave after `decision` was taken back or made to stand again; `fallen` do not stand."""

        def settled(run: Run) -> Run:
            marks = (run.insertion, *run.deletions)
            if not any(mark.log and mark.touched_by(decision) for mark in marks):
                return run
            insertion, *deletions = (mark.without(fallen) for mark in marks)
            return run.marked(insertion, tuple(deletions))

        blocks = []
        for block in self.blocks:
            runs = tuple([settled(run) for run in block.runs])
            same = all(map(operator.is_, runs, block.runs))
            blocks.append(block if same else Block(runs))
        return Weave(tuple(blocks), self.inside)

    def ancestors(self, segment: Segment) -> Iterator[Segment]:
        """The insertions that this one stands inside, nearest first."""
        outer = self.inside.get(segment)
        while outer is not None:
            yield outer
            outer = self.inside.get(outer)


MOST_IN_A_PLACE = 400
"""Where more runs than this stand between two that both texts have, no single lines are looked for."""


def _idle_lines(runs: tuple[Run, ...], first: int, stop: int) -> Iterator[range]:
    """Where, between two runs that both texts have, both hold the same whole lines."""
    # Whether each of the two texts is at the beginning of a line.
    at_start = [first == 0 or runs[first - 1].ends_line] * 2
    number = first
    while number < stop:
        end = _same_lines(runs, number, stop) if all(at_start) else number
        if end > number:
            yield range(number, end)
            number = end
            continue
        run = runs[number]
        if run.live or run.agreed:
            at_start[run.live] = run.ends_line
        number += 1


def _same_lines(runs: tuple[Run, ...], first: int, stop: int) -> int:
    """Until where both texts hold the same whole lines; `first` if they do not."""
    agreed = live = ""
    for number in range(first, stop):
        run = runs[number]
        agreed, live = agreed + run.text * run.agreed, live + run.text * run.live
        if not agreed.startswith(live) and not live.startswith(agreed):
            return first
        if agreed and agreed == live and (run.ends_line or number + 1 == stop):
            hidden = takewhile(lambda one: not one.live and not one.agreed, runs[number + 1 : stop])
            return number + 1 + sum(1 for _ in hidden)
    return first


class _Hits:
    """What is answered of one kind of piece, in order, so that a run's share is found fast."""

    def __init__(self, hits: list[_Hit]) -> None:
        self._hits = sorted(hits, key=lambda hit: hit[0])
        # Hits may hold one another: how far they reach, up to each of them, only grows.
        self._reach = list(accumulate((hit[1] for hit in self._hits), max))

    def of(self, run: Run) -> list[_Hit]:
        """Those that have to do with a run."""
        found = []
        for hit in self._hits[bisect_right(self._reach, run.start) :]:
            if hit[0] >= run.end:
                break
            if hit[1] > run.start:
                found.append(hit)
        return found


class _Answers:
    """The answers of one decision, for one run after the other."""

    def __init__(self, wanted: dict[tuple[str, int, int], _Hits], decision: int) -> None:
        self._wanted = wanted
        self._decision = decision
        self._made: dict[tuple[Mark, Answer | None], Mark] = {}
        """Many runs share a mark, and go on sharing it."""

    def given_to(self, run: Run) -> list[Run]:
        """A run as it is afterwards: in parts, where they differ."""
        own = run.insertion.op
        hits: list[list[_Hit]] = []
        edges = {run.start, run.end}
        is_hit = False
        for number, mark in enumerate((run.insertion, *run.deletions)):
            known = self._wanted.get(("delete" if number else "insert", mark.op, own))
            hits.append([] if known is None else known.of(run))
            for low, high, _ in hits[-1]:
                is_hit = True
                if low > run.start:
                    edges.add(low)
                if high < run.end:
                    edges.add(high)
        if not is_hit:
            return [run]
        if len(edges) == 2:
            return [run.marked(*self._marks(run, hits, run.start, run.end))]
        return [
            run.part(start - run.start, end - run.start).marked(*self._marks(run, hits, start, end))
            for start, end in pairwise(sorted(edges))
        ]

    def _marks(self, run: Run, hits: list[list[_Hit]], start: int, end: int) -> tuple[Mark, tuple[Mark, ...]]:
        """The marks of some characters of a run, with the answers that are about all of them."""
        marks = [run.insertion, *run.deletions]
        for number, found in enumerate(hits):
            for low, high, verdict in found:
                if low <= start and end <= high:
                    marks[number] = self._answered(marks[number], verdict)
        return marks[0], tuple(marks[1:])

    def _answered(self, mark: Mark, verdict: Answer | None) -> Mark:
        known = self._made.get((mark, verdict))
        if known is None:
            known = self._made[mark, verdict] = mark.answered(self._decision, verdict)
        return known
