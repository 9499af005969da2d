"""Writing down what an agent does, in the process that does it.

The same frames that a hook process writes, with a message of our own: `adapters/sdk_messages.py` reads
it back.
"""

import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from blueline.errors import BluelineError
from blueline.hook import recorder
from blueline.kernel import disk, processes, project_folder
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown


class NotRecorded(BluelineError):
    """The disk is full, or closed to us."""


class ConversationRecord:
    """What is written down of one agent's conversation."""

    def __init__(self, state: Path, agent: str, conversation: str) -> None:
        self.agent = agent
        self.conversation = conversation
        self._state = os.fsencode(state)

    @property
    def mode(self) -> str:
        """review, hold or direct, as it is now."""
        return project_folder.read_mode(self._state).decode()

    def say(
        self, event: str, about: Mapping[str, object], seen: Iterable[bytes] = (), *, held: bool = False
    ) -> None:
        """Add one event with what was seen, durably. `held` makes a proposal of an edit that begins."""
        told = {name: value for name, value in about.items() if value is not None and value is not False}
        message = {"blueline": 1, "event": event, "agent": self.agent, "conversation": self.conversation}
        message_raw = json.dumps({**message, **told}, separators=(",", ":")).encode("ascii")
        try:
            raw: bytes | str = message_raw
            if len(message_raw) > recorder.INLINE_UP_TO:
                raw = disk.put_blob(self._state + b"/blobs", message_raw)
            mode = b"hold" if held else b"review"
            lines = [*seen, *(_process() if event == "prompt" else ())]
            payload = recorder.compose(time.time_ns(), self.agent, event, mode, lines, raw)
            disk.append(self._state + b"/journal", disk.frame(b"o", payload))
        except OSError as error:
            raise NotRecorded(
                f"cannot write to the state folder: {error.strerror}",
                hint="free some space or check its permissions, then try again",
            ) from error


def _process() -> list[bytes]:
    """The process that a turn ends with, if its end is not told: this one."""
    found = processes.stat(os.getpid())
    return [] if found is None else [b"process %d %d" % (os.getpid(), found[2])]


def seen(path: str, state: FileState) -> list[bytes]:
    """The lines of an observation that say what stands at a path."""
    return [b"path " + disk.escape(os.fsencode(path)), b"state " + _spelled(state)]


def _spelled(state: FileState) -> bytes:
    match state:
        case Regular():
            return b"file %o %d %s" % (state.mode, state.size, state.blob.encode())
        case Link():
            return b"link " + disk.escape(os.fsencode(state.target))
        case Absent():
            return (
                b"absent " + disk.escape(os.fsencode(state.missing_folder))
                if state.missing_folder
                else b"absent"
            )
        case Folder():
            return b"folder"
        case Other():
            return b"other %o" % state.mode
        case Unknown():
            return b"unknown " + disk.escape(os.fsencode(state.why))


def whole(text: str) -> str:
    """A text without halves of characters, which no file can hold."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
