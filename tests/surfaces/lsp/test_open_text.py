"""The text that the server has is the editor's, whatever is in it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from blueline.diff.editor_places import EditorPlaces
from blueline.surfaces.lsp.open_text import OpenText
from blueline.surfaces.lsp.protocol import Given

PIECES = st.sampled_from(["a", "ä", "😀", "\n", "\r\n", "\f", "\u2028", "\x85", "\x1c", "words ", ""])
TEXTS = st.lists(PIECES, max_size=10).map("".join)


def opened(text: str) -> OpenText:
    return OpenText(Path("/p/a.md").as_uri(), 1, text, cast(Any, None), "a.md")


@given(TEXTS, TEXTS, st.data())
def test_parts_that_change(text: str, new: str, data: st.DataObject) -> None:
    places = EditorPlaces(text)
    spots = [at for at in range(len(text) + 1) if text[at - 1 : at + 1] != "\r\n"]
    start, end = sorted(data.draw(st.tuples(st.sampled_from(spots), st.sampled_from(spots))))
    found = places.range(start, end)
    span = {
        "start": {"line": found.start.line, "character": found.start.unit},
        "end": {"line": found.end.line, "character": found.end.unit},
    }
    document = opened(text)
    document.change(2, [Given({"range": span, "text": new})])
    assert document.text == text[:start] + new + text[end:]
    assert document.version == 2


def test_one_change_after_the_other() -> None:
    document = opened("one\ntwo\n")
    at = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}}
    document.change(3, [Given({"text": "three\nfour\n"}), Given({"range": at, "text": "4!"})])
    assert document.text == "three\n4!r\n"


def page(live: str) -> Any:
    return {"live": live, "hunks": []}


def test_what_it_grew_from() -> None:
    document = opened("one\n")
    assert document.buffer.base is None
    document.learn(page("\ufeffone\r\n"))
    assert document.buffer.base == "\ufeffone\r\n"
    document.change(2, [Given({"text": "one\ntyped\n"})])
    document.learn(page("one\nof an agent\n"))
    assert document.buffer.base == "\ufeffone\r\n"
    assert document.buffer.typed == "\ufeffone\r\ntyped\r\n"
    document.saved()
    document.change(3, [Given({"text": "more\n"})])
    document.learn(page("one\ntyped\n"))
    assert document.buffer.base == "one\ntyped\n"


def test_a_text_that_never_was_the_files_has_no_origin() -> None:
    document = opened("kept by the editor since yesterday\n")
    document.learn(page("one\n"))
    assert document.buffer.typed is None


def test_waiting_for_a_text() -> None:
    async def wait() -> tuple[bool, bool]:
        document = opened("one\n")
        soon = asyncio.get_running_loop().call_soon(document.change, 2, [Given({"text": "two\r\n"})])
        came = await document.becomes("two\n", 60)
        soon.cancel()
        return came, await document.becomes("three\n", 0)

    assert asyncio.run(wait()) == (True, False)
