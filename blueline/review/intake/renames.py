"""Which file went where: paths that vanished, paths that appeared, and their contents (rule A15)."""

from collections import Counter
from collections.abc import Mapping

HALF = 0.5
"""The share of equal lines from which a file counts as the same one, renamed and edited."""

MOST_COMPARED = 2_500
"""Pairs that are compared line by line; beyond that only equal contents are seen."""


def renamed(gone: Mapping[str, bytes], come: Mapping[str, bytes]) -> dict[str, str]:
    """For paths that vanished, the paths their files have now: one to one, the best match first."""
    found: dict[str, str] = {}
    by_content: dict[bytes, list[str]] = {}
    for path, content in sorted(come.items()):
        if content:
            by_content.setdefault(content, []).append(path)
    for path, content in sorted(gone.items()):
        if by_content.get(content):
            found[path] = by_content[content].pop(0)
    taken = set(found.values())
    rest = [path for path in sorted(gone) if path not in found]
    open_paths = [path for path in sorted(come) if path not in taken]
    if len(rest) * len(open_paths) > MOST_COMPARED:
        return found
    lines = {side: Counter(content.splitlines()) for side, content in (*gone.items(), *come.items())}
    scores = sorted(
        ((_alike(lines[old], lines[new]), old, new) for old in rest for new in open_paths), reverse=True
    )
    for score, old, new in scores:
        if score >= HALF and old not in found and new not in taken:
            found[old] = new
            taken.add(new)
    return found


def _alike(old: Counter[bytes], new: Counter[bytes]) -> float:
    most = max(old.total(), new.total())
    return (old & new).total() / most if most else 0.0
