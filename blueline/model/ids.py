"""Names of things: how each is written, and how it is read."""

import re
from typing import NamedTuple, NewType

from blueline.model.whole_number import MOST_DIGITS as MOST_DIGITS
from blueline.model.whole_number import whole_number as whole_number

BlobId = NewType("BlobId", str)
"""Bytes named by their hash: 40 hexadecimal digits."""


class Numbering(NamedTuple):
    """Ids of one kind: a letter, and a number that is counted from one in each project."""

    letter: str

    def id(self, number: int) -> str:
        return f"{self.letter}{number}"

    def id_or_none(self, number: int | None) -> str | None:
        """The id, where there is something to name."""
        return None if number is None else f"{self.letter}{number}"

    def number(self, identifier: str) -> int | None:
        """The number in an id of this kind; None if it is none."""
        return whole_number(identifier[1:]) if identifier[:1] == self.letter else None


TURN, SUBAGENT, CALL = Numbering("t"), Numbering("a"), Numbering("c")
DECISION, NOTE = Numbering("d"), Numbering("n")

# Both are only ever shown, each in a list of its own: nobody has to tell them apart.
OVERRIDE, OUTSIDE = Numbering("o"), Numbering("o")

_HUNK = re.compile(r"h([0-9a-f]{8})(?:\.[0-9a-f]{6})?")
_CONVERSATION = re.compile(r"k[0-9a-f]{8}")
_SCRAMBLE = 0x9E3779B1
_HUNKS = 2**32


def hunk_id(salt: int, number: int) -> str:
    """The id of a recorded hunk: different numbers give different ids."""
    return f"h{((number ^ salt) * _SCRAMBLE) % _HUNKS:08x}"


def hunk_number(salt: int, identifier: str) -> int | None:
    """The number of the recorded hunk that an id, or the id of a part of it, stands for."""
    match = _HUNK.fullmatch(identifier)
    return None if match is None else (int(match[1], 16) * pow(_SCRAMBLE, -1, _HUNKS)) % _HUNKS ^ salt


def part_id(whole: str, part: str) -> str:
    """The id of a part of a hunk; `part` names it within the hunk, by 6 hexadecimal digits."""
    return f"{whole}.{part}"


def whole_of(hunk: str) -> str:
    """The id of the hunk as it was recorded, by its own or that of a part."""
    return hunk.partition(".")[0]


def part_of(hunk: str) -> str:
    """What names a part within its hunk; empty for a whole one."""
    return hunk.partition(".")[2]


def is_hunk_id(text: str) -> bool:
    return _HUNK.fullmatch(text) is not None


def conversation_id(digits: str) -> str:
    """The id of a conversation that was begun here, from 8 random hexadecimal digits."""
    return f"k{digits}"


def is_conversation_id(text: str) -> bool:
    return _CONVERSATION.fullmatch(text) is not None
