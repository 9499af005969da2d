"""What a comment says to whoever reads it on the page: not what stands in its source.

A comment is Markdown, and holds HTML: what is inside a comment of HTML, a folded `<details>`, a code block or
a quotation is not said by its writer to anybody, and may not even be seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
"""Elements that have no end, and so nothing inside."""


class Paragraph(NamedTuple):
    """Words that stand in the open."""

    lines: list[str]
    """As they are shown."""
    first: int
    """Where its source begins and ends, in lines from zero."""
    end: int


def paragraphs(body: str) -> Iterator[Paragraph]:
    """The paragraphs that a comment says plainly: in no list, quotation, code or element of HTML."""
    elements = _Elements()
    for token in MarkdownIt("commonmark").parse(body):
        if token.type == "html_block":
            elements.feed(token.content)
        elif token.type == "inline":
            is_plain = token.level == 1 and not elements.is_inside
            lines = _lines(token.children or [], elements)
            if is_plain and lines and token.map is not None:
                yield Paragraph(lines, *token.map)


def _lines(tokens: list[Token], elements: _Elements) -> list[str]:
    """The lines of a paragraph. What stands in an element of HTML is marked, so that it begins no line."""
    lines = [""]
    for token in tokens:
        if token.type == "html_inline":
            elements.feed(token.content)
            lines[-1] += token.content
        elif token.type in ("softbreak", "hardbreak"):
            lines.append("<>" if elements.is_inside else "")
        elif token.type == "code_inline":
            lines[-1] += f"`{token.content}`"
        else:
            lines[-1] += token.content
    return lines


class _Elements(HTMLParser):
    """Which elements of HTML are open."""

    def __init__(self) -> None:
        super().__init__()
        self._open: list[str] = []

    @property
    def is_inside(self) -> bool:
        """Whether what comes next is inside an element, or in a tag or comment that has not ended."""
        return bool(self._open or self.rawdata)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # HTML knows no elements that end where they begin: a browser takes the slash for nothing.
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass
