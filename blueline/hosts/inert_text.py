"""Text from elsewhere on a code host, so that it neither ends its block, nor calls anybody, nor does a thing.

Prompts, reasons, names of files and of people are put into comments, pull requests and messages of commits.
GitHub, GitLab, Gitea and Forgejo find names to call in such text, issues to close, and commands to follow.
"""

from __future__ import annotations

import re

from blueline.model.visible import visible

SHORTEST_FENCE = 3
LONGEST_PATH = 200

_RUN = re.compile(r"`+")
_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+!|~$&-])")
# What a code host makes something of, up to where a space of no width goes: names, numbers of issues and of
# merge requests, labels, milestones, keys of other trackers, addresses.
_CALLS = re.compile(
    r"""[@#!$&~%^](?=[\w"'])|\b(?:(?i:gh)|[A-Z][A-Z0-9_]+)-(?=\d)|:(?=//)|\bwww(?=\.)""", re.ASCII
)
NO_WIDTH = "\u200b"
# The same in the message of a commit, where only what closes or links an issue does anything.
_ISSUES = re.compile(r"[#!](?=\d)|\b(?i:gh)-(?=\d)|:(?=//\S+/\d)", re.ASCII)


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
    """Words of somebody as one line of Markdown: no markup, mention, link or command of theirs works."""
    marked = _SIGNS.sub(r"\\\1", quiet(text))
    # GitLab follows a line that begins with a slash, and a line of such signs makes a title of the one above.
    return f"\\{marked}" if marked.startswith(("/", "=")) else marked


def quiet(text: str) -> str:
    """Words of somebody where no Markdown is read, as in a title: one line that calls nobody."""
    return _CALLS.sub(lambda found: found[0] + NO_WIDTH, visible(" ".join(text.split())))


def unlinked(text: str) -> str:
    """A line of a message that git keeps, in which no host finds an issue to close: what is changed shows."""
    return _ISSUES.sub(lambda found: found[0].replace("-", " ") if "-" in found[0] else f"{found[0]} ", text)
