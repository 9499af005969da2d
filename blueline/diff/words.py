"""How two lines share their words."""

import functools
import itertools
from collections.abc import Sequence

from blueline.diff.sequences import Change, changes
from blueline.diff.word_list import words


def likeness(old: str, new: str) -> float:
    """The share of non-blank characters that two lines have in common, word by word: 0 to 1."""
    ours, theirs = ([word for word in _cut(side) if not word.isspace()] for side in (old, new))
    left: dict[str, int] = {}
    common = 0
    for word in ours:
        left[word] = left.get(word, 0) + 1
    for word in theirs:
        if left.get(word, 0) > 0:
            left[word] -= 1
            common += len(word)
    total = sum(map(len, ours)) + sum(map(len, theirs))
    return 2 * common / total if total else 0.0


def word_changes(old: str, new: str) -> list[Change]:
    """Character ranges that differ between two lines, at word borders.

    Blanks are never common ground by themselves: they count as unchanged only next to a word that is.
    """
    return [*(_remembered if len(old) + len(new) <= LONGEST_REMEMBERED else _word_changes)(old, new)]


LONGEST_REMEMBERED = 1_000
"""After a decision, a file is shown with all its other changes, which are as they were."""


def _cut(text: str) -> Sequence[str]:
    """The words of a line: whoever finds it like another asks for what changed in it next."""
    return _remembered_words(text) if len(text) <= LONGEST_REMEMBERED else words(text)


@functools.lru_cache(maxsize=256)
def _remembered_words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def _word_changes(old: str, new: str) -> tuple[Change, ...]:
    old_words, new_words = _cut(old), _cut(new)
    old_solid = [k for k, word in enumerate(old_words) if not word.isspace() or "\n" in word]
    new_solid = [k for k, word in enumerate(new_words) if not word.isspace() or "\n" in word]
    found = changes([old_words[k] for k in old_solid], [new_words[k] for k in new_solid])
    old_at, new_at = _offsets(old_words), _offsets(new_words)

    # The unchanged solid words, as pairs of word numbers, with a guard at both ends.
    pairs = [(-1, -1)]
    i = j = 0
    for old_start, old_end, _new_start, new_end in [*found, (len(old_solid),) * 2 + (len(new_solid),) * 2]:
        pairs += [(old_solid[i + k], new_solid[j + k]) for k in range(old_start - i)]
        i, j = old_end, new_end
    pairs.append((len(old_words), len(new_words)))

    ranges = []
    for (a, b), (c, d) in itertools.pairwise(pairs):
        change = _trimmed(old, new, (old_at[a + 1], old_at[c], new_at[b + 1], new_at[d]))
        if change is not None:
            ranges.append(change)
    return tuple(ranges)


_remembered = functools.lru_cache(maxsize=8192)(_word_changes)


def _offsets(parts: Sequence[str]) -> list[int]:
    offsets, at = [], 0
    for part in parts:
        offsets.append(at)
        at += len(part)
    offsets.append(at)
    return offsets


def _trimmed(old: str, new: str, gap: Change) -> Change | None:
    """The gap between two unchanged words, without the blanks that both sides have next to those."""
    old_start, old_end, new_start, new_end = gap
    while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
        if not old[old_start].isspace():
            break
        old_start, new_start = old_start + 1, new_start + 1
    while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
        if not old[old_end - 1].isspace():
            break
        old_end, new_end = old_end - 1, new_end - 1
    if old_start == old_end and new_start == new_end:
        return None
    return old_start, old_end, new_start, new_end
