"""Text from elsewhere, with nothing in it that does not print."""

from __future__ import annotations

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Printable by name, and yet they leave nothing on the screen, or something that looks like a blank.
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Selectors of a glyph's form can carry hidden text; only the one that every emoji uses is let through.
SELECTORS = (range(0xFE00, 0xFE0F), range(0xE0100, 0xE01F0))

LONGEST_MESSAGE = 240


def shortened(message: str) -> str:
    """A message with somebody's words in it, however long: its beginning and its end say which they were."""
    half = LONGEST_MESSAGE // 2
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:half]} … {message[-half:]}"


def visible(text: str, *, tabs: bool = False) -> str:
    """The text with everything made visible that does not print: controls, marks of direction, odd blanks.

    Nothing that comes from outside reaches a terminal, or an agent, but through here. `tabs` keeps tabs as
    they are.
    """
    if text.isascii() and (text.replace("\t", "") if tabs else text).isprintable():
        return text
    return "".join([char if is_plain(char, tabs=tabs) else spelled(char) for char in text])


def visible_lines(lines: Iterable[str]) -> list[str]:
    """The same for lines of a text, with tabs."""
    return [visible(line, tabs=True) for line in lines]


def visible_within(value: Any) -> Any:
    """The same for every text in a document, or a part of one."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {key: visible_within(one) for key, one in value.items()}
    return [visible_within(one) for one in value] if isinstance(value, list | tuple) else value


def is_plain(char: str, *, tabs: bool) -> bool:
    """Whether a character can be shown as it is."""
    if char == "\t":
        return tabs
    if not char.isprintable() or char in UNSEEN:
        return False
    code = ord(char)
    return code < SELECTORS[0].start or not any(code in codes for codes in SELECTORS)


def spelled(char: str) -> str:
    """A character that does not print, in signs that do."""
    code = ord(char)
    if char in SHORT:
        return SHORT[char]
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:
        # How Python keeps a byte of a file name that is not UTF-8.
        return f"\\x{code - 0xDC00:02x}"
    return f"<U+{code:04X}>"
