"""Recording what became of files: each change is said as a fact, and folded into the ledger at once."""

from collections.abc import Callable, Sequence
from datetime import datetime
from stat import S_ISDIR

from blueline.diff.cell_edits import edits_between
from blueline.model.actor import Actor
from blueline.model.edit import Edit, Replacement
from blueline.model.fact import (
    CallEnded,
    DecisionFinished,
    DecisionMade,
    Fact,
    FileChanged,
    FileGrew,
    FileSeen,
    Write,
)
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown
from blueline.model.ids import BlobId
from blueline.model.mark import ACCEPTED, HELD, PENDING
from blueline.model.notebook import Shell, is_notebook_path
from blueline.model.piece import PieceAnswer
from blueline.model.projection import digest
from blueline.model.text import as_text
from blueline.review.cells.compose import composed
from blueline.review.cells.lines import Read, ReviewedText, lines_of, shows_as
from blueline.review.cells.moved_cells import MovedCell, moved_cells, only_moved, without_undecided
from blueline.review.deciding.building import Owners, is_asked_about
from blueline.review.deciding.hunks import hunks
from blueline.review.file import ABSENT, FOLDER, Content, File, Node
from blueline.review.fold import fold_fact, state_key
from blueline.review.intake import coming_back
from blueline.review.intake.authorship import GIT, OUTSIDE, YOU, Author
from blueline.review.intake.coming_back import changes_back_to, put_back
from blueline.review.intake.formatting import FORMATTER, SOON_NS, formatting, written_by_agent
from blueline.review.intake.operation_edits import INLINE_LIMIT, fitted_edits, inline, moved_block
from blueline.review.ledger import Ledger
from blueline.review.weave.weave import IMAGINED


class Recording:
    """Collects the facts of one event."""

    def __init__(
        self,
        ledger: Ledger,
        at: str,
        read: Read,
        store: Callable[[bytes], BlobId],
        is_formatted: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self.facts: list[Fact] = []
        self._is_formatted = is_formatted
        """Whether a formatter goes over a file when it is saved."""
        self.ledger = ledger
        self.at = at
        self.read = read
        self.store = store

    def say(self, fact: Fact) -> None:
        """One more fact is true."""
        fold_fact(self.ledger, fact, self.at, self.read)
        self.facts.append(fact)

    def see(self, path: str, state: FileState) -> File:
        """A file is looked at for the first time."""
        number = self.ledger.counters.file + 1
        found = lines_of(self.ledger, state, path, None, self.read)
        self.say(FileSeen(file=number, path=path, state=state, cells=found.digest))
        return self.again(number)

    def again(self, number: int) -> File:
        """A file as it is after what was said last."""
        file = self.ledger.file(number)
        assert file is not None
        return file

    def look(
        self,
        path: str,
        state: FileState,
        *,
        old_path: str | None = None,
        author: Author = OUTSIDE,
        changed_ns: int | None = None,
    ) -> None:
        """A file was found like this; `old_path` where it stood before, `changed_ns` when it was written."""
        file = self.ledger.file_at(old_path or path)
        if file is None:
            self.see(path, state)
            return
        if isinstance(state, Unknown) or file.live.node.kind == "unknown":
            return
        if self._is_other_view(file, state, path):
            return
        if isinstance(state, Other):
            # A folder, say, stands where the file was: the file is gone.
            empty = S_ISDIR(state.mode) and file.live.node == FOLDER
            state = Folder() if empty else Absent(missing_folder="")
        if author.actor.kind == "external" and not self.is_same(file.live, state):
            self._format(file, state, changed_ns)
            file = self.come_back(self.again(file.number), state)
        if author.actor.kind == "external":
            file = self.settings_back(file, path, state)
        known = len(self.facts)
        self.operation(file, state, author, path=path)
        if len(self.facts) > known and author.call is None:
            self._wonder(path)

    def _format(self, file: File, state: FileState, changed_ns: int | None) -> None:
        """What a formatter did to an agent's text on the way to what was found belongs to that text."""
        number = written_by_agent(file)
        call = self.ledger.call(number) if number is not None else None
        text = as_text(self.read(state.blob)) if isinstance(state, Regular) else None
        if call is None or call.ended is None or changed_ns is None or text is None:
            return
        if file.live.node.kind != "text" or not self._is_formatted(file.live.path):
            return
        if changed_ns - _nanoseconds(call.ended) > SOON_NS:
            return
        edits = fitted_edits(file, text, [], op=self.ledger.counters.op + 1, first=PENDING)
        formatted = formatting(file, text, edits) if edits else None
        if formatted is not None and isinstance(state, Regular):
            data = formatted.encode("utf-8")
            between = Regular(mode=file.live.mode, size=len(data), blob=self.store(data))
            self.operation(file, between, Author(FORMATTER, call.number))

    def _wonder(self, path: str) -> None:
        """A change that nobody claims came after a call on that file whose end was not seen: say so."""
        call = self.ledger.last_call_on(path)
        if call is not None and call.outcome == "lost" and "unseen" not in call.about:
            self.say(CallEnded(call=call.number, outcome="lost", about={"unseen": True}))

    def is_same(self, live: Content, state: FileState) -> bool:
        """Whether a file holds what it was found to hold; its mode does not count."""
        match state:
            case Regular() if live.node.is_woven:
                found = self._lines(live, state)
                if found.cells != (live.node.kind == "notebook") or found.text is None:
                    return False
                return shows_as(live, found.text, self.read) if found.cells else found.text == live.text
            case Regular():
                return live.node == Node("bytes", state.blob)
            case Link():
                return live.node == Node("link", state.target)
            case Folder():
                return live.node == FOLDER
            case _:
                return live.node == ABSENT

    def _lines(self, live: Content, state: FileState, path: str | None = None) -> ReviewedText:
        return lines_of(self.ledger, state, path or live.path, live, self.read)

    def _is_other_view(self, file: File, state: FileState, path: str) -> bool:
        """Whether nothing has changed, but what is recorded as text could be shown as cells by now."""
        live = file.live
        if not isinstance(state, Regular) or not live.node.is_woven or not is_notebook_path(path):
            return False
        same = file.steps[-1].content == state.blob and (path, state.mode) == (live.path, live.mode)
        return same and self._lines(live, state).cells != (live.node.kind == "notebook")

    def settings_back(self, file: File, path: str, state: FileState) -> File:
        """The file after what its path and its mode answer by themselves."""
        mode = state.mode if isinstance(state, Regular) else None
        changes = coming_back.settings_back(file, path, mode)
        if not changes:
            return file
        number = self.ledger.counters.decision + 1
        about = hunks(file, self.ledger.counters.salt, {change.piece.op for change in changes})
        pieces = {change.piece for change in changes}
        named = tuple(hunk.id for hunk in about if pieces & set(hunk.pieces))
        self._decide_by_hand(number, file, changes, named, ())
        return self.again(file.number)

    def come_back(self, file: File, state: FileState, *, agents_only: bool = False) -> File:
        """The file after what its new content answers by itself.

        With `agents_only`, for what an agent had git do: then nothing goes that a person had typed.
        """
        changes = changes_back_to(file, self._keys_like(file, state))
        if agents_only and (
            not changes or any(_is_persons(file.operations[change.piece.op].actor) for change in changes)
        ):
            return file
        turned = file.answered(changes, IMAGINED).live if changes else file.live
        if changes and self.is_same(turned, state):
            ops = {change.piece.op for change in changes}
            about = [hunk for hunk in hunks(file, self.ledger.counters.salt, ops) if is_asked_about(hunk)]
            owners = Owners(about)
            named = {owner for change in changes if (owner := owners.of(change.piece)) is not None}
            # Of a notebook more may have changed than its lines: what was seen is recorded after this.
            after = state if turned.node.kind != "notebook" else Unknown(why="passed through")
            return self._by_hand(file, changes, tuple(h.id for h in about if h.id in named), after)
        text, cells = self._lines(file.live, state)
        if text is None or file.live.text is None or cells != (file.live.node.kind == "notebook"):
            return file
        if moved_block(file, text, tuple(edits_between(file.live.text, text, cells=cells))) is not None:
            return file
        found = put_back(file, text, self.ledger.counters.salt)
        if not found:
            return file
        changes = [PieceAnswer(piece, one.answer) for one in found for piece in one.pieces]
        is_there = not cells and file.answered(changes, IMAGINED).live.text == text
        between = state if is_there else Unknown(why="passed through")
        return self._by_hand(file, changes, tuple(one.hunk.id for one in found), between)

    def _keys_like(self, file: File, state: FileState) -> set[str]:
        """The contents that count as this one: of a notebook, all with the same lines."""
        text, cells = self._lines(file.live, state)
        if not cells or text is None:
            return {state_key(state)}
        lines = digest(text)
        return {state_key(state), *(shell.blob for shell in file.shells if shell.lines == lines)}

    def _by_hand(
        self, file: File, changes: list[PieceAnswer], hunks: tuple[str, ...], after: FileState
    ) -> File:
        path = file.answered(changes, IMAGINED).live.path
        write = Write(path=path, old_path=path, before=after, after=after)
        self._decide_by_hand(self.ledger.counters.decision + 1, file, changes, hunks, (write,))
        return self.again(file.number)

    def _decide_by_hand(
        self,
        number: int,
        file: File,
        changes: list[PieceAnswer],
        hunks: tuple[str, ...],
        writes: tuple[Write, ...],
    ) -> None:
        self.say(
            DecisionMade(
                decision=number,
                verdict="by-hand",
                reason="",
                changes=((file.number, tuple(changes)),),
                hunks=hunks,
                writes=writes,
            )
        )
        self.say(DecisionFinished(decision=number))

    def operation(
        self,
        file: File,
        state: FileState,
        author: Author,
        said: Sequence[Replacement] = (),
        *,
        exact: Edit | None = None,
        path: str | None = None,
        held: bool = False,
        missing: str = "",
        gone: str = "",
    ) -> None:
        """A file went to a new state, if it is one. `said` is what the tool was asked to replace, `exact` the
        one edit it made.

        `missing` is the outermost folder that came to be with the file, `gone` the one it left behind empty.
        """
        live = file.live
        path = path or live.path
        first = HELD if held else author.actor.first
        same = self.is_same(live, state)
        same_mode = not isinstance(state, Regular) or state.mode == live.mode
        same_bytes = live.node.kind != "notebook" or file.steps[-1].content == state_key(state)
        if isinstance(state, Other | Unknown) or (same and same_bytes and same_mode and path == live.path):
            return
        edits: tuple[Edit, ...] | None = None
        inserted: tuple[str, ...] | None = None
        fresh = False
        text, cells = self._lines(live, state, path)
        if isinstance(state, Regular) and text is not None:
            into = _into(file, cells=cells, held=held)
            if same and cells:
                edits, inserted = (), ()
            elif into is not None:
                op = self.ledger.counters.op + 1
                edits = fitted_edits(into, text, list(said), op=op, first=first, exact=exact)
                fresh = edits is None
                inserted = inline(text, edits) if edits is not None else None
                if edits and into is file and author in (OUTSIDE, YOU):
                    if cells and (carried := moved_cells(file, text, edits)):
                        self._carry(file, text, state, carried, author)
                        return
                    if not cells and (moved := moved_block(file, text, edits)):
                        self._moved(file, text, state, moved[0], edits[moved[1]], author)
                        return
                elif edits and into is file and cells and not held and path == live.path:
                    lines = only_moved(live.text or "", text, edits)
                    if lines is not None:
                        # First where it stands, then what it holds: two questions, not one.
                        self._step(file, self._put_together(file, lines, state, text), author)
                        self._step(self.again(file.number), state, author)
                        return
        self.say(
            FileChanged(
                op=self.ledger.counters.op + 1,
                file=file.number,
                actor=author.actor,
                call=author.call,
                hunk=self.ledger.counters.hunk + 1,
                path=path,
                before=file.steps[-1].content,
                after=state,
                first=first,
                edits=edits,
                inserted=inserted,
                fresh=fresh,
                missing=missing,
                gone=gone,
                complete=live.node.kind != "unknown",
                others=author.others,
                cells=ReviewedText(text, cells).digest,
            )
        )

    def grow(self, file: File, state: FileState, author: Author, at: int, length: int) -> bool:
        """What the author's last operation on a file inserted has grown; False if this is something else."""
        last = file.steps[-1]
        operation = file.operations.get(last.number) if last.kind == "op" else None
        text = as_text(self.read(state.blob)) if isinstance(state, Regular) else None
        if operation is None or text is None or file.live.plain is None or not length:
            return False
        if (operation.actor, operation.call) != (author.actor, author.call):
            return False
        if text.rstrip().endswith("}") and self._lines(file.live, state).cells:
            return False  # it is a whole notebook by now
        more = text[at : at + length]
        live = file.live.plain
        if live[:at] + more + live[at:] != text or not isinstance(state, Regular):
            return False
        after = file.grown(operation.number, at, more, state_key(state))
        if after is None or after.live.text != text or state.mode != file.live.mode:
            return False
        self.say(
            FileGrew(
                op=operation.number,
                file=file.number,
                before=last.content,
                start=at,
                length=length,
                text=more if length <= INLINE_LIMIT else None,
                after=state,
            )
        )
        return True

    def _moved(self, file: File, text: str, state: Regular, op: int, paste: Edit, mover: Author) -> None:
        """The block that `op` wrote was cut and pasted: it stays its author's at the new place."""
        without = (text[: paste.new_start] + text[paste.new_end :]).encode("utf-8")
        between = Regular(mode=state.mode, size=len(without), blob=self.store(without))
        self.operation(file, between, mover)
        author = file.operations[op]
        self.operation(self.again(file.number), state, Author(author.actor, author.call, author.others))

    def _carry(self, file: File, text: str, state: Regular, carried: list[MovedCell], mover: Author) -> None:
        """Cells with something undecided in them stand elsewhere: the mover takes along what was agreed of
        them, and what was not is its author's at the new place."""
        for number in range(len(carried)):
            between = self._put_together(file, without_undecided(text, carried[number:]), state, text)
            by = mover if not number else self._author_of(file, carried[number - 1])
            self._step(self.again(file.number), between, by)
        self._step(self.again(file.number), state, self._author_of(file, carried[-1]))

    def _put_together(self, file: File, lines: str, state: Regular, text: str) -> Regular:
        """A notebook on the way to a state with the lines `text`, as it would have been on disk."""
        shells = (*file.shells, Shell(state.blob, "person", digest(text)))
        data = composed(lines, shells, self.read)
        blob = self.store(data) if isinstance(data, bytes) else BlobId(data)
        return Regular(mode=state.mode, size=len(self.read(blob) or b""), blob=blob)

    def _author_of(self, file: File, moved: MovedCell) -> Author:
        operation = file.operations[moved.op]
        return Author(operation.actor, operation.call, operation.others)

    def _step(self, file: File, state: Regular, author: Author) -> None:
        """One operation on a notebook, whoever else may have moved something."""
        text, _ = self._lines(file.live, state)
        assert text is not None
        op = self.ledger.counters.op + 1
        edits = fitted_edits(file, text, [], op=op, first=author.actor.first)
        self.say(
            FileChanged(
                op=op,
                file=file.number,
                actor=author.actor,
                call=author.call,
                hunk=self.ledger.counters.hunk + 1,
                path=file.live.path,
                before=file.steps[-1].content,
                after=state,
                first=author.actor.first,
                edits=edits,
                inserted=inline(text, edits) if edits is not None else None,
                fresh=edits is None,
                others=author.others,
                cells=digest(text),
            )
        )


def _into(file: File, *, cells: bool, held: bool) -> File | None:
    """The file that a new text is woven into: as it is, or as the notebook that it was before."""
    if file.live.node.kind == ("notebook" if cells else "text"):
        return file
    if not cells or held or file.notebook is None or file.live.node.kind == "absent":
        return None
    return file.resumed(max(file.operations) + 1, ACCEPTED, file.notebook)


def _is_persons(actor: Actor) -> bool:
    """Whether something was typed, rather than written by an agent or brought by git."""
    return actor.first != PENDING and actor != GIT.actor


def _nanoseconds(at: str) -> int:
    """A time as events are dated, to compare it with the times of files."""
    try:
        return int(datetime.fromisoformat(at).timestamp() * 1e9)
    except ValueError:
        return 0
