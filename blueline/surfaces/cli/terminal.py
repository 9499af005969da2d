"""What may reach a terminal: our own colours, and from files, names and prompts nothing it would obey."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple, TextIO

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

SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Printable by name, and yet they leave nothing on the screen, or something that looks like a blank.
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Selectors of a glyph's form can carry hidden text; only the one that every emoji uses is let through.
SELECTORS = (range(0xFE00, 0xFE0F), range(0xE0100, 0xE01F0))


def visible(text: str, *, tabs: bool = False) -> str:
    """The text with everything made visible that does not print: controls, marks of direction, odd blanks.

    Nothing that comes from outside reaches the terminal but through here. `tabs` keeps tabs as they are.
    """
    if text.isascii() and (text.replace("\t", "") if tabs else text).isprintable():
        return text
    return "".join([char if _is_plain(char, tabs) else _named(char) for char in text])


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
        if _is_plain(char, tabs):
            plain += char
            continue
        if plain:
            found.append((plain, False))
            plain = ""
        found.append((_named(char), True))
    return [*found, (plain, False)] if plain else found


def _is_plain(char: str, tabs: bool) -> bool:
    if char == "\t":
        return tabs
    if not char.isprintable() or char in UNSEEN:
        return False
    code = ord(char)
    return code < SELECTORS[0].start or not any(code in codes for codes in SELECTORS)


def _named(char: str) -> str:
    code = ord(char)
    if char in SHORT:
        return SHORT[char]
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:
        # How Python keeps a byte of a file name that is not UTF-8.
        return f"\\x{code - 0xDC00:02x}"
    return f"<U+{code:04X}>"


def quoted(word: str) -> str:
    """A word as it can be typed into a shell, with nothing in it that does not print."""
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


class Screen(NamedTuple):
    """Where text goes: in colour or not, how wide, and whether somebody looks at it."""

    colour: bool = False
    width: int = WIDTH_WITHOUT_TERMINAL
    watched: bool = False
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
    wish = environ.get("COLUMNS", "")
    if wish.isascii() and wish.isdigit() and int(wish) > 0:
        return int(wish)
    try:
        return (stream and os.get_terminal_size(stream.fileno()).columns) or WIDTH_WITHOUT_TERMINAL
    except (OSError, ValueError):
        return WIDTH_WITHOUT_TERMINAL
