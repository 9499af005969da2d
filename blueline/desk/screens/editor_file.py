"""The hunks of a file, where they stand in a text that somebody has open in an editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from blueline.diff.editor_places import EditorPlaces, Spot, SpotRange, WordChanges, plain, word_changes
from blueline.diff.edits import split_lines
from blueline.diff.line_spans import LinePlacing, LineSpan

if TYPE_CHECKING:
    from blueline.contract.editors import EditorPosition, EditorRange, PlacedHunkDocument
    from blueline.contract.files import FileDocument
    from blueline.contract.hunks import FileHunkDocument

LONGEST_WORDS = 20_000
"""Characters. In a longer hunk no words are marked: nobody reads it word by word."""


def range_document(found: SpotRange) -> EditorRange:
    return {"start": _position(found.start), "end": _position(found.end)}


def _position(spot: Spot) -> EditorPosition:
    return {"line": spot.line, "character": spot.unit}


def placed_hunks(page: FileDocument, text: str) -> list[PlacedHunkDocument]:
    """All hunks of a file; `text` is what the editor has, saved or not."""
    live = page["live"]
    if live is None:  # no text, or one that is reviewed cell by cell
        return [_without_place(hunk) for hunk in page["hunks"]]
    return _Placing(page, live, text).all(page["hunks"])


def is_saved(page: FileDocument, text: str) -> bool:
    """Whether an editor's text is what the file holds."""
    live = page["live"]
    return live is not None and plain(live) == plain(text)


class _Placing:
    """Places for the hunks of one file."""

    def __init__(self, page: FileDocument, live: str, text: str) -> None:
        self._places = EditorPlaces(text)
        self._text = plain(text)
        self._lines = split_lines(self._text)
        self._from_live = LinePlacing(plain(live), self._text)
        self._from_agreed: LinePlacing | None = None
        self._agreed = plain(page["baseline"] or "")

    def all(self, hunks: Sequence[FileHunkDocument]) -> list[PlacedHunkDocument]:
        return [self._placed(hunk) for hunk in hunks]

    def _placed(self, hunk: FileHunkDocument) -> PlacedHunkDocument:
        span = self._span(hunk)
        old, new = plain(hunk["old"] or ""), "".join(self._lines[span.first : span.last])
        found = WordChanges([], [], [])
        if old and new and not hunk["held"] and len(old) + len(new) <= LONGEST_WORDS:
            found = word_changes(old, new)
        words = [] if span.is_touched else found.words
        return {
            **hunk,
            "range": range_document(self._places.whole_lines(span.first, span.last)),
            "touched": span.is_touched,
            "old_words": [*map(range_document, found.gone)],
            "new_words": [range_document(_below(one, span.first)) for one in found.come],
            "gone_words": [
                {"at": {"line": at.line + span.first, "character": at.unit}, "text": text}
                for at, text in words
            ],
            "ahead": span.is_touched and not hunk["held"] and self._is_before(span, old),
        }

    def _is_before(self, span: LineSpan, old: str) -> bool:
        """Whether the text still has what an agent has changed in the file: the next decision merges both."""
        count = len(split_lines(old))
        if span.last - span.first not in (0, count):
            return False
        here = "".join(self._lines[span.first : span.first + count])
        # The last line may lack its end.
        return here == old or (bool(here) and here.removesuffix("\n") == old.removesuffix("\n"))

    def _span(self, hunk: FileHunkDocument) -> LineSpan:
        if hunk["held"]:
            # It is not in the file: it stands where it would come to stand.
            if self._from_agreed is None:
                self._from_agreed = LinePlacing(self._agreed, self._text)
            return self._from_agreed.place(*_lines(hunk["old_start"], hunk["old_lines"]))
        return self._from_live.place(*_lines(hunk["new_start"], hunk["new_lines"]))


def _lines(start: int, count: int) -> tuple[int, int]:
    """Half-open and from zero; documents count from one, and say the line before if there are none."""
    first = start - (count > 0)
    return first, first + count


def _below(found: SpotRange, lines: int) -> SpotRange:
    (first, start), (last, end) = found
    return SpotRange(Spot(first + lines, start), Spot(last + lines, end))


def _without_place(hunk: FileHunkDocument) -> PlacedHunkDocument:
    return {
        **hunk,
        "range": None,
        "touched": False,
        "old_words": [],
        "new_words": [],
        "gone_words": [],
        "ahead": False,
    }
