"""One request to an agent, and the tools it uses."""

import os
import uuid
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, TypeVar

from blueline.model.edit import Replacement
from blueline.sdk.call import WatchedCall
from blueline.sdk.conversation_record import ConversationRecord, whole
from blueline.sdk.edited_files import ProjectFiles
from blueline.sdk.outcome import EditRefused, Outcome
from blueline.sdk.requested_edit import RequestedEdit
from blueline.sdk.stream import Place, Stream

Path = str | os.PathLike[str]
Value = TypeVar("Value")


class AgentTurn:
    """The calls of one turn. As a context, the turn begins and ends with it."""

    def __init__(self, files: ProjectFiles, record: ConversationRecord, prompt: str | None) -> None:
        self._files = files
        self._record = record
        self._prompt = prompt
        self._begun = False
        self._streams: dict[str, Stream] = {}

    def __enter__(self) -> "AgentTurn":
        if self._prompt is not None and self._record.mode != "direct":
            self._record.say("prompt", {"prompt": whole(self._prompt)})
            self._begun = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for stream in list(self._streams.values()):
                stream.break_off("the turn ended")
        finally:
            if self._begun:
                self._record.say("stop", {})

    def named(self, path: Path) -> str:
        """What a path is called here: relative to the project's root, links followed."""
        return self._files.named(path)

    def edit_file(
        self, path: Path, old: str, new: str, replace_all: bool = False, *, call_id: str | None = None
    ) -> Outcome:
        """Replace a text that stands once in a file, or with `replace_all` wherever it stands.

        An empty `old` makes a new file.
        """
        return self._change("edit_file", path, call_id, edits=(_replacement(old, new, replace_all),))

    def write_file(self, path: Path, content: str, *, call_id: str | None = None) -> Outcome:
        """Let a file hold this text. The file and its folders are made if they are missing."""
        return self._change("write_file", path, call_id, content=whole(content))

    def propose_edit(
        self, path: Path, old: str, new: str, reason: str, *, call_id: str | None = None
    ) -> Outcome:
        """As `edit_file`, but the file changes only when somebody accepts it, in every mode."""
        edits = (_replacement(old, new, False),)
        return self._change("propose_edit", path, call_id, edits=edits, proposal=True, reason=whole(reason))

    def edit_cell(
        self, path: Path, cell: str, source: str, reason: str = "", *, call_id: str | None = None
    ) -> Outcome:
        """Give a cell of a notebook another source: a proposal, except in direct mode."""
        wish = {"edit_mode": "replace", "cell_id": cell, "new_source": whole(source)}
        return self._change_cell("edit_cell", path, call_id, wish, reason)

    def add_cell(
        self,
        path: Path,
        source: str,
        after: str = "",
        kind: str = "code",
        reason: str = "",
        *,
        call_id: str | None = None,
    ) -> Outcome:
        """Add a cell to a notebook, after another or before all: a proposal, except in direct mode."""
        if kind not in ("code", "markdown", "raw"):
            raise EditRefused(f"there are no {kind!r} cells", hint="code, markdown or raw")
        wish = {"edit_mode": "insert", "cell_id": after, "cell_type": kind, "new_source": whole(source)}
        wish["new_id"] = uuid.uuid4().hex[:8]
        return self._change_cell("add_cell", path, call_id, wish, reason)

    def delete_cell(self, path: Path, cell: str, reason: str = "", *, call_id: str | None = None) -> Outcome:
        """Take a cell out of a notebook: a proposal, except in direct mode."""
        return self._change_cell(
            "delete_cell", path, call_id, {"edit_mode": "delete", "cell_id": cell}, reason
        )

    def execute(
        self,
        tool: str,
        function: Callable[..., Value],
        *args: Any,
        paths: Iterable[Path] | None = None,
        call_id: str | None = None,
        **options: Any,
    ) -> Value:
        """Call a function that may change the files named, and give back what it gives.

        They are looked at before and after. Without `paths`, the whole project is. What the function does
        lands at once, in hold mode too.
        """
        with self.call(tool, paths=paths, call_id=call_id):
            return function(*args, **options)

    def call(
        self, tool: str, *, paths: Iterable[Path] | None = None, call_id: str | None = None, command: str = ""
    ) -> WatchedCall:
        """As `execute`, for what stands in a `with`. `command` is what is run, if that is worth knowing."""
        return WatchedCall(self._files, self._record, tool, call_id or _fresh(), paths, whole(command))

    def stream(
        self,
        path: Path | None = None,
        *,
        call_id: str | None = None,
        at: Place = "end",
        replace: str = "",
        tool: str = "stream_file",
    ) -> Stream:
        """Text that arrives in pieces, all of them one call.

        It goes to a place in the file: its end or start, a number of characters into it, in place of the
        `whole` content, or of the text to `replace`. With the `call_id` of a stream that is open, that one.
        """
        if call_id is not None and call_id in self._streams:
            return self._streams[call_id]
        if path is None:
            raise EditRefused(f"no stream {call_id!r} is open", hint="name the file to begin one")
        call = call_id or _fresh()
        stream = Stream(
            self._files,
            self._record,
            self._files.named(path),
            call,
            tool=tool,
            at=at,
            replace=whole(replace),
            on_end=self._forget,
        )
        self._streams[call] = stream
        return stream

    def _forget(self, stream: Stream) -> None:
        self._streams.pop(stream.call, None)

    def _change(self, tool: str, path: Path, call_id: str | None, **wish: Any) -> Outcome:
        change = RequestedEdit(tool, call_id or _fresh(), **wish)
        return change.make(self._files.named(path), self._files, self._record)

    def _change_cell(
        self, tool: str, path: Path, call_id: str | None, wish: dict[str, str], reason: str
    ) -> Outcome:
        proposal = self._record.mode != "direct"
        return self._change(tool, path, call_id, cell=wish, proposal=proposal, reason=whole(reason))


def _replacement(old: str, new: str, every: bool) -> Replacement:
    if old == new:
        raise EditRefused("old and new text are the same", hint="nothing was changed")
    return Replacement(old=whole(old), new=whole(new), every=every)


def _fresh() -> str:
    return uuid.uuid4().hex[:12]
