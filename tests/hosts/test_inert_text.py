"""Text from elsewhere on a code host: it leaves no fence, calls nobody, and nothing is done because of it."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from blueline.forge.blocks import block
from blueline.hosts.inert_text import NO_WIDTH, code, fenced, plain, quiet, unlinked
from tests.forge.offering import suggestion


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


# What each host makes something of, as its documentation says: in the text, and as a line of it.
CALLS = {
    "GitHub": [r"@[a-zA-Z0-9]", r"#\d", r"(?i)\bgh-\d", r"https?://", r"(?i)\bwww\."],
    "GitLab": [
        r"@[\w.-]",
        r"[#!$&~%]\w",
        r"[~%]\"",
        r"\b[A-Z][A-Z0-9_]+-\d",
        r"\w://",
        r"(?m)^[ \t]*/[a-z]",
        r"(?m)^::include\{",
    ],
    "Gitea and Forgejo": [r"@\w", r"[#!]\d", r"\b[A-Z]{1,10}-[1-9]", r"\w://", r"(?i)\bwww\."],
}
LINE = "(?m)^"
CLOSING = re.compile(
    r"(?i)\b(?:clos|fix|resolv|implement)\w*:?\s+(?:[\w./-]*[#!]\d|gh-\d|https?://\S+/\d)", re.ASCII
)

WORDS = st.lists(
    st.sampled_from(
        [
            *("@all", "@someone", "a@b.de", "@dependabot merge", "#123", "o/r#1", "fixes #1", "closes: GH-2"),
            *("!7", "~bug", '~"to do"', "%1.0", "&3", "$4", "ABC-12", "UTF-8", "resolves o/r!9"),
            *("fixes https://github.com/o/r/issues/1", "http://x.de", "www.x.de", "<https://x.de>"),
            *("/merge", "/close", "/assign @all", "/apply all", "::include{file=x.md}", "[[_TOC_]]"),
            *("<!-- /apply all -->", "<!--", "-->", "<img src=x>", "<details>", "![x](http://x.de/y.png)"),
            *("[x](y)", "[x]: y", "`", "```", "~~~", "---", "===", "# ", "- ", "1. ", "> ", "***", "&lt;"),
            *("a", " ", "  ", "\n", "\t", "\\", "\u202e", ":tada:", "|", "word", "50%", "x = 1"),
        ]
    ),
    max_size=8,
).map("".join)


@pytest.mark.parametrize("host", CALLS)
@given(WORDS)
@example("fixes #1")
@example("\n/merge")
@example("===")
def test_words_of_others_are_words_and_nothing_else(host: str, words: str) -> None:
    for text in (plain(words), f"- {plain(words)}", f"before\n{plain(words)}\n{plain(words)}\nafter"):
        tokens = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "inline"]
        inside = [child for token in tokens for child in token.children or []]
        assert {child.type for child in inside} <= {"text", "softbreak"}
        rendered = "\n".join(child.content for child in inside)
        # Commands are looked for at the beginnings of lines as they were sent.
        for call in CALLS[host]:
            assert not re.search(call, text, re.ASCII)
            assert call.startswith(LINE) or not re.search(call, rendered, re.ASCII)
        assert not CLOSING.search(text)
    assert "\n" not in plain(words)


@given(WORDS)
def test_they_are_shown_as_they_were(words: str) -> None:
    once = " ".join(words.split())
    rendered = "".join(
        child.content
        for token in MarkdownIt("commonmark").parse(f"x {plain(words)}")
        for child in token.children or []
    )
    assert rendered.replace(NO_WIDTH, "") == f"x {once}".strip().replace("\u202e", "<U+202E>")


@pytest.mark.parametrize("host", CALLS)
@given(WORDS)
def test_a_title_calls_nobody(host: str, words: str) -> None:
    calls = [call for call in CALLS[host] if not call.startswith(LINE)]
    assert not [call for call in calls if re.search(call, quiet(words), re.ASCII)]


@given(WORDS)
def test_a_name_as_code_is_code_to_its_end(words: str) -> None:
    (inline,) = (
        token for token in MarkdownIt("commonmark").parse(f"x {code(words)}") if token.type == "inline"
    )
    assert [child.type for child in inline.children or []] == ["text", "code_inline"]


@given(WORDS)
@example("Fixes: o/r#12, !3 and gh-4")
@example("closes https://git.example/o/r/-/issues/12")
def test_a_line_of_a_commit_closes_nothing(words: str) -> None:
    assert not CLOSING.search(unlinked(words))
    assert not re.search(r"[#!]\d", unlinked(words))


def test_what_is_changed_in_a_commit_can_be_seen() -> None:
    assert unlinked("Fixes #12, GH-4: see https://a.de/b") == "Fixes # 12, GH 4: see https://a.de/b"
    assert unlinked("@dataclass, UTF-8, a#b!") == "@dataclass, UTF-8, a#b!"
