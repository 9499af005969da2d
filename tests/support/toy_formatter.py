"""A formatter that is worse than any: it keeps every word, and leaves nothing else as it was (rule D2)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

from blueline.review.file import File

WAYS = {
    " ": (" ", "  ", "\n    "),
    "=": ("=", " = "),
    "(": ("(", "(\n        ", "( "),
    ")": (")", ",\n)", ");"),
    ",": (",", ", ", ",\n        "),
    "'": ("'", '"'),
    '"': ("'", '"'),
    "{": ("{", "{\n\t"),
    "}": ("}", "\n}"),
    "+": ("+", " + ", "\n    + "),
}


def formatted(text: str, source: random.Random, is_meant: Callable[[str], bool]) -> str:
    """The text with the lines that are meant as a formatter may leave them, and blank lines around those."""
    found = []
    for line in text.splitlines(keepends=True):
        if not is_meant(line):
            found.append(line)
            continue
        found += ["\n"] * source.choice((0, 0, 1, 2))
        found.append(re.sub(r"[ =('\",){};+]", lambda sign: source.choice(WAYS.get(sign[0], sign[0])), line))
        found += ["\n"] * source.choice((0, 0, 1))
    return "".join(found)


def joined(text: str, source: random.Random) -> str:
    """The text with some of the lines that go on with an indented one made one, and fewer blank lines."""
    text = re.sub(r",?\n\s*\)", lambda end: source.choice((")", end[0])), text)
    text = re.sub(r"\n[ \t]+(?=\S)", lambda end: source.choice((" ", end[0], end[0])), text)
    return re.sub(r"\n\n+", lambda blank: source.choice(("\n", blank[0])), text)


def undecided_words(file: File) -> Counter[tuple[str, int]]:
    """Every undecided word that shows, with the operation it is of."""
    weave = file.weaves[int(file.live.node.value)]
    owners = [weave.runs[run].insertion for run, low, high in weave.live.spans for _ in range(low, high)]
    words = [(word[0], owners[word.start()]) for word in re.finditer(r"\w+", file.live.text or "")]
    return Counter((word, owner.op) for word, owner in words if owner.state == "pending")
