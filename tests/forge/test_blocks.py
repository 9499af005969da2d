"""The text of comments."""

from __future__ import annotations

import re

import pytest

from blueline.forge.blocks import block
from blueline.forge.suggestion import Suggestion
from blueline.hosts.inert_text import code, plain
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
