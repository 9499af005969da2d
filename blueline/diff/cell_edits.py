"""The edits between two notebooks, as lines: cell by cell, and never across two of them.

Cells are the same that have the same id; then those that are alike, in order, where ids are missing, doubled
or new. Inside a pair, lines that are not source are replaced whole. A cell that stands elsewhere is taken out
here and put in there, as one hunk.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from blueline.diff.edits import ALIKE, PAIRING_LIMIT, text_edits
from blueline.diff.pairs import matched
from blueline.diff.sequences import changes
from blueline.diff.words import likeness
from blueline.model.edit import Edit, KeptLine, Stretch
from blueline.model.projection import CellBlock, aspect, blocks

HEAVY = 1 << 20
"""A cell that something is undecided in counts more than all others when it has to be said which moved."""

LONGEST_COMPARED = 20_000
"""Characters of a source that are compared to find out whether two cells are alike."""


class Pair(NamedTuple):
    """Numbers of two blocks that are the same cell."""

    old: int
    new: int


def cell_edits(old: str, new: str, pinned: Sequence[int] = (), kept: Sequence[KeptLine] = ()) -> list[Edit]:
    """The edits between two projections.

    `pinned` are places in `old`, in order, where something is undecided: the cells there stay where they are,
    if it can be said that others moved. `kept` are lines of sources that are known to be the same.
    """
    before, after = blocks(old), blocks(new)
    pairs = paired(before, after)
    weights = [1 + HEAVY * _is_pinned(block, pinned) for block in before]
    stay = _staying(pairs, weights)
    moved = {pair.old: pair.new for pair in pairs if pair not in stay}
    arrived = {place: number for number, place in moved.items()}
    return [*_edits(before, after, sorted(stay), moved, arrived, kept)]


def source_stretches(old: str, new: str) -> list[Stretch]:
    """Where the sources of cells stand that are in both, in the same order: characters of each projection."""
    before, after = blocks(old), blocks(new)
    pairs = sorted(_staying(paired(before, after), [1] * len(before)))
    return [
        Stretch(*_source_of(before[pair.old]), *_source_of(after[pair.new]))
        for pair in pairs
        if before[pair.old].is_complete and after[pair.new].is_complete
    ]


def _source_of(block: CellBlock) -> tuple[int, int]:
    head = 0
    for line in block.lines:
        if aspect(line) == "source":
            break
        head += len(line)
    return block.start + head, block.start + head + len(block.source)


def _is_pinned(block: CellBlock, pinned: Sequence[int]) -> bool:
    place = bisect_left(pinned, block.start)
    return place < len(pinned) and pinned[place] < block.end


def _edits(
    old: list[CellBlock],
    new: list[CellBlock],
    stay: list[Pair],
    moved: dict[int, int],
    arrived: dict[int, int],
    kept: Sequence[KeptLine],
) -> Iterator[Edit]:
    hunk = 0
    of_moved: dict[int, int] = {}

    def number(old_block: int | None) -> int:
        """The hunk of a cell that came, went, or moved: of the last, both ends have the same."""
        nonlocal hunk
        if old_block is not None and old_block in of_moved:
            return of_moved[old_block]
        hunk += 1
        if old_block is not None and old_block in moved:
            of_moved[old_block] = hunk - 1
        return hunk - 1

    i = j = 0
    for a, b in [*stay, Pair(len(old), len(new))]:
        at = new[j].start if j < len(new) else (new[-1].end if new else 0)
        for place in range(i, a):
            block = old[place]
            yield Edit(old_start=block.start, old_end=block.end, new_start=at, new_end=at, hunk=number(place))
        gap = old[a].start if a < len(old) else (old[-1].end if old else 0)
        for place in range(j, b):
            block = new[place]
            came = number(arrived.get(place))
            yield Edit(old_start=gap, old_end=gap, new_start=block.start, new_end=block.end, hunk=came)
        if a < len(old):
            inner = _inside(old[a], new[b], kept)
            yield from (_shifted(edit, old[a].start, new[b].start, hunk) for edit in inner)
            hunk += len({edit.hunk for edit in inner})
        i, j = a + 1, b + 1


def _shifted(edit: Edit, old: int, new: int, hunk: int) -> Edit:
    return Edit(
        old_start=edit.old_start + old,
        old_end=edit.old_end + old,
        new_start=edit.new_start + new,
        new_end=edit.new_end + new,
        hunk=edit.hunk + hunk,
    )


def _inside(old: CellBlock, new: CellBlock, kept: Sequence[KeptLine]) -> list[Edit]:
    """The edits inside a pair: each aspect is a hunk of its own, the source has as many as it needs."""
    if old.lines == new.lines:
        return []
    if not (old.is_complete and new.is_complete):
        return _by_lines(old.lines, new.lines)
    found: list[Edit] = []
    at_old = at_new = 0
    for about in ("cell", "metadata", "attachments", "source", "end"):
        before, after = (
            "".join(line for line in block.lines if aspect(line) == about) for block in (old, new)
        )
        hunk = max((edit.hunk for edit in found), default=-1) + 1
        if about == "source":
            own = _within(kept, old.start + at_old, new.start + at_new, len(before), len(after))
            inner = text_edits(*_sources(before, after), own)
            found += [_shifted(edit, at_old, at_new, hunk) for edit in inner]
        elif before != after:
            found.append(
                Edit(
                    old_start=at_old,
                    old_end=at_old + len(before),
                    new_start=at_new,
                    new_end=at_new + len(after),
                    hunk=hunk,
                )
            )
        at_old, at_new = at_old + len(before), at_new + len(after)
    return found


def _within(kept: Sequence[KeptLine], old: int, new: int, length: int, new_length: int) -> list[KeptLine]:
    """Those of some lines that stand in two sources, counted from their beginning."""
    first = bisect_left(kept, (old,))
    found = []
    for a, b, c, d, whole in kept[first:]:
        # Before the line end that the projection adds: it is no line of theirs.
        if b >= old + length or d >= new + new_length or c < new:
            break
        found.append(KeptLine(a - old, b - old, c - new, d - new, whole))
    return found


def _sources(old: str, new: str) -> tuple[str, str]:
    """Two sources, to be compared as texts are. Where both end their last line, the line end that the
    projection adds is no line of theirs."""
    if old.endswith("\n\n") and new.endswith("\n\n"):
        return old[:-1], new[:-1]
    return old, new


def _by_lines(old: Sequence[str], new: Sequence[str]) -> list[Edit]:
    """Whole lines only, as one hunk: what decisions have left of a cell, and what became of it."""
    at_old, at_new = [0], [0]
    for lines, starts in ((old, at_old), (new, at_new)):
        for line in lines:
            starts.append(starts[-1] + len(line))
    return [
        Edit(old_start=at_old[a], old_end=at_old[b], new_start=at_new[c], new_end=at_new[d])
        for a, b, c, d in changes(old, new)
    ]


def paired(old: Sequence[CellBlock], new: Sequence[CellBlock]) -> list[Pair]:
    """Which blocks are the same cell, in whatever order they stand."""
    once = _once(old) & _once(new)
    places = {block.id: number for number, block in enumerate(new) if block.id in once}
    found = [Pair(number, places[block.id]) for number, block in enumerate(old) if block.id in once]
    found += _in_order(old, new, once)
    known_old, known_new = {pair.old for pair in found}, {pair.new for pair in found}
    found += _same_elsewhere(old, new, known_old, known_new)
    return sorted(found)


def _once(blocks: Sequence[CellBlock]) -> set[str]:
    counts = Counter(block.id for block in blocks if block.id)
    return {identifier for identifier, count in counts.items() if count == 1}


def _in_order(old: Sequence[CellBlock], new: Sequence[CellBlock], once: set[str]) -> Iterator[Pair]:
    """Blocks that no id pairs, but their content and their place do."""
    keys = [[_key(block, once) for block in side] for side in (old, new)]
    i = j = 0
    for a, b, c, d in [*changes(*keys), (len(old), len(old), len(new), len(new))]:
        for x, y in zip(range(i, a), range(j, c), strict=True):
            if old[x].id not in once:
                yield Pair(x, y)
        yield from _in_gap(
            [(x, old[x]) for x in range(a, b) if old[x].id not in once],
            [(y, new[y]) for y in range(c, d) if new[y].id not in once],
        )
        i, j = b, d


def _key(block: CellBlock, once: set[str]) -> str:
    if block.id in once:
        return f"={block.id}"
    return "notebook" if block.kind == "notebook" else f"{block.type}\n{block.source}"


def _in_gap(old: list[tuple[int, CellBlock]], new: list[tuple[int, CellBlock]]) -> Iterator[Pair]:
    """Blocks between two that are paired: alike ones in order, then by place if no ids speak against it."""
    i = j = 0
    for a, b in [*_alike([block for _, block in old], [block for _, block in new]), (len(old), len(new))]:
        rest = list(zip(old[i:a], new[j:b], strict=False)) if a - i == b - j else []
        yield from (
            Pair(x, y)
            for (x, before), (y, after) in rest
            if before.kind == after.kind and not (before.id and after.id)
        )
        if a < len(old):
            yield Pair(old[a][0], new[b][0])
        i, j = a + 1, b + 1


def _alike(old: list[CellBlock], new: list[CellBlock]) -> list[tuple[int, int]]:
    """The best matching, in order, of blocks that are alike."""
    if not old or not new or len(old) * len(new) > PAIRING_LIMIT:
        return []
    return matched(old, new, _likeness, ALIKE)


def _likeness(old: CellBlock, new: CellBlock) -> float:
    if "notebook" in (old.kind, new.kind) and old.kind != new.kind:
        return 0.0
    before, after = old.source, new.source
    if before == after:
        return 1.0
    if not before.strip() or not after.strip() or max(len(before), len(after)) > LONGEST_COMPARED:
        return 0.0
    return likeness(before, after)


def _same_elsewhere(
    old: Sequence[CellBlock], new: Sequence[CellBlock], known_old: set[int], known_new: set[int]
) -> Iterator[Pair]:
    """Cells without a partner that stand somewhere else with the same source: they were moved."""
    places: dict[tuple[str, str], list[int]] = {}
    for number, block in enumerate(new):
        if number not in known_new and block.kind == "cell" and block.source.strip():
            places.setdefault((block.type, block.source), []).append(number)
    for number, block in enumerate(old):
        found = places.get((block.type, block.source))
        if number not in known_old and block.kind == "cell" and found:
            yield Pair(number, found.pop(0))


def _staying(pairs: list[Pair], weights: list[int]) -> set[Pair]:
    """The pairs that keep their order: as many as can, and first of all those of weight."""
    if all(first.new < second.new for first, second in pairwise(pairs)):
        return set(pairs)
    size = max(pair.new for pair in pairs) + 2
    best: list[tuple[int, int]] = [(0, -1)] * (size + 1)
    """A Fenwick tree: for all that end before a place, the greatest weight and the pair that reaches it."""
    back: list[int] = []
    for number, pair in enumerate(pairs):
        weight, before = 0, -1
        place = pair.new
        while place > 0:
            weight, before = max((weight, before), best[place])
            place -= place & -place
        back.append(before)
        place = pair.new + 1
        while place <= size:
            best[place] = max(best[place], (weight + weights[pair.old], number))
            place += place & -place
    last = (0, -1)
    place = size
    while place > 0:
        last = max(last, best[place])
        place -= place & -place
    stay = set()
    number = last[1]
    while number >= 0:
        stay.add(pairs[number])
        number = back[number]
    return stay


def first_old(pairs: Iterable[Pair], count: int, most: int) -> list[int]:
    """For each new block, and one past the last, the first old one that is paired with it or a later one."""
    found = [most] * (count + 1)
    for pair in pairs:
        found[pair.new] = pair.old
    for number in range(count - 1, -1, -1):
        found[number] = min(found[number], found[number + 1])
    return found
