"""One program at a time has a turn in a conversation: the workbench, or a terminal.

The system lets go of the lock when its program ends, however it ends. So a turn that has no end, and whose
lock is free, has been left behind.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from blueline.errors import BluelineError

ENDING = ".lock"
LONGEST = 200


class ConversationBusy(BluelineError):
    """The agent is at work."""


class TurnLock:
    """Held from a prompt to the end of its turn."""

    def __init__(self, conversation: Path, holder: str) -> None:
        self._path = conversation.with_name(conversation.name + ENDING)
        self._holder = holder
        self._fd: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether it is held here."""
        return self._fd is not None

    def take(self) -> None:
        """Hold it. Refused while another program does."""
        fd = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(fd, 0)
            os.pwrite(fd, f"{self._holder} (process {os.getpid()})".encode(), 0)
        except BlockingIOError:
            holder = os.pread(fd, LONGEST, 0).decode("utf-8", "replace") or "another program"
            os.close(fd)
            raise ConversationBusy(
                f"the agent is at work in this conversation, in {holder}",
                hint="wait for the end of its turn, stop it there, or begin another conversation",
            ) from None
        except OSError:
            os.close(fd)
            raise
        self._fd = fd

    def is_free(self) -> bool:
        """Whether nobody holds it."""
        if self.is_held:
            return False
        try:
            self.take()
        except ConversationBusy:
            return False
        self.release()
        return True

    def release(self) -> None:
        """The turn has ended."""
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = None
