"""Where a stream stands in a text that others change, and how far it has come through what it replaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.sdk.anchor import carried
from blueline.sdk.region import Region, reached


@given(st.lists(st.tuples(st.text("xyz\n", min_size=1, max_size=5), st.integers(0, 40)), max_size=8))
def test_typing_is_never_lost_around_a_place(steps: list[tuple[str, int]]) -> None:
    text, at = "top\nend\n", 4
    typed = ""
    for number, (words, place) in enumerate(steps):
        if number % 2:
            text, at = text[:at] + words.upper() + text[at:], at + len(words)
        else:
            there = min(place, len(text))
            new = text[:there] + words + text[there:]
            (at,) = carried(text, new, (at,))
            text, typed = new, typed + words
    assert sum(text.count(char) for char in "xyz") == sum(typed.count(char) for char in "xyz")


@pytest.mark.parametrize(
    ("rest", "came", "reached_text"),
    [
        ("a1\nb2\nc3\n", "a1\n", "a1\n"),
        ("a1\nb2\nc3\n", "new\n", ""),
        ("one\ntwo\nthree\n", "new\nthree\n", "one\ntwo\nthree\n"),
        ("one\n}\ntwo\n}\n", "}\n", ""),
        ("one\n}\ntwo\n}\n", "one\n}\n", "one\n}\n"),
        ("", "anything\n", ""),
        ("no line end", "no line end\n", ""),
    ],
)
def test_how_far_a_stream_has_come(rest: str, came: str, reached_text: str) -> None:
    assert rest[: reached(rest, came)] == reached_text


@given(st.text("ab\n", max_size=20), st.lists(st.text("ab\n", min_size=1, max_size=6), max_size=5), st.data())
def test_a_stream_ends_as_one_replacement_would(old: str, chunks: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(old)))
    until = data.draw(st.integers(at, len(old)))
    region = Region(old, at, until)
    for chunk in chunks:
        before = region
        region = region.grown(chunk + "\n")
        # What was not reached yet is there to its end.
        assert region.text.endswith(old[until:])
        assert before.text[before.at : before.until].endswith(region.text[region.at : region.until])
    streamed = "".join(chunk + "\n" for chunk in chunks)
    assert region.grown("end", is_all=True).text == old[:at] + streamed + "end" + old[until:]
