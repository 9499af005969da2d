"""Makes `review.svg`, the picture in the README, from what the real commands print.

    python docs/images/make.py

Run it when the look of the command line changes. It plays `blueline demo` in a folder of its own, runs a few
commands in colour and draws their output. Ids differ from run to run, as they do for everybody.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

COLUMNS = 92
CHARACTER, LINE, MARGIN, TITLE = 8.0, 18.0, 18.0, 34.0
BACKGROUND, BORDER, TEXT, PROMPT = "#16181d", "#2c313a", "#d5d9e0", "#7a8494"
COLOURS = {
    "31": "#f47b73",
    "32": "#7fce8a",
    "33": "#e3c06c",
    "35": "#cf9be8",
    "36": "#74c8d8",
}
DIMMED = "0.62"
FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

_SEQUENCE = re.compile(r"\x1b\[([0-9;]*)m")


class Stretch(NamedTuple):
    """Characters of one line that look alike; `column` is where they begin."""

    column: int
    text: str
    codes: frozenset[str]


def stretches(line: str) -> Iterator[Stretch]:
    """A line with colour sequences, cut where its look changes. Every character is one column wide."""
    column = 0
    codes: frozenset[str] = frozenset()
    for number, part in enumerate(_SEQUENCE.split(line)):
        if number % 2:
            new = frozenset(part.split(";"))
            codes = frozenset() if new & {"", "0"} else codes | new
        elif part:
            yield Stretch(column, part, codes)
            column += len(part)


def drawn(lines: list[str], title: str) -> str:
    """The lines as a picture of a terminal."""
    width = COLUMNS * CHARACTER + 2 * MARGIN
    height = len(lines) * LINE + TITLE + 2 * MARGIN
    body = "\n".join(
        part
        for number, line in enumerate(lines)
        for stretch in stretches(line)
        for part in _part(stretch, number)
    )
    dots = "".join(
        f'<circle cx="{MARGIN + 4 + 18 * place}" cy="{TITLE / 2 + 2}" r="5.5" fill="{BORDER}"/>'
        for place in range(3)
    )
    size = f'width="{width:g}" height="{height:g}"'
    frame = f'width="{width - 1:g}" height="{height - 1:g}" fill="{BACKGROUND}" stroke="{BORDER}"'
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {size}
 role="img" aria-label={quoteattr(title)} font-family="{FONTS}" font-size="13.2" xml:space="preserve">
<rect x="0.5" y="0.5" rx="9" {frame}/>
{dots}
<text x="{width / 2:g}" y="{TITLE / 2 + 6:g}" text-anchor="middle" fill="{PROMPT}">{escape(title)}</text>
{body}
</svg>
"""


def _part(stretch: Stretch, number: int) -> Iterator[str]:
    column, text, codes = stretch
    if "7" not in codes:
        # Blanks at both ends leave nothing to draw, and not every program would keep them.
        column, text = column + len(text) - len(text.lstrip()), text.strip()
    if not text:
        return
    x, y = MARGIN + column * CHARACTER, TITLE + MARGIN + number * LINE
    length = len(text) * CHARACTER
    colour = next((COLOURS[code] for code in codes if code in COLOURS), TEXT)
    if "7" in codes:
        yield f'<rect x="{x:g}" y="{y - 13:g}" width="{length:g}" height="{LINE:g}" fill="{colour}"/>'
        colour = BACKGROUND
    look = f'fill="{colour}"'
    look += ' font-weight="bold"' if "1" in codes else ""
    look += f' opacity="{DIMMED}"' if "2" in codes else ""
    # Its length is given, so that columns stay columns in whatever font there is.
    yield f'<text x="{x:g}" y="{y:g}" textLength="{length:g}" {look}><tspan>{escape(text)}</tspan></text>'


class Terminal:
    """A person at a prompt in the sample project."""

    def __init__(self, folder: Path) -> None:
        self._environ = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "COLUMNS": str(COLUMNS)}
        self._place = folder
        self.run("demo")
        self._place = folder / "blueline-demo"
        self.lines: list[str] = []

    def run(self, *words: str) -> str:
        """What a command prints."""
        done = subprocess.run(
            [sys.executable, "-m", "blueline", *words],
            cwd=self._place,
            env=self._environ,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return done.stdout

    def hunk(self, words: str) -> str:
        """The id of the hunk that brings these words."""
        hunks = json.loads(self.run("list", "--json"))["hunks"]
        return next(str(hunk["id"]) for hunk in hunks if words in (hunk["new"] or ""))

    def type(self, *words: str) -> None:
        """Type a command; it and its output are in the picture."""
        if self.lines:
            self.lines.append("")
        self.lines.append(f"\x1b[2m$\x1b[0m \x1b[1mblueline {' '.join(words)}\x1b[0m")
        self.lines += self.run(*words, "--color", "always").splitlines()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(Path(folder).resolve())
        terminal.type("list")
        unasked = terminal.hunk("products in stock")
        terminal.type("show", unasked)
        terminal.type("reject", unasked)
    picture = drawn(terminal.lines, "an agent's work, hunk by hunk")
    Path(__file__).with_name("review.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
