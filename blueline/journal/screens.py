"""What whole screens need of the index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from blueline.journal.index import Index, path_of

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.stored import StoredNote


class Screens:
    """Queries over the documents of one project."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def hunks_since(self, turn: int) -> list[HunkDocument]:
        """The listed hunks of a turn, of later ones, and of every turn with something pending."""
        query = """select doc from hunks where listed and (status = 'pending' or turn >= ? or turn in
                   (select turn from hunks where listed and status = 'pending')) order by path, line, op"""
        return self._index.documents(query, turn)

    def hunks_of(self, turns: Iterable[int]) -> list[HunkDocument]:
        """The listed hunks of some turns, in the order of a list."""
        names = ", ".join(str(turn) for turn in turns)
        where = f"listed and turn in ({names}) order by path, line, op"
        return self._index.documents(f"select doc from hunks where {where}")

    def outside(self, most: int) -> list[tuple[int, str]]:
        """The latest operations of no call that left hunks, newest first, each with one of them."""
        query = """select op, min(id) from hunks where listed and call is null
                   group by op order by op desc limit ?"""
        return self._index.select(query, most)

    def hunks_named(self, names: Iterable[str]) -> list[HunkDocument]:
        """Hunks by their ids, as far as they are there."""
        found = [self._index.documents("select doc from hunks where id = ?", name) for name in names]
        return [one for some in found for one in some]

    def turns_of(self, hunks: Iterable[str]) -> set[int]:
        """The turns that some hunks belong to."""
        found = [self._index.select("select turn from hunks where id = ?", hunk) for hunk in hunks]
        return {turn for rows in found for (turn,) in rows if turn is not None}

    def decisions_about_turns(self) -> list[int]:
        """The decisions that are about whole turns, oldest first."""
        query = "select id from decisions where json_array_length(doc, '$.turns') order by id"
        return [number for (number,) in self._index.select(query)]

    def kinds(self) -> dict[str, str]:
        """What stands at the path of every file that has hunks."""
        query = "select path, kind from files where id in (select file from hunks where listed)"
        return {path_of(name): kind for name, kind in self._index.select(query)}

    def paths_of(self, files: Iterable[int]) -> dict[int, str]:
        """Where some files are, by number."""
        found = [(file, self._index.select("select path from files where id = ?", file)) for file in files]
        return {file: path_of(rows[0][0]) for file, rows in found if rows}

    def notes(self) -> list[StoredNote]:
        """All notes, oldest first."""
        return self._index.documents("select doc from notes order by id")

    def open_notes(self) -> dict[str, int]:
        """How many notes that are not settled each file has, by path."""
        query = """select path, count(*) from notes join files on files.id = notes.file
                   where open group by path"""
        return {path_of(name): count for name, count in self._index.select(query)}

    def open_notes_of(self, kind: str) -> int:
        """How many notes of a kind are not settled."""
        (row,) = self._index.select("select count(*) from notes where open and kind = ?", kind)
        return int(row[0])
