"""Short texts with much in common, and with all that can be odd about lines."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from blueline.model.edit import Edit

BODIES = (
    "",
    "a",
    "b",
    "a b",
    "a b c",
    "b a",
    "ab",
    " a",
    "a ",
    "\ta",
    "ä",
    "ö ü",
    "a\rb",
    "\ufeffa",
    "\r",
    "(a)",
)
ENDS = ("\n", "\n", "\n", "\r\n")


def _text(lines: list[tuple[str, str]], *, ended: bool) -> str:
    text = "".join(body + end for body, end in lines)
    return text if ended or not lines else text[: -len(lines[-1][1])]


TEXTS = st.builds(
    _text,
    st.lists(st.tuples(st.sampled_from(BODIES), st.sampled_from(ENDS)), max_size=6),
    ended=st.booleans(),
)


def applied(old: str, new: str, edits: Iterable[Edit]) -> str:
    """What edits make of a text; they come in order."""
    parts, end = [], 0
    for edit in edits:
        assert edit.old_start >= end
        parts += [old[end : edit.old_start], new[edit.new_start : edit.new_end]]
        end = edit.old_end
    return "".join([*parts, old[end:]])
