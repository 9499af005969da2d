"""Import statements that a tool sorted, took apart or put together: the same names, in other lines."""

import re
from typing import NamedTuple

from blueline.diff.formatted_lines import Lines, paired_lines

_IMPORT = re.compile(r"\s*(?:import|from|export|use|using|require|#\s*include)\b")
_NAMES = re.compile(r"[\s\w.,;:*(){}<>'\"/@#-]*")
_WORD = re.compile(r"\w+")


class Organised(NamedTuple):
    """Characters start:end of the old text, whole lines, became `text`."""

    start: int
    end: int
    text: str
    lines: range
    """The old lines."""


class _Gap(NamedTuple):
    """Lines that came and went between two that are the same: half-open, on both sides."""

    old: range
    new: range


def organised(old: Lines, new: Lines, asked: set[int]) -> list[Organised]:
    """The lines of imports that came and went, if they were organised and nothing else; else none.

    No word is new, and none is gone but from lines that are asked about.
    """
    gaps = [gap for gap in _gaps(old, new) if _is_of_imports(old, new, gap)]
    gone = [number for gap in gaps for number in gap.old]
    came = _words(new, [number for gap in gaps for number in gap.new])
    others = [number for number in gone if number not in asked]
    if len(others) == len(gone) or not came or not _words(old, others) <= came <= _words(old, gone):
        return []
    return [
        Organised(
            old.starts[gap.old.start],
            old.starts[gap.old.stop],
            new.between(gap.new.start, gap.new.stop),
            gap.old,
        )
        for gap in gaps
    ]


def _gaps(old: Lines, new: Lines) -> list[_Gap]:
    found = []
    i = j = 0
    for a, b in [*paired_lines(old, new), (len(old.keys), len(new.keys))]:
        first, last, new_first, new_last = i, a, j, b
        # Blank lines at its end stay where they are.
        while first < last and new_first < new_last and not old.keys[last - 1] and not new.keys[new_last - 1]:
            last, new_last = last - 1, new_last - 1
        found.append(_Gap(range(first, last), range(new_first, new_last)))
        i, j = a + 1, b + 1
    return found


def _is_of_imports(old: Lines, new: Lines, gap: _Gap) -> bool:
    texts = [*_texts(old, gap.old), *_texts(new, gap.new)]
    return any(map(_IMPORT.match, texts)) and all(map(_NAMES.fullmatch, texts))


def _texts(lines: Lines, numbers: range | list[int]) -> list[str]:
    return [lines.between(number, number + 1) for number in numbers]


def _words(lines: Lines, numbers: list[int]) -> set[str]:
    return {word for text in _texts(lines, numbers) for word in _WORD.findall(text)}
