"""Who wrote each line of a file: what was recorded, and below that what git knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blueline.desk.documents import actor_document
from blueline.desk.project_store import Store
from blueline.desk.selectors import Selectors, UnknownSelector
from blueline.diff.edits import split_lines
from blueline.diff.sequences import changes
from blueline.errors import BluelineError
from blueline.model.ids import CALL, TURN
from blueline.model.text import as_text
from blueline.review.file import File
from blueline.review.line_authors import LineAuthor, line_authors
from blueline.review.operation import BASE
from blueline.workspace.git_blame import CommittedLine, committed_lines
from blueline.workspace.tree import Tree

if TYPE_CHECKING:
    from blueline.contract.blame import BlameDocument, BlameLineDocument


class Blame:
    """Answers for the lines of one project's files."""

    def __init__(self, store: Store, selectors: Selectors, tree: Tree) -> None:
        self._store = store
        self._ledger = store.ledger
        self._selectors = selectors
        self._tree = tree

    def of(self, typed: str) -> BlameDocument:
        """The lines of the file at a path, as it is now."""
        path = self._selectors.relative(typed)
        file = None if path is None else self._ledger.file_at(path)
        text = None if path is None else self._text(path, file)
        if path is None or text is None:
            raise UnknownSelector(f"{typed!r} is no text file of this project", hint="name a file")
        lines = split_lines(text)
        older = self._older(path, lines)
        found = [self._line(number, line, older[number]) for number, line in enumerate(lines)]
        if file is not None:
            for number, author in enumerate(line_authors(file)):
                if author.operation != BASE:
                    found[number] = self._recorded(found[number], file, author)
        return {"path": path, "lines": found}

    def _text(self, path: str, file: File | None) -> str | None:
        if file is not None:
            return file.live.text if file.live.node.kind == "text" else None
        try:
            return as_text(self._tree.content(path))
        except (BluelineError, ValueError, OSError):
            return None

    def _older(self, path: str, lines: list[str]) -> list[CommittedLine | None]:
        """For each line as it is the one of the last commit that it is, if it is one."""
        content, committed = committed_lines(self._store.root, path)
        before = split_lines(as_text(content) or "")
        found: list[CommittedLine | None] = [None] * len(lines)
        if len(before) != len(committed):
            return found
        old_at = new_at = 0
        for a, b, c, d in [*changes(before, lines), (len(before), len(before), len(lines), len(lines))]:
            found[new_at:c] = committed[old_at:a]
            old_at, new_at = b, d
        return found

    def _line(self, number: int, text: str, older: CommittedLine | None) -> BlameLineDocument:
        return {
            "line": number + 1,
            "text": text.removesuffix("\n"),
            "actor": None,
            "call": None,
            "turn": None,
            "at": None if older is None else older.at,
            "pending": False,
            "commit": None if older is None else older.commit,
            "author": None if older is None else older.author,
            "summary": None if older is None else older.summary,
        }

    def _recorded(self, line: BlameLineDocument, file: File, author: LineAuthor) -> BlameLineDocument:
        operation = file.operations[author.operation]
        call = self._ledger.call(operation.call) if operation.call is not None else None
        turn = None if call is None else self._ledger.turn(call.turn)
        return {
            **line,
            "actor": actor_document(operation.actor),
            "call": None if call is None else CALL.id(call.number),
            "turn": None if call is None else TURN.id(call.turn),
            "at": operation.at,
            "pending": author.pending,
            "commit": None,
            "author": None,
            "summary": turn.prompt.strip().partition("\n")[0] if turn is not None else None,
        }
