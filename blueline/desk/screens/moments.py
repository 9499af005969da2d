"""The moments of a file: what it was after each change, with the decisions that stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blueline.desk.documents import actor_document
from blueline.desk.project_store import Store
from blueline.desk.selectors import UnknownSelector
from blueline.model.answer import IN_EFFECT, REJECTED
from blueline.model.ids import CALL, OUTSIDE
from blueline.model.piece import PieceAnswer
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.file import File
from blueline.review.medium.choice import in_sections
from blueline.review.operation import BASE, Operation
from blueline.review.weave.weave import IMAGINED

if TYPE_CHECKING:
    from blueline.contract.files import MomentDocument, MomentsDocument, MomentText

HINT = "see the list of files"


class Moments:
    """Looks back at one file."""

    def __init__(self, store: Store) -> None:
        self._ledger = store.ledger

    def of(self, path: str) -> MomentsDocument:
        """All of them, the latest first; the last is before anybody changed it."""
        file = self._file(path)
        changes = [one for number, one in sorted(file.operations.items()) if number > file.folded]
        # Also steps of which nothing shows, because a later one of the same turn took their place.
        known = [hunk for hunk in hunks(file, self._ledger.counters.salt) if hunk.pieces]
        found = [_moment(one, known) for one in changes]
        first: MomentDocument = {"id": OUTSIDE.id(BASE), "at": "", "actor": None, "call": None, "hunks": []}
        return {"path": path, "moments": [*reversed(found), first]}

    def text(self, path: str, moment: str) -> MomentText:
        """The file without all that came after a moment: what going back to it would give."""
        file, number = self._file(path), OUTSIDE.number(moment)
        if number is None or (number != BASE and (number not in file.operations or number <= file.folded)):
            raise UnknownSelector(f"{path!r} has no moment {moment!r}", hint="see /api/moments")
        later = [
            PieceAnswer(piece, REJECTED)
            for piece, mark in file.pieces()
            if mark.op > max(number, file.folded) and mark.state in IN_EFFECT
        ]
        then = file.answered(later, IMAGINED).live if later else file.live
        return {"path": path, "id": moment, "text": then.plain or ""}

    def _file(self, path: str) -> File:
        file = self._ledger.file_at(path)
        if file is None or in_sections(file.live):
            raise UnknownSelector(f"nobody has changed a text {path!r} here", hint=HINT)
        return file


def _moment(one: Operation, known: list[Hunk]) -> MomentDocument:
    return {
        "id": OUTSIDE.id(one.number),
        "at": one.at,
        "actor": actor_document(one.actor),
        "call": CALL.id_or_none(one.call),
        "hunks": [hunk.id for hunk in known if hunk.operation.number == one.number],
    }
