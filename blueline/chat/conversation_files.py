"""Conversations on disk: one file for each in the state folder, which only grows.

The frames are those of the journal. Each holds one record, a JSON object with a `kind`; `transcript.py` says
what they mean.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from blueline.errors import BluelineError
from blueline.journal.frames import Damage, Frame
from blueline.journal.log import Journal
from blueline.kernel import disk
from blueline.model.ids import conversation_id, is_conversation_id

RECORD = b"c"
FOLDER = "chat"

Record = dict[str, Any]


class NoSuchConversation(BluelineError):
    """Nothing is kept under that name."""


class ConversationFile:
    """The records of one conversation."""

    def __init__(self, path: Path) -> None:
        self.id = path.name
        self.path = path
        self._journal = Journal(path)
        self._read_to = 0

    def append(self, record: Record) -> None:
        """Add one record, durable on return."""
        payload = json.dumps(record, separators=(",", ":")).encode("ascii")
        self._journal.append(RECORD, payload)

    def news(self) -> Iterator[Record]:
        """The records that were added since the last time, by whomever."""
        for found in self._journal.read(self._read_to):
            match found:
                case Damage():
                    # Perhaps a record that somebody is just writing: it is looked at again.
                    self._read_to = found.start if found.tail else found.end
                case Frame():
                    self._read_to = found.end
                    record = json.loads(found.payload) if found.kind == RECORD else None
                    if isinstance(record, dict):
                        yield record


def fresh_name() -> str:
    return conversation_id(secrets.token_hex(4))


def path_of(state: Path, name: str) -> Path:
    """Where a conversation is kept. Refused if that is not how one is called."""
    if not is_conversation_id(name):
        raise NoSuchConversation(f"there is no conversation {name!r}", hint="see: blueline chat --list")
    return state / FOLDER / name


def create(state: Path) -> ConversationFile:
    """A place for a new conversation."""
    disk.make_folder(os.fsencode(state / FOLDER))
    return ConversationFile(path_of(state, fresh_name()))


def names(state: Path) -> list[str]:
    """All conversations that are kept."""
    try:
        return sorted(name for name in os.listdir(state / FOLDER) if is_conversation_id(name))
    except FileNotFoundError:
        return []
