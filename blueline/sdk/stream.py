"""Text that arrives in pieces and grows in a file, while people go on typing there."""

import threading
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Literal

from blueline.model.file_state import Absent, FileState, Regular
from blueline.model.text import as_text
from blueline.sdk.conversation_record import ConversationRecord, seen, whole
from blueline.sdk.edited_files import RAW, FoundContent, Moved, ProjectFiles
from blueline.sdk.outcome import EditRefused, Outcome, StreamOver
from blueline.sdk.region import Region

Place = int | Literal["end", "start", "whole"]

WRITE_EVERY = 0.25
"""Seconds from one write to the next, at least. Pieces that come in between go together."""

BYTES_A_SECOND = 256 << 10
"""That much is written and stored each second, at most: a larger file is written less often."""

SHARE = 4
"""One part in that many of the time goes into writing, at most."""

PATIENCE_SECONDS = 2.0
"""How long the end of a stream waits for a program that has the file open."""

BUSY_SECONDS = 0.02

Ended = Callable[["Stream"], None]


class FileBusy(Exception):
    """The file cannot be written just now."""


class Stream:
    """One call whose text is still coming. As a context, it ends with it: whole, or broken by an error.

    The file is always what people made of it, with the text in its place: each write compares it with what
    the last one left, and what somebody typed in between stays.
    """

    def __init__(
        self,
        files: ProjectFiles,
        record: ConversationRecord,
        path: str,
        call: str,
        *,
        tool: str,
        at: Place,
        replace: str,
        on_end: Ended,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self.call = call
        self.outcome: Outcome | None = None
        """None while it is open."""
        self._files = files
        self._record = record
        self._tool = tool
        self._on_end = on_end
        self._clock = clock
        self._waiting: list[str] = []
        self._next_write = clock()
        self._guard = threading.RLock()
        self._lost = ""
        """Why nothing can be written any more."""
        mode = record.mode
        self._is_held, self._is_recorded = mode == "hold", mode != "direct"
        with files.lock():
            found = files.read(path)
            self._state: FileState = found.state
            """The file as it was last read or written, and below its text."""
            self._region = region_of(found.text or "", at, replace)
            if not self._is_held:
                self._say("before")

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self.break_off(f"{type(error).__name__}: {error}".rstrip(": "))

    def write(self, chunk: str, *, last: bool = False) -> None:
        """Add a piece; with `last`, that was all."""
        is_due = self.take(chunk)
        if last:
            self.close()
        elif is_due:
            self.flush()

    def pour(self, chunks: Iterable[str]) -> None:
        """Add all pieces that come."""
        for chunk in chunks:
            self.write(chunk)

    def take(self, chunk: str) -> bool:
        """Remember a piece, without touching the file; whether it is time to `flush`."""
        self._must_be_open()
        if chunk:
            self._waiting.append(chunk)
        return bool(self._waiting) and not self._is_held and self._clock() >= self._next_write

    def flush(self) -> None:
        """Let the file hold all that has come, unless somebody else is just writing to it."""
        if self._is_held:
            return
        with self._guard:
            began = self._clock()
            text, self._waiting = "".join(self._waiting), []
            cut = self._writable(text)
            done = 0
            try:
                if cut:
                    with self._files.lock():
                        self._write(whole(text[:cut]))
                    done = cut
            except FileBusy:
                pass
            finally:
                if done < len(text):
                    self._waiting.insert(0, text[done:])
            ended = self._clock()
            size = self._state.size if isinstance(self._state, Regular) else 0
            self._next_write = ended + max(WRITE_EVERY, SHARE * (ended - began), size / BYTES_A_SECOND)
            self._must_be_open()

    def _writable(self, text: str) -> int:
        """How much of what has come can be written before the rest comes."""
        if self._region.has_rest:
            return text.rfind("\n") + 1
        # Of half a character, the other half may still come.
        return len(text) - 1 if "\ud800" <= text[-1:] <= "\udbff" else len(text)

    def close(self) -> Outcome:
        """All has come: the call is done."""
        return self.break_off("")

    def cancel(self) -> Outcome:
        """No more will come. What has arrived stays, for somebody to accept or reject."""
        return self.break_off("cancelled")

    def break_off(self, why: str) -> Outcome:
        """As `cancel`, for a reason."""
        with self._guard:
            if self.outcome is None:
                # If the end goes wrong, it is the end all the same.
                self.outcome = self._outcome(complete=False)
                try:
                    self.outcome = self._propose(why) if self._is_held else self._finish(why)
                finally:
                    self._on_end(self)
            return self.outcome

    def _must_be_open(self) -> None:
        if self.outcome is not None or self._lost:
            why = self._lost or "it was closed"
            raise StreamOver(f"the stream to {self.path} has ended: {why}", hint="begin another")

    def _outcome(self, *, complete: bool, landed: bool = False, held: bool = False) -> Outcome:
        return Outcome(path=self.path, call=self.call, landed=landed, held=held, complete=complete)

    def _finish(self, why: str) -> Outcome:
        text = whole("".join(self._waiting))
        until = self._clock() + PATIENCE_SECONDS
        while True:
            try:
                with self._files.lock():
                    if text or (not why and (self._region.has_rest or isinstance(self._state, Absent))):
                        self._write(text, is_all=not why)
                    why = why or self._lost
                    self._say("after", why=why)
                    return self._outcome(complete=not why, landed=not self._lost)
            except FileBusy as busy:
                if self._clock() > until:
                    raise self._unfinished(str(busy)) from None
                time.sleep(BUSY_SECONDS)

    def _unfinished(self, why: str) -> EditRefused:
        """The last pieces cannot be written."""
        self._say("after", why=why)
        message = f"the last of the stream was not written to {self.path}: {why}"
        return EditRefused(message, hint="close the file in other programs")

    def _propose(self, why: str) -> Outcome:
        text = whole("".join(self._waiting))
        with self._files.lock():
            now = self._files.read(self.path)
            self._follow(now)
            content = self._region.grown(text, is_all=not why).text
            if (why and not text) or content == now.text:
                return self._outcome(complete=not why)
            if any(as_text(side.encode("utf-8", RAW)) is None for side in (now.text or "", content)):
                raise EditRefused(f"{self.path} is not text, so no edit of it can be proposed")
            self._say("before", why=why, held=True, content=content)
        return self._outcome(complete=not why, held=True)

    def _write(self, text: str, *, is_all: bool = False) -> None:
        """Put a text in its place, on top of what others did to the file meanwhile. Needs the lock."""
        while not self._lost:
            before, after = self._region, self._region.grown(text, is_all=is_all)
            try:
                self._state = self._files.replace(self.path, self._state, after.text)
            except Moved as moved:
                self._meet(moved)
                continue
            self._region = after
            is_more = len(after.text) == len(before.text) + len(text)
            self._say("after", partial=True, inserted=(before.at, len(text)) if is_more else None)
            return

    def _meet(self, moved: Moved) -> None:
        """Somebody else changed the file, or is about to."""
        try:
            now = self._files.read(self.path)
        except EditRefused:
            now = FoundContent(self._files.look(self.path), None)
        if now.state == self._state:
            raise FileBusy(moved.why)
        self._follow(now)
        self._say("found")

    def _follow(self, now: FoundContent) -> None:
        """The place of the stream is where the text of others leaves it."""
        if now.text is None and not isinstance(self._state, Absent):
            self._lost = "the file is gone"
        self._state = now.state
        self._region = self._region.within(now.text or "")

    def _say(
        self,
        event: str,
        *,
        why: str = "",
        partial: bool = False,
        held: bool = False,
        content: str | None = None,
        inserted: tuple[int, int] | None = None,
    ) -> None:
        if not self._is_recorded:
            return
        ends = event == "after" and not partial
        about = {
            "call": self.call,
            "tool": self._tool,
            "exact": True,
            "content": content,
            "partial": partial,
            "inserted": inserted,
            "failed": bool(why) and ends,
            "error": whole(why) or None,
            "incomplete": bool(why),
        }
        # The end says nothing of the file: since the last write, others may have changed it.
        self._record.say(event, about, [] if ends else seen(self.path, self._state), held=held)


def region_of(text: str, at: Place, replace: str) -> Region:
    """Where a stream begins, and what it replaces."""
    if replace:
        count = text.count(replace)
        if count != 1:
            raise EditRefused(
                f"the text to replace stands {count} times in the file", hint="read the file again"
            )
        start = text.index(replace)
        return Region(text, start, start + len(replace))
    match at:
        case "start":
            return Region(text, 0, 0)
        case "end":
            return Region(text, len(text), len(text))
        case "whole":
            return Region(text, 0, len(text))
        case int() if 0 <= at <= len(text):
            return Region(text, at, at)
        case _:
            raise EditRefused(f"there is no place {at!r} in the file", hint=f"it has {len(text)} characters")
