"""Text from elsewhere inside Markdown, so that it can neither end its block nor call anybody."""

from __future__ import annotations

import re

from blueline.model.visible import visible

SHORTEST_FENCE = 3
LONGEST_PATH = 200

_RUN = re.compile(r"`+")
_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+!|~$&-])")
# A space of no width after it: then GitHub makes no mention, no reference and no link of what follows.
_CALLS = re.compile(r"@|#|GH-|:(?=//)|www(?=\.)", re.IGNORECASE)
NO_WIDTH = "\u200b"


def longest_run(text: str) -> int:
    """The length of the longest run of backticks."""
    return max((len(run) for run in _RUN.findall(text)), default=0)


def fence_for(text: str) -> str:
    """A fence that the text cannot end."""
    return "`" * max(SHORTEST_FENCE, longest_run(text) + 1)


def fenced(text: str, language: str = "") -> str:
    """The text as a block of code; it gets a last newline if it has none."""
    fence = fence_for(text)
    end = "" if not text or text.endswith("\n") else "\n"
    return f"{fence}{language}\n{text}{end}{fence}"


def code(text: str) -> str:
    """The text as code within a line, with whatever does not print made visible."""
    shown = visible(text)
    ticks = "`" * (longest_run(shown) + 1)
    # A blank at each end is not shown, and needed where the text itself begins or ends with a tick.
    pad = " " if shown[:1] in ("`", " ") or shown[-1:] in ("`", " ") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}" if shown else "` `"


def named(path: str) -> str:
    """A path as code, with its middle left out if it is very long."""
    if len(path) > LONGEST_PATH:
        path = f"{path[: LONGEST_PATH // 2]}…{path[-LONGEST_PATH // 2 :]}"
    return code(path)


def shown(text: str) -> str:
    """Lines for a block that is only read: everything visible but for the ends of lines and tabs."""
    return "\n".join(visible(line, tabs=True) for line in text.split("\n"))


def plain(text: str) -> str:
    """Words of somebody as one line of Markdown: no markup, no mention, no link of theirs works."""
    line = " ".join(text.split())
    quiet = _CALLS.sub(lambda found: found[0] + NO_WIDTH, visible(line))
    return _SIGNS.sub(r"\\\1", quiet)
