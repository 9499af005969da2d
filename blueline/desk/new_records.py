"""The records of hooks, understood: parsed, their messages interpreted, their looks at the tree completed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from blueline.blobs.store import Blobs
from blueline.desk.git_moves import with_git_moves
from blueline.desk.state_folder import iso, now
from blueline.errors import BluelineError
from blueline.journal.frames import Frame
from blueline.journal.log import Journal
from blueline.journal.observation import Observation, parse, parse_all, sightings
from blueline.model.ids import BlobId
from blueline.model.notice import CallBegan, Notice
from blueline.model.tree_look import TreeLook
from blueline.review.intake.records import SeenRecord
from blueline.review.intake.taking import ObservedFiles
from blueline.review.ledger import Call

Interpret = Callable[[str, bytes], Iterable[Notice]]
"""An agent's name and its message in; what the message says happened out."""


class RecordReader:
    """Reads what hooks wrote down. Each step is taken for all records before the next is."""

    def __init__(
        self,
        root: Path,
        journal: Journal,
        blobs: Blobs,
        read: Callable[[BlobId], bytes | None],
        interpret: Interpret,
        warn: Callable[[str], None],
    ) -> None:
        self._root = root
        self._journal = journal
        self._blobs = blobs
        self._read = read
        self._interpret = interpret
        self._warn = warn

    def understood(self, frames: Sequence[Frame]) -> list[SeenRecord]:
        """What each record says."""
        observations = parse_all(frame.payload for frame in frames)
        messages = [self._message(one) for one in observations]
        said = [
            [] if raw is None or isinstance(seen, BluelineError) else [*self._interpret(seen.agent, raw)]
            for seen, raw in zip(observations, messages, strict=True)
        ]
        return [
            SeenRecord(*self._look(seen, frame.start), notices if raw is not None else [])
            for frame, seen, raw, notices in zip(frames, observations, messages, said, strict=True)
        ]

    def at(self, offset: int | None) -> tuple[Observation | None, list[Notice]]:
        """The observation at an offset of the journal, and what it says; nothing when it was purged."""
        if offset is None:
            return None, []
        try:
            seen = parse(self._journal.at(offset).payload)
            raw = seen.raw if seen.raw_blob is None else self._blobs.get(seen.raw_blob)
        except BluelineError:
            return None, []
        return seen, [*self._interpret(seen.agent, raw or b"")]

    def beginning(self, call: Call) -> CallBegan | None:
        """What the agent said when a call began."""
        _, notices = self.at(call.about.record)
        return next((notice for notice in notices if isinstance(notice, CallBegan)), None)

    def knew_nothing(self, call: Call) -> bool:
        """Whether the tree was looked at for the first time when a call began."""
        seen, _ = self.at(call.about.record)
        return seen is not None and seen.tree is not None and seen.tree.is_first

    def _message(self, seen: Observation | BluelineError) -> bytes | None:
        """What the agent said; None, with a warning, if that is lost."""
        try:
            if isinstance(seen, BluelineError):
                raise seen
            return (seen.raw if seen.raw_blob is None else self._blobs.get(seen.raw_blob)) or b""
        except BluelineError as error:
            self._warn(f"a record of an agent's event cannot be read: {error}")
            return None

    def _look(self, seen: Observation | BluelineError, record: int) -> tuple[str, ObservedFiles]:
        if isinstance(seen, BluelineError):
            return now(), ObservedFiles(
                agent="", path=None, outside=None, state=None, held=False, record=record
            )
        look = ObservedFiles(
            agent=seen.agent,
            path=seen.path,
            outside=seen.outside,
            state=seen.state,
            held=seen.mode == "hold",
            record=record,
            several=seen.looks,
            tree=self._tree(seen),
            process=seen.process,
        )
        try:
            return iso(seen.at_ns), look
        except (OverflowError, ValueError):  # a clock that was far off
            return now(), look

    def _tree(self, seen: Observation) -> TreeLook | None:
        """What an observation says of the whole tree, with what stands elsewhere."""
        tree = seen.tree
        if tree is not None and seen.changes_blob is not None:
            content = self._read(seen.changes_blob)
            if content is None:
                return TreeLook(unknown="what was seen is lost")
            tree = replace(tree, sightings=sightings(content))
        return None if tree is None else with_git_moves(tree, self._root, self._read)
