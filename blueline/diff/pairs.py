"""Which of two rows belong together, by how alike they are."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def matched(
    old: Sequence[Item], new: Sequence[Item], likeness: Callable[[Item, Item], float], least: float
) -> list[tuple[int, int]]:
    """The best matching in order of items that are at least so alike. Costs as much as all pairs."""
    score = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    value = [[0.0] * len(new) for _ in old]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            same = likeness(old[i], new[j])
            value[i][j] = same if same >= least else 0.0
            with_pair = value[i][j] + score[i + 1][j + 1] if value[i][j] else 0.0
            score[i][j] = max(with_pair, score[i + 1][j], score[i][j + 1])
    found = []
    i = j = 0
    while i < len(old) and j < len(new):
        if value[i][j] and score[i][j] == value[i][j] + score[i + 1][j + 1]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif score[i][j] == score[i + 1][j]:
            i += 1
        else:
            j += 1
    return found
