"""What may reach a terminal: our own colours, and from files, names and prompts nothing it would obey."""

from __future__ import annotations

import os

from blueline.model.visible import is_plain, spelled
from blueline.model.visible import visible as visible
from blueline.model.whole_number import whole_number

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

WIDTH_WITHOUT_TERMINAL = 100
NARROWEST = 40

# The escape sequences of our own, by what they mean; text from elsewhere never becomes one.
STYLES = {
    "added": "32",
    "added-word": "7;32",
    "bad": "1;31",
    "dim": "2",
    "good": "32",
    "heading": "1",
    "id": "36",
    "mark": "7;33",
    "place": "35",
    "removed": "31",
    "removed-word": "7;31",
    "warn": "33",
}


def safe(value: object) -> str:
    """Any value from a document as text for a terminal; nothing for None."""
    return "" if value is None else visible(str(value))


def pieces(text: str, *, tabs: bool) -> list[tuple[str, bool]]:
    """As `visible`, in pieces; the second value says whether a piece stands for what does not print."""
    if visible(text, tabs=tabs) == text:
        return [(text, False)] if text else []
    found: list[tuple[str, bool]] = []
    plain = ""
    for char in text:
        if is_plain(char, tabs=tabs):
            plain += char
            continue
        if plain:
            found.append((plain, False))
            plain = ""
        found.append((spelled(char), True))
    return [*found, (plain, False)] if plain else found


def quoted(word: str) -> str:
    """A word as it can be typed into a shell, with nothing in it that does not print."""
    if word.isascii() and word.isalnum():  # an id, mostly
        return word
    import shlex

    if visible(word) == word:
        return shlex.quote(word)
    raw = word.encode("utf-8", "surrogateescape" if _is_bytes(word) else "replace")
    escaped = "".join(
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b"\\'" else f"\\{byte:03o}" for byte in raw
    )
    return f"$'{escaped}'"


def _is_bytes(word: str) -> bool:
    try:
        word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def first_line(text: str) -> str:
    """The first line that is not blank, safe to show, with a mark when there is more."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return ""
    return visible(lines[0].strip()) + (" …" if len(lines) > 1 else "")


def columns(text: str) -> int:
    """How many columns a text takes that has no escape sequences in it."""
    # Our own two marks take one column each; without them most text needs no closer look.
    if text.replace("…", "").replace("→", "").isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) != 0 for char in text)


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of so many columns, broken at blanks; a word that is longer is left whole."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and columns(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def fitted(text: str, width: int) -> str:
    """The text cut to a number of columns, with a mark where it was cut."""
    if columns(text) <= width:
        return text
    if width < 1:
        return ""
    shown, used = [], 1
    for char in text:
        used += columns(char)
        if used > width:
            break
        shown.append(char)
    return "".join(shown).rstrip() + "…"


class Screen:
    """Where text goes: in colour or not, how wide, and whether somebody looks at it."""

    __slots__ = ("colour", "watched", "width")

    def __init__(
        self, colour: bool = False, width: int = WIDTH_WITHOUT_TERMINAL, watched: bool = False
    ) -> None:
        self.colour = colour
        self.width = width
        self.watched = watched
        """False when the output goes to a file or another program."""

    def paint(self, text: str, style: str) -> str:
        """`text` must have gone through `visible`."""
        if not self.colour or not style or not text:
            return text
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def screen_of(stream: TextIO | None, wish: str, environ: Mapping[str, str]) -> Screen:
    """The screen behind a stream; `wish` is auto, always or never."""
    watched = stream is not None and stream.isatty()
    may = watched and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    return Screen(
        colour=wish == "always" or (wish == "auto" and may),
        width=max(_width(stream if watched else None, environ), NARROWEST),
        watched=watched,
    )


def _width(stream: TextIO | None, environ: Mapping[str, str]) -> int:
    wish = environ.get("COLUMNS")
    if wish and (columns := whole_number(wish)):
        return columns
    try:
        return (stream and os.get_terminal_size(stream.fileno()).columns) or WIDTH_WITHOUT_TERMINAL
    except (OSError, ValueError):
        return WIDTH_WITHOUT_TERMINAL
