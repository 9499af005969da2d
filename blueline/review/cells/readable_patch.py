"""Two states of a notebook as a unified diff that people can read: cell by cell."""

import json
from collections import deque
from collections.abc import Iterator

from blueline.diff.cell_edits import first_old, paired
from blueline.diff.unified import hunks
from blueline.model.projection import NOTEBOOK, CellBlock, Wanted, blocks


def cell_patch(path: str, old: str, new: str) -> str:
    """The difference between two projections; empty when there is none."""
    if old == new:
        return ""
    before, after = blocks(old), blocks(new)
    parts = [f"diff --git a/{path} b/{path}\n"]
    pairs = {pair.new: pair for pair in paired(before, after)}
    stay = {pair.old for pair in pairs.values()}
    gone = deque(number for number in range(len(before)) if number not in stay)
    following = first_old(pairs.values(), len(after), len(before))
    last = -1
    for number, block in enumerate(after):
        while gone and gone[0] < following[number]:
            parts += _cell(path, before[gone[0]], None, gone.popleft(), number)
        pair = pairs.get(number)
        if block.kind == "notebook" and pair is not None:
            parts += _about(path, before[pair.old], block)
        elif pair is None:
            parts += _cell(path, None, block, 0, number)
        else:
            # It stood before one that it stands after now.
            moved = pair.old < last
            parts += _cell(path, before[pair.old], block, pair.old, number, moved)
        last = max(last, pair.old if pair is not None else last)
    for number in gone:
        parts += _cell(path, before[number], None, number, len(after))
    return "".join(parts) if len(parts) > 1 else ""


def _about(path: str, old: CellBlock, new: CellBlock) -> Iterator[str]:
    if old.lines == new.lines:
        return
    sides = (json.loads(block.lines[0][len(NOTEBOOK) :]) for block in (old, new))
    texts = [json.dumps(side, indent=2, sort_keys=True, ensure_ascii=False) + "\n" for side in sides]
    yield f"--- a/{path} metadata\n+++ b/{path} metadata\n{hunks(*texts)}"


def _cell(
    path: str, old: CellBlock | None, new: CellBlock | None, before: int, after: int, moved: bool = False
) -> Iterator[str]:
    if old is not None and new is not None and old.lines == new.lines and not moved:
        return
    was, now = (None if block is None else block.wanted() for block in (old, new))
    names = (
        "/dev/null" if was is None else f"a/{path} cell {before}{_named(was)}",
        "/dev/null" if now is None else f"b/{path} cell {after}{_named(now)}",
    )
    if moved:
        yield f"cell moved from {before} to {after}\n"
    if was is not None and now is not None:
        yield from _aspects(was, now)
    body = hunks(*("" if block is None else block.source for block in (old, new)))
    yield f"--- {names[0]}\n+++ {names[1]}\n{body}"


def _named(cell: Wanted) -> str:
    return f" [{cell.type}]" + (f" {cell.id}" if cell.id else "")


def _aspects(was: Wanted, now: Wanted) -> Iterator[str]:
    for name in ("type", "id", "metadata", "attachments"):
        before, after = getattr(was, name), getattr(now, name)
        if before != after:
            yield f"cell {name} {before or 'none'} becomes {after or 'none'}\n"
