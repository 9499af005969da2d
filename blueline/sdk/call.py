"""A call of which it is only known where it works: that is looked at before and after."""

import os
from collections.abc import Iterable
from types import TracebackType

from blueline.hook import capture, recorder
from blueline.kernel import disk, processes, sight
from blueline.sdk.conversation_record import ConversationRecord, whole
from blueline.sdk.edited_files import ProjectFiles


class WatchedCall:
    """A context: what happens in it to the files named, or to any file, is the agent's doing."""

    def __init__(
        self,
        files: ProjectFiles,
        record: ConversationRecord,
        tool: str,
        call: str,
        paths: Iterable[str | os.PathLike[str]] | None,
        command: str = "",
    ) -> None:
        self.call = call
        self._record = record
        self._files = files
        self._about: dict[str, object] = {"call": call, "tool": tool}
        self.command = command
        """What is run, as far as it is known."""
        self._root = os.fsencode(files.root)
        self._paths = None
        if paths is not None:
            self._paths = [os.path.join(self._root, os.fsencode(path)) for path in paths]
        self._begun = False

    def __enter__(self) -> "WatchedCall":
        if self._record.mode != "direct":
            self._say("before", self._about)
            self._begun = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._begun:
            why = None if error is None else whole(f"{type(error).__name__}: {error}".rstrip(": "))
            self._say("after", {**self._about, "failed": error is not None, "error": why})

    def _say(self, event: str, about: dict[str, object]) -> None:
        about = {**about, "command": self.command or None}
        if self._paths is not None:
            seen = recorder.looks(self._root, self._paths, self._files.blobs.put) if self._paths else []
            self._record.say(event, about, seen)
            return
        # The lock of the look is held until the record is written: so looks are recorded in their order.
        try:
            with capture.Capture(self._root, os.fsencode(self._files.state)) as now:
                self._record.say(event, about, now.look() + self._mark(now, event))
                now.save()
            return
        except capture.CannotLook as error:
            why = disk.escape(str(error).encode())
        except OSError as error:
            why = sight.reason(error)
        self._record.say(event, about, [b"tree-unknown " + why])

    def _mark(self, now: capture.Capture, event: str) -> list[bytes]:
        key = f"{self._record.conversation}/{self.call}"
        if event == "after":
            return now.ended(key)
        found = processes.stat(os.getpid())
        process = (os.getpid(), found[2]) if found else (0, 0)
        return now.began(key, self._record.conversation, agent=process)
