"""The text of comments."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.forge import blocks, comment_sizes
from blueline.forge.blocks import block
from blueline.forge.commands import MARK
from blueline.forge.comment_sizes import MOST_BYTES, MOST_CHARACTERS, Length, comments
from blueline.forge.fences import code, fenced, plain
from blueline.forge.suggestion import Suggestion
from tests.forge.offering import change, suggestion


def test_a_modified_file_is_a_numbered_diff() -> None:
    text = block(suggestion("a\nb\nc\n", "a\nB\nc\n", "src/x.py", number=3, rationale="b was too small"))
    assert text == (
        "### **3.** 📝 `src/x.py` (modify)\n\n```diff\n@@ -2 +2 @@\n- b\n+ B\n```\n\n> 💡 b was too small\n"
    )


def test_a_new_file_is_shown_whole_and_shortened_with_a_word_on_its_length() -> None:
    assert "### **1.** ✨ `n.py` (create)\n\n```py\nx = 1\n```\n" in block(
        suggestion(None, "x = 1\n", "n.py")
    )
    long = block(suggestion(None, "line\n" * 2_000, "n.py"))
    assert len(long) < 4_000
    assert "shortened: the file has 2,000 lines, 10,000 characters in all" in long


def test_a_deletion_is_said_and_not_shown() -> None:
    text = block(suggestion("secret plan\n", None))
    assert "🗑️" in text
    assert "_This file will be deleted._" in text
    assert "plan" not in text


def test_at_most_ten_hunks_then_a_count() -> None:
    old = "".join(f"{n}\n\n" for n in range(13))
    text = block(suggestion(old, "".join(f"{n}!\n\n" for n in range(13))))
    assert text.count("```diff") == 10
    assert "_...and 3 more hunks._" in text


def test_fences_survive_backticks_inside() -> None:
    text = block(suggestion("a\n", "```` inside\n"))
    assert "`````diff\n@@ -1 +1 @@\n- a\n+ ```` inside\n`````" in text


@given(st.text(alphabet="`~ab\n", max_size=40))
def test_a_fenced_text_comes_out_as_it_went_in(text: str) -> None:
    lines = fenced(text, "diff").split("\n")
    closing = re.compile(rf" {{0,3}}`{{{lines[0].index('d')},}} *")
    end = next(n for n in range(1, len(lines)) if closing.fullmatch(lines[n]))
    assert end == len(lines) - 1
    assert "\n".join(lines[1:end]) == text.removesuffix("\n") or text == ""


@pytest.mark.parametrize(
    "words",
    [
        "@everybody look",
        "fixes #12",
        "see https://evil.example/x",
        "![x](http://evil.example)",
        "<img src=x>",
    ],
)
def test_the_words_of_an_agent_call_nobody_and_load_nothing(words: str) -> None:
    text = plain(words)
    assert not re.search(r"@\w|#\d|://|(?<!\\)<|(?<!\\)!\[|(?<!\\)\]\(", text)


def test_qb10_a_file_name_is_only_ever_code() -> None:
    assert code("a`b") == "``a`b``"
    assert code("`") == "`` ` ``"
    text = block(suggestion("a\n", "b\n", "x`$(rm -rf ~)`\n${{ github.token }}\u202e.py"))
    first = text.split("\n")[0]
    assert first == "### **1.** 📝 ``x`$(rm -rf ~)`\\n${{ github.token }}<U+202E>.py`` (modify)"


def test_carriage_returns_missing_ends_and_modes_are_said() -> None:
    assert "- b\\r\n+ B\\r\n" in block(suggestion("a\r\nb\r\n", "a\r\nB\r\n"))
    assert "+ B\n\\ No newline at end of file" in block(suggestion("b\n", "B"))
    assert "not text: 2 bytes become 3" in block(suggestion(b"\0a", b"\0bc"))


def test_reasons_of_risk_are_shown() -> None:
    one = Suggestion(
        number=1, change=change("a\n", "b\n"), risk="high", reasons=("auth: its path is like *auth*",)
    )
    assert "_Risk: **high**: auth: its path is like \\*auth\\*._" in block(one)


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
