"""A reply to a conversation: the file that a hook says it from, and the record that it was said.

The hook reads the first lines only, and has no time to load `json`: the text is stored as it is printed.
"""

import json
from typing import NamedTuple

FIRST_LINE = "blueline-reply 1"


class Reply(NamedTuple):
    """Words for one conversation, and what it will have heard by them."""

    conversation: str
    hunks: dict[str, str]
    """For each hunk, the word that stands for what was said of it."""
    text: str = ""
    at_stop: bool = False
    """Whether it is worth keeping a turn from ending."""


def dump(reply: Reply) -> bytes:
    """The file: three lines for the hook, one for whoever takes it in afterwards."""
    lines = (FIRST_LINE, "stop" if reply.at_stop else "prompt", json.dumps(reply.text))
    return "\n".join((*lines, told(reply).decode("ascii"), "")).encode("ascii")


def load(data: bytes) -> Reply | None:
    """What a file says was told; None if it is no such file."""
    first, _, rest = data.partition(b"\n")
    lines = rest.split(b"\n")
    return heard(lines[2]) if first == FIRST_LINE.encode() and len(lines) > 2 else None


def told(reply: Reply) -> bytes:
    """The record that it was said."""
    return json.dumps({"conversation": reply.conversation, "hunks": reply.hunks}).encode("ascii")


def heard(payload: bytes) -> Reply | None:
    """What a record says was told; None if it cannot be read."""
    try:
        document = json.loads(payload)
        conversation, hunks = str(document["conversation"]), dict(document["hunks"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return Reply(conversation, {str(hunk): str(word) for hunk, word in hunks.items()})
