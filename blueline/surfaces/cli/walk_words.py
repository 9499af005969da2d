"""What somebody types while going through changes, and what it means."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Verb = Literal[
    "accept",
    "reject",
    "next",
    "previous",
    "undo",
    "redo",
    "split",
    "viewed",
    "note",
    "why",
    "file",
    "turn",
    "same",
    "edit",
    "help",
    "quit",
    "show",
]
Scope = Literal["change", "lines", "file", "turn", "same"]


class Order(NamedTuple):
    """One thing to do."""

    verb: Verb
    scope: Scope = "change"
    lines: tuple[int, int] = (0, 0)
    """Of the file as it is, from one, both ends included."""
    text: str = ""
    """The reason of a decision, or a note."""


class Misread(NamedTuple):
    """Nothing that we know; what to type instead."""

    why: str


DECIDE: dict[str, Verb] = {"a": "accept", "x": "reject"}
SCOPES: dict[str, Scope] = {"": "change", "f": "file", "t": "turn", "=": "same"}
ALONE: dict[str, Verb] = {
    "": "show",
    "n": "next",
    "p": "previous",
    "u": "undo",
    "U": "redo",
    "s": "split",
    "v": "viewed",
    "b": "why",
    "f": "file",
    "t": "turn",
    "=": "same",
    "e": "edit",
    "?": "help",
    "h": "help",
    "q": "quit",
}

KEYS = (
    ("a", "accept this change"),
    ("x", "reject it: the file goes back"),
    ("a 3-5, x 7", "only these lines, by the numbers that are shown"),
    ("x because …", "and say why; the agent hears it"),
    ("n, p", "next, previous; nothing is decided"),
    ("u, U", "take the last decision back, make it again"),
    ("s", "split: decide about parts of it"),
    ("v", "viewed: go on to the next file"),
    ("c …", "a note to the agent (ends in ?: a question; begins with !: must be fixed)"),
    ("b", "why it is there: prompt, call, what it builds on"),
    ("f, a f, x f", "show, accept, reject all that is undecided in the file"),
    ("t, a t, x t", "the same for the turn"),
    ("=, a =, x =", "the same for this change wherever it was made"),
    ("e", "edit the file in your editor, at this line, and come back"),
    ("Enter", "show it again"),
    ("?", "this list"),
    ("q", "leave; what was decided stays, what was not is still there"),
)
"""The keys of the workbench, and what they do here."""

CHOICES = "a,x,n,p,u,s,v,c,b,f,t,e,?,q"
SINGLE = "axnpuUsvbfte=?hq"
"""Keys that say all by themselves, where somebody wants no Enter."""

_DECISION = re.compile(
    r"([ax])\s*(|[ft=]|\d{1,9}(?:\s*-\s*\d{1,9})?)(?:(?:^|\s)\s*because\s+(.+))?", re.DOTALL
)
_LINES = re.compile(r"(\d+)(?:\s*-\s*(\d+))?")


def read(typed: str) -> Order | Misread:
    """What a line means. Whoever mistypes gets told so: what is not understood decides nothing."""
    word = typed.strip()
    if word in ALONE:
        return Order(ALONE[word])
    if word in ("A", "X"):
        return Order(DECIDE[word.lower()], "file")
    if word == "c" or word.startswith("c "):
        return Order("note", text=word[1:].strip())
    if turned := re.fullmatch(r"(\d.*?)\s*([ax])", word):
        word = f"{turned[2]} {turned[1]}"
    if not (found := _DECISION.fullmatch(word)):
        return Misread(f"{word!r} means nothing here; ? lists the keys")
    verb, reason = DECIDE[found[1]], (found[3] or "").strip()
    if (lines := _LINES.fullmatch(found[2])) is None:
        return Order(verb, SCOPES[found[2]], text=reason)
    first, last = int(lines[1]), int(lines[2] or lines[1])
    if not 1 <= first <= last:
        return Misread(f"{found[2]} are no lines: the smaller number first, from 1")
    return Order(verb, "lines", (first, last), reason)
