"""Texts of odd lines, and texts that were edited."""

from __future__ import annotations

from hypothesis import strategies as st

LINES = st.sampled_from(
    ["", "", "a", "b", "  c", "```", "````suggestion", "`", "\ttab ", "~~~", "> q", "- x", "日本"]
)
ODD = st.sampled_from(["a\r", "\x0c", "\x1b[31m", "\u202e", "\ufeff", "\u2028"])


@st.composite
def texts(draw: st.DrawFn, *, odd: bool = False) -> str:
    lines = draw(st.lists(st.one_of(LINES, ODD) if odd else LINES, max_size=14))
    text = "".join(f"{line}\n" for line in lines)
    return text.removesuffix("\n") if odd and draw(st.booleans()) else text


@st.composite
def edited(draw: st.DrawFn, text: str) -> str:
    """The text with a few edits of lines."""
    lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(LINES, max_size=3))
    return "".join(f"{line}\n" for line in lines)
