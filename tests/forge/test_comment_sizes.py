"""Comments that fit, however much there is to say."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.forge import blocks, comment_sizes
from blueline.forge.commands import MARK
from blueline.forge.comment_sizes import MOST_BYTES, MOST_CHARACTERS, Length, comments
from blueline.forge.suggestion import Suggestion
from tests.forge.offering import change, suggestion


def many(count: int, size: int) -> list[Suggestion]:
    return [
        suggestion("old\n" * size, "".join(f"new {m} `x`\n" for m in range(size)), f"src/{n:03}.py", n + 1)
        for n in range(count)
    ]


def test_500_files_and_a_2_mb_diff_are_split_within_limits_in_order_with_bounded_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = many(500, 300)
    assert sum(len(hunk.new) * 12 + len(hunk.old) * 6 for one in every for hunk in one.hunks) > 2_000_000
    counted = {"blocks": 0, "characters": 0}
    whole = blocks.block
    measure = Length.of

    def block_once(one: Suggestion, *, show_rationale: bool = True) -> str:
        counted["blocks"] += 1
        return whole(one, show_rationale=show_rationale)

    def measured(text: str) -> Length:
        counted["characters"] += len(text)
        return measure(text)

    monkeypatch.setattr(comment_sizes, "block", block_once)
    monkeypatch.setattr(Length, "of", staticmethod(measured))
    texts = comments(every, offer="x", head="1" * 40, branch="main")
    # Each suggestion is written once, and each character is counted once.
    assert counted["blocks"] == 500
    assert counted["characters"] <= sum(map(len, texts)) + 2_000
    assert all(len(text) <= MOST_CHARACTERS and len(text.encode()) <= MOST_BYTES for text in texts)
    numbers = [
        int(found) for text in texts for found in re.findall(r"^### \*\*(\d+)\.\*\*", text, re.MULTILINE)
    ]
    assert numbers == [*range(1, 501)]
    assert [f"({n} of {len(texts)})" in text for n, text in enumerate(texts, 1)] == [True] * len(texts)
    assert ["/reject" in text for text in texts] == [False] * (len(texts) - 1) + [True]


def test_one_huge_line_and_one_huge_file_fit_too() -> None:
    every = [
        suggestion("a\n", "🦊" * 2_000_000),
        suggestion("b\n", "".join(f"{n}\n" for n in range(400_000))),
    ]
    texts = comments(every, offer="x", head="1" * 40, branch="main")
    assert len(texts) == 1
    assert "(2,000,000 characters)" in texts[0]
    assert "more lines" in texts[0]


@given(
    st.sampled_from(["🦊", "\u202e", "`", "\\", "x\n", "\x1b"]),
    st.sampled_from(["🦊", "\u202e", "`", "@", "é"]),
    st.booleans(),
)
def test_the_worst_that_somebody_can_write_fits(sign: str, word: str, is_new: bool) -> None:
    content = (sign * 400 + "\n") * 500
    path = "/".join([word * 200] * 20)
    moved = replace(change(None if is_new else "old\n" * 900, content, path), old_path=path + "x")
    every = [
        Suggestion(number=n, change=moved, rationale=word * 5_000, risk="high", reasons=("r: " + word,))
        for n in range(1, 6)
    ]
    for text in comments(every, offer="x", head="1" * 40, branch="main"):
        assert Length.of(text).fits


def test_not_more_suggestions_in_a_comment_than_the_config_says() -> None:
    texts = comments(many(31, 1), offer="x", head="1" * 40, branch="main", most=15)
    assert [text.count("### **") for text in texts] == [15, 15, 1]
    assert MARK in texts[2]
