"""What is pending, as whole contents with the words that came with it: for those who offer it elsewhere."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from blueline.desk.config import PATH, ConfigUnusable, agreed
from blueline.desk.open_project import OpenProject
from blueline.desk.screens.workbench import Workbench
from blueline.desk.selectors import UnknownSelector
from blueline.desk.talkback.notes import NoteTarget
from blueline.errors import BluelineError
from blueline.model.answer import ACCEPTED, REJECTED, UNDECIDED
from blueline.model.ids import CALL, TURN
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.file import File
from blueline.review.ledger import Turn
from blueline.review.medium.choice import composed
from blueline.review.setting import Content
from blueline.review.weave.weave import IMAGINED

PROGRAM, FILE, LINK = 0o100755, 0o100644, 0o120000


class Unavailable(BluelineError):
    """Something was recorded and is not there any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathContent:
    """What stands at a path: a mode as git writes it, and bytes; a link's bytes are its target."""

    mode: int
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingFile:
    """One file with something undecided in it."""

    path: str
    old_path: str
    old: PathContent | None
    """As agreed; None if there was nothing."""
    new: PathContent | None
    """With what was selected, and nothing else that is undecided."""
    of: tuple[str, ...]
    """Ids of its hunks, then of their calls, then of their turns."""
    words: tuple[str, ...]
    """What agents said of these changes."""
    prompts: tuple[str, ...]
    """What they were asked for."""
    is_new: bool = False
    """An agent made the file, whoever else has written in it since."""
    problem: str = ""
    """Why it cannot be offered."""


class PendingFiles:
    """A part of the desk, which has the project open."""

    def __init__(self, project: OpenProject) -> None:
        self._project = project
        self._store = project.store
        self._ledger = project.store.ledger

    def config(self) -> bytes:
        """The project's config as agreed: what an agent wrote there counts only when somebody accepted it."""
        try:
            return agreed(self._project.root, self._ledger)
        except ConfigUnusable as error:
            raise BluelineError(f"{PATH} cannot be used: {error}", hint="put a file there") from error

    def pending(self, selectors: Sequence[str] = ()) -> list[PendingFile]:
        """What the selectors mean, or everything pending, file by file."""
        selection = self._project.selectors.select(selectors, everything=not selectors)
        if selection.stale:
            first = selection.stale[0]
            raise UnknownSelector(
                f"{first.hunk} was split", hint=f"use the ids that took its place: {first.now}"
            )
        found = [self._file(file, pieces) for file, pieces in selection.files.values() if pieces]
        return sorted(found, key=lambda one: one.path)

    def _file(self, file: File, pieces: Sequence[Piece]) -> PendingFile:
        with_chosen = file.answered([PieceAnswer(piece, ACCEPTED) for piece in pieces], IMAGINED)
        rest = [PieceAnswer(piece, REJECTED) for piece, _ in with_chosen.undecided]
        shown = with_chosen.answered(rest, IMAGINED).live
        places = {_place(piece) for piece in pieces}
        parts = [
            hunk
            for hunk in hunks(file, self._ledger.counters.salt)
            if hunk.state in UNDECIDED and not places.isdisjoint(_place(piece) for piece in hunk.pieces)
        ]
        calls = _unique(hunk.operation.call for hunk in parts)
        known = [call for number in calls if (call := self._ledger.call(number)) is not None]
        turns = [
            turn for number in _unique(call.turn for call in known) if (turn := self._ledger.turn(number))
        ]
        words = [call.about.reason or call.about.description for call in known]
        problem = self._problem(file.baseline, shown, parts)
        return PendingFile(
            path=shown.path,
            old_path=file.baseline.path,
            old=None if problem else self._content_of(file.baseline),
            new=None if problem else self._content_of(shown),
            of=(
                *(hunk.id for hunk in parts),
                *(CALL.id(call.number) for call in known),
                *(TURN.id(turn.number) for turn in turns),
            ),
            words=tuple(dict.fromkeys(word for word in words if isinstance(word, str) and word.strip())),
            prompts=tuple(dict.fromkeys(turn.prompt for turn in turns if turn.prompt)),
            is_new=any(hunk.kind == "create" for hunk in parts),
            problem=problem,
        )

    def _problem(self, old: Content, new: Content, parts: Sequence[Hunk]) -> str:
        if any(not hunk.operation.complete for hunk in parts):
            return "what it held before is not known"
        if any(side.node.kind in ("folder", "unknown") for side in (old, new)):
            return "it is not a file"
        return ""

    def _content_of(self, content: Content) -> PathContent | None:
        data = composed(content, self._store.read)
        if isinstance(data, str):
            data = self._store.read(data)
            if data is None:
                raise Unavailable(f"the recorded content of {content.path} is not available")
        if data is not None:
            return PathContent(mode=PROGRAM if content.mode & 0o100 else FILE, content=data)
        if content.node.kind == "link":
            return PathContent(mode=LINK, content=os.fsencode(str(content.node.value)))
        return None

    def hand_on(self, key: str, turns: Iterable[str], text: str, kind: str = "change") -> int:
        """Give somebody's words from elsewhere to the agents that made some turns, as a note on the latest
        of each conversation; how many had not been given them before. `key` names the words."""
        latest: dict[str, Turn] = {}
        for identifier in turns:
            number = TURN.number(identifier)
            turn = None if number is None else self._ledger.turn(number)
            if turn is not None and turn.number >= latest.get(turn.conversation, turn).number:
                latest[turn.conversation] = turn
        heard = {note["conversation"] for note in self._store.index.notes.scan(key=key)}
        new = [turn for conversation, turn in latest.items() if conversation not in heard]
        workbench = Workbench(self._project, for_others=True)
        for turn in new:
            target = NoteTarget(kind="turn", id=TURN.id(turn.number))
            note = workbench.write_note(target, kind, f"{text} ({key})")
            workbench.change_note(note["id"], text=None, status="sent")
        return len(new)


def _place(piece: Piece) -> tuple[str, int, int]:
    return piece.kind, piece.op, piece.target


def _unique(numbers: Iterable[int | None]) -> list[int]:
    return [*dict.fromkeys(number for number in numbers if number is not None)]
