"""Decisions about files that are open in an editor, with what was typed there and is not saved yet.

One step under the project's lock: the typing is put into the file as a person's, then the decision is made,
and the answer says how the editor's text becomes that of the file. Only texts of files that the decision
writes are taken in: to accept what stands in a file changes nobody's text, and saves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.desk import Desk
from blueline.desk.screens.editor_file import range_document
from blueline.desk.screens.typed_text import Missed, check_text
from blueline.diff.editor_places import as_filed, as_shown, plain, spot_edits
from blueline.errors import BluelineError
from blueline.kernel import disk
from blueline.model.dependents import Dependents
from blueline.model.verdict import Verdict
from blueline.review.deciding.planning import FilePlan
from blueline.review.file import File

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.editors import BufferAnswer, EditorDecisionDocument, EditorEdit


class NotAsSeen(BluelineError):
    """What somebody decided about is not what they saw. Nothing was written."""

    def __init__(self, now: Sequence[str]) -> None:
        super().__init__("this has changed while you read it", hint="look at it again")
        self.now = [*now]
        """The hunks that took its place."""


class NotTakenIn(BluelineError):
    """What is typed in an editor could not be put into its file. Nothing was decided."""


class Buffer(NamedTuple):
    """A file that is open in an editor."""

    uri: str
    path: str
    version: int
    text: str
    base: str | None
    """What the file held when the text was last that of the file; None if nobody knows."""

    @property
    def typed(self) -> str | None:
        """What the file should hold, if only this was typed; None if nobody knows."""
        return None if self.base is None else as_filed(self.base, self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionWish:
    """What somebody wants to be decided."""

    verdict: Verdict
    selectors: tuple[str, ...]
    everything: bool = False
    dependents: Dependents = "ask"
    reason: str = ""
    expect: Mapping[str, str] = field(default_factory=dict)
    """The digest of each hunk that was seen, by its id."""


class EditorDesk:
    """The verbs of an editor. The desk has the project open."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._project = desk.project

    def decide(self, wish: DecisionWish, buffers: Sequence[Buffer]) -> EditorDecisionDocument:
        """Take in what is typed where it matters, and decide."""
        self.must_be_as_seen(wish)
        if not any(map(self._is_typed_in, buffers)):
            numbers = self._numbers(buffers)
            document = self._decided(wish, dry_run=False)
            return self._answer(document, buffers, _only(numbers, _touched(document)))
        trial = self.tried(wish)
        if trial["needs"]:
            return {**trial, "files": []}
        numbers = self._taken_in(buffers, _touched(trial))
        return self._answer(self._decided(wish, dry_run=False), buffers, numbers)

    def undo(self, decision: str | None, buffers: Sequence[Buffer]) -> EditorDecisionDocument:
        """Take a decision back: the last, or the one named."""
        numbers = self._taken_in(buffers, _written(self._project.undo.plans(decision)))
        return self._answer(self._desk.undo(decision), buffers, numbers)

    def redo(self, buffers: Sequence[Buffer]) -> EditorDecisionDocument:
        """Take back the latest undo."""
        numbers = self._taken_in(buffers, _written(self._project.undo.plans(None, again=True)))
        return self._answer(self._desk.redo(), buffers, numbers)

    def must_be_as_seen(self, wish: DecisionWish) -> None:
        """Fails with `NotAsSeen` if a hunk is not what somebody was shown of it."""
        now = self._desk.workbench.stale(wish.expect)
        if now is not None:
            raise NotAsSeen(now)

    def tried(self, wish: DecisionWish) -> DecisionDocument:
        """What a decision would do."""
        return self._decided(wish, dry_run=True)

    def _decided(self, wish: DecisionWish, *, dry_run: bool) -> DecisionDocument:
        return self._desk.decide(
            wish.verdict,
            wish.selectors,
            everything=wish.everything,
            dependents=wish.dependents,
            reason=wish.reason,
            dry_run=dry_run,
        )

    def _taken_in(self, buffers: Iterable[Buffer], paths: Set[str]) -> dict[str, int]:
        """Put what is typed into the files at some paths; the number of each that is open, by path."""
        concerned = [buffer for buffer in buffers if buffer.path in paths]
        for buffer in concerned:
            if self._is_typed_in(buffer):
                self._take_in(buffer)
        return self._numbers(concerned)

    def _is_typed_in(self, buffer: Buffer) -> bool:
        """Whether a text is not what its file holds, as far as that is a text under review."""
        file = self._project.store.ledger.file_at(buffer.path)
        live = None if file is None else file.live.plain
        return live is not None and plain(live) != plain(buffer.text)

    def _numbers(self, buffers: Iterable[Buffer]) -> dict[str, int]:
        """The files of some texts, by path: a decision may move them."""
        files = [(one.path, self._project.store.ledger.file_at(one.path)) for one in buffers]
        return {path: file.number for path, file in files if file is not None}

    def _take_in(self, buffer: Buffer) -> None:
        if buffer.base is None or buffer.typed is None:
            raise NotTakenIn(
                f"{buffer.path} is not what the editor shows, and nobody knows what was typed",
                hint="save it, or load it again from disk",
            )
        check_text(buffer.typed)
        revision = disk.blob_id(buffer.base.encode("utf-8"))
        saved = self._desk.workbench.save(buffer.path, revision, buffer.base, buffer.typed)
        if isinstance(saved, Missed):
            raise NotTakenIn(
                f"what you typed into {buffer.path} could not be put into the file: {saved.why}",
                hint="it is still in the editor; look at the file as it is now",
            )

    def _answer(
        self, document: DecisionDocument, buffers: Sequence[Buffer], numbers: Mapping[str, int]
    ) -> EditorDecisionDocument:
        ledger = self._project.store.ledger
        files: list[BufferAnswer] = []
        for buffer in buffers:
            file = ledger.file(numbers[buffer.path]) if buffer.path in numbers else None
            if file is not None:
                files.append(self._buffer_answer(buffer, file))
        return {**document, "files": files}

    def _buffer_answer(self, buffer: Buffer, file: File) -> BufferAnswer:
        text = file.live.plain
        answer: BufferAnswer = {
            "uri": buffer.uri,
            "path": buffer.path,
            "buffer": buffer.version,
            "revision": None if text is None else disk.blob_id(text.encode("utf-8")),
            "edits": [] if text is None else edits_to(buffer.text, text),
        }
        if text is not None and file.live.path != buffer.path:
            answer["moved"] = file.live.path
        return answer


def edits_to(shown: str, filed: str) -> list[EditorEdit]:
    """What makes an editor's text that of a file."""
    found = spot_edits(shown, as_shown(filed, shown))
    return [{"range": range_document(one.range), "newText": one.text} for one in found]


def _only(numbers: Mapping[str, int], paths: Set[str]) -> dict[str, int]:
    return {path: number for path, number in numbers.items() if path in paths}


def _written(plans: Iterable[FilePlan]) -> set[str]:
    """The files that become others, by their paths now."""
    return {one.before.live.path for one in plans if one.before.live != one.after.live}


def _touched(trial: DecisionDocument) -> set[str]:
    """The files that a decision writes, by the paths before it and after it."""
    if not trial["written"]:
        return set()
    return {*trial["written"], *(one["path"] for one in trial["results"])}
