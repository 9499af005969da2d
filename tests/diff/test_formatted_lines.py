"""Which lines are the same but for formatting (rule D2)."""

from __future__ import annotations

import re
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from blueline.diff.formatted_lines import Lines, paired_lines, same_text


def test_lines_that_were_split_and_joined_are_told_apart() -> None:
    old, new = Lines("f(a, b)\ng(c)\nh(\nd)\n"), Lines("f(\na, b)\ng(c)\nh(d)\n")
    assert [*same_text(old, new, (0, 5), (0, 5))] == [((0, 1), (0, 2)), ((1, 2), (2, 3)), ((2, 4), (3, 4))]


def test_lines_that_look_alike_are_told_by_where_they_stand() -> None:
    # The line `a` was split off already in the second call, and is now in all of them.
    old, new = Lines("f(a)\nf(\na\n)\nf(a)\n"), Lines("f(\na\n)\nf(\na\n)\nf(\na\n)\n")
    assert paired_lines(old, new) == [(1, 3), (2, 4)]


def test_so_they_are_above_and_below_what_somebody_typed() -> None:
    old = Lines("f(a)\nf(\na\n)\nf(a)\n")
    new = Lines("f(\na\n)\nf(\na\n)\nmine\nf(\na\n)\n")
    assert paired_lines(old, new) == [(1, 3), (2, 4)]


WORDS = st.lists(st.sampled_from(("a", "b", "(", ")", ",")), max_size=12)


@given(WORDS, st.randoms(use_true_random=False))
def test_whatever_is_paired_stands_at_the_same_place(words: list[str], chance: Random) -> None:
    texts = ["".join(word + chance.choice((" ", "\n")) for word in words) for _ in range(2)]
    old, new = (Lines(text) for text in texts)

    def before(lines: Lines, line: int) -> str:
        return re.sub(r"\W", "", lines.between(0, line))

    for one, other in paired_lines(old, new):
        assert before(old, one) == before(new, other)
        assert before(old, one + 1) == before(new, other + 1)
