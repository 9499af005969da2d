"""The pending changes of a project as a patch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.project_store import Store
from blueline.desk.selectors import Selectors
from blueline.diff.named_hunks import Owner
from blueline.diff.unified import PatchSide, unified
from blueline.model.answer import ACCEPTED, REJECTED, UNDECIDED
from blueline.model.piece import Piece, PieceAnswer
from blueline.model.text import as_text
from blueline.review.deciding.hunks import hunks
from blueline.review.deciding.planning import FilePlan
from blueline.review.deciding.sides import sides_of
from blueline.review.file import File
from blueline.review.medium.choice import in_sections, on_disk
from blueline.review.medium.file_views import readable_patch
from blueline.review.setting import Content
from blueline.review.weave.weave import IMAGINED

if TYPE_CHECKING:
    from blueline.contract.overview import DiffDocument, DiffFileDocument


Places = dict[tuple[str, int, int], list[tuple[int, int]]]
"""Stretches of insertions and deletions, by what they are of."""


class _Change(NamedTuple):
    """One file of a patch."""

    old: Content
    new: Content
    owners: list[Owner]


class Patches:
    """Draws up patches of one project."""

    def __init__(self, store: Store, selectors: Selectors) -> None:
        self._store = store
        self._ledger = store.ledger
        self._selectors = selectors

    def patch(self) -> str:
        """Everything pending as a patch that git can apply."""
        return "".join(self._text(change, for_people=False) for change in self._changes(()))

    def difference(self, selectors: Sequence[str]) -> DiffDocument:
        """The pending changes as a unified diff, from the baseline to the file as it is.

        Each place of it is named for its hunks. It is for people: section by section, where a file has some.
        """
        found = self._changes(selectors)
        texts = [self._text(change, for_people=True) for change in found]
        files = [_counted(one.new.path, text) for one, text in zip(found, texts, strict=True) if text]
        return {"diff": "".join(texts), "files": files}

    def effect(self, plans: Iterable[FilePlan]) -> str:
        """What a decision would change in the files, as a unified diff."""
        found = sorted(plans, key=lambda one: one.before.live.path)
        return "".join(
            self._text(_Change(one.before.live, one.after.live, []), for_people=True) for one in found
        )

    def _changes(self, selectors: Sequence[str]) -> list[_Change]:
        """Every file of a selection, as agreed and with the selection alone accepted, by path."""
        selection = self._selectors.select(selectors, everything=not selectors)
        found = []
        for file, pieces in selection.files.values():
            chosen = [PieceAnswer(piece, ACCEPTED) for piece in pieces]
            accepted = file.answered(chosen, IMAGINED)
            rest = [PieceAnswer(piece, REJECTED) for piece, _ in accepted.undecided]
            shown = accepted.answered(rest, IMAGINED).live
            found.append((file.live.path, _Change(file.baseline, shown, self._owners(file, pieces))))
        return [change for _, change in sorted(found, key=lambda one: one[0])]

    def _owners(self, file: File, pieces: Sequence[Piece]) -> list[Owner]:
        """The hunks that some pieces are of, with their lines in the baseline."""
        sides = sides_of(file)
        places: Places = {}
        for piece in pieces:
            places.setdefault((piece.kind, piece.op, piece.target), []).append((piece.start, piece.end))
        found = [
            hunk
            for hunk in hunks(file, self._ledger.counters.salt)
            if hunk.state in UNDECIDED and hunk.listed and any(_is_in(one, places) for one in hunk.pieces)
        ]
        return [Owner(hunk.id, side.start, side.end) for hunk in found for side in [sides.of(hunk)[0]]]

    def _text(self, change: _Change, *, for_people: bool) -> str:
        old, new, owners = change
        if for_people and (text := readable_patch(old, new)) is not None:
            return text
        if not for_people or in_sections(old) or in_sections(new):
            owners = []  # the lines of its file are not those that it is reviewed by
        return unified(_side(self._raw(old)), _side(self._raw(new)), owners)

    def _raw(self, content: Content) -> Content:
        """A content with the text that stands in the file."""
        if not in_sections(content):
            return content
        return replace(content, text=as_text(on_disk(content, self._store.read)))


def _is_in(piece: Piece, places: Places) -> bool:
    """Whether a piece has something in common with others, which may be cut otherwise."""
    found = places.get((piece.kind, piece.op, piece.target), ())
    own = piece.start, piece.end
    return own in found or any(start < piece.end and piece.start < end for start, end in found)


def _side(content: Content) -> PatchSide:
    match content.node.kind:
        case "absent" | "folder":  # a patch cannot speak of folders
            return PatchSide(content.path, "", 0)
        case "link":
            return PatchSide(content.path, str(content.node.value), 0o120000)
        case _:
            return PatchSide(content.path, content.text, 0o100755 if content.mode & 0o100 else 0o100644)


def _counted(path: str, patch: str) -> DiffFileDocument:
    """How much of a file is in a patch of it."""
    head, _, body = patch.partition("\n@@ ")
    signs = [line[:1] for line in body.split("\n")[1:]]
    return {
        "path": path,
        "added": signs.count("+"),
        "removed": signs.count("-"),
        "binary": head.rstrip().endswith(" differ"),
    }
