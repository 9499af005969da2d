"""Recording what became of files: each change is said as a fact, and folded into the ledger at once."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from blueline.model.answer import ACCEPTED, HELD
from blueline.model.edit import Edit, KeptLine, Replacement
from blueline.model.fact import (
    DecisionFinished,
    DecisionMade,
    Fact,
    FileChanged,
    FileFormatted,
    FileGrew,
    FileSeen,
    Write,
)
from blueline.model.file_state import FileState, Folder, Link, Other, Regular, Unknown
from blueline.model.ids import BlobId
from blueline.model.piece import PieceAnswer
from blueline.model.verdict import BY_GIT, BY_HAND
from blueline.review.file import File
from blueline.review.fold import fold_fact
from blueline.review.fold_files import state_key
from blueline.review.intake.authorship import GIT, Author
from blueline.review.intake.formatters import Formatting, kept_lines
from blueline.review.intake.operation_edits import INLINE_LIMIT, claiming_line_ends, fitted_edits, inline
from blueline.review.ledger import Ledger
from blueline.review.medium.choice import NOT_TEXT, media_for, medium_of, read_stored, shown_in
from blueline.review.medium.medium import Medium, Read, Reading
from blueline.review.operation import Join, first_answer
from blueline.review.setting import ABSENT, FOLDER, Content, Node


class FoundChange(NamedTuple):
    """A file was found like this, and whoever it was is known: what has happened to it?"""

    path: str
    state: FileState
    author: Author
    said: Sequence[Replacement] = ()
    """What the tool was asked to replace."""
    exact: Edit | None = None
    """The one edit that it made, if somebody knows."""
    held: bool = False
    missing: str = ""
    """The outermost folder that came to be with the file."""
    gone: str = ""
    """The outermost folder that it left behind empty."""


class Recording:
    """Collects the facts of one event."""

    def __init__(
        self,
        ledger: Ledger,
        at: str,
        read: Read,
        store: Callable[[bytes], BlobId],
    ) -> None:
        self.facts: list[Fact] = []
        self.ledger = ledger
        self.at = at
        self.read = read
        self.store = store
        self._last_read: tuple[BlobId, tuple[Medium, ...], Reading] | None = None
        self._last_kept: tuple[File, str, list[KeptLine]] | None = None

    def begin(self, at: str) -> None:
        """Collect the facts of one more event, of another time."""
        self.at, self.facts = at, []

    def say(self, fact: Fact) -> None:
        """One more fact is true."""
        fold_fact(self.ledger, fact, self.at, self.read)
        self.facts.append(fact)

    def see(self, path: str, state: FileState) -> File:
        """A file is looked at for the first time."""
        number = self.ledger.counters.file + 1
        self.say(FileSeen(file=number, path=path, state=state, digest=self.reading(state, path).digest))
        return self.again(number)

    def again(self, number: int) -> File:
        """A file as it is after what was said last."""
        file = self.ledger.file(number)
        assert file is not None
        return file

    def reading(self, state: FileState, path: str, node: Node | None = None) -> Reading:
        """What was found at a path, as it is reviewed; `node` is what stood there so far."""
        if not isinstance(state, Regular):
            return NOT_TEXT
        media = media_for(path, node)
        if self._last_read is None or self._last_read[:2] != (state.blob, media):
            # All who look at one change ask for the same text.
            self._last_read = state.blob, media, read_stored(self.ledger, state.blob, media, self.read)
        return self._last_read[2]

    def is_same(self, live: Content, state: FileState) -> bool:
        """Whether a file holds what it was found to hold; its mode does not count."""
        match state:
            case Regular() if live.node.is_woven:
                text, medium = self.reading(state, live.path, live.node)
                if text is None or medium is not medium_of(live.node):
                    return False
                return medium.same(live, text, self.read)
            case Regular():
                return live.node == Node("bytes", state.blob)
            case Link():
                return live.node == Node("link", state.target)
            case Folder():
                return live.node == FOLDER
            case _:
                return live.node == ABSENT

    def kept_lines(self, file: File, new: str, medium: Medium) -> list[KeptLine]:
        """As the function of that name: one recogniser after the other asks it of the same two texts."""
        if self._last_kept is None or self._last_kept[0] is not file or self._last_kept[1] != new:
            self._last_kept = file, new, kept_lines(file, new, medium)
        return self._last_kept[2]

    def decide_by_hand(
        self,
        file: File,
        changes: Sequence[PieceAnswer],
        hunks: Iterable[str],
        writes: tuple[Write, ...] = (),
        *,
        author: Author,
    ) -> File:
        """The file itself gave an answer about some of its pieces: by somebody's hand, or by git's."""
        number = self.ledger.counters.decision + 1
        self.say(
            DecisionMade(
                decision=number,
                verdict=BY_GIT if author == GIT else BY_HAND,
                reason="",
                changes=((file.number, tuple(changes)),),
                hunks=tuple(hunks),
                writes=writes,
            )
        )
        self.say(DecisionFinished(decision=number))
        return self.again(file.number)

    def change(self, file: File, found: FoundChange) -> File:
        """The file after one operation: it went to a new state, if it is one."""
        live, state, path = file.live, found.state, found.path
        text, medium = self.reading(state, path, live.node)
        was = medium_of(live.node)
        same = self.is_same(live, state)
        same_mode = not isinstance(state, Regular) or state.mode == live.mode
        same_bytes = was is None or was.is_all or file.steps[-1].content == state_key(state)
        if isinstance(state, Other | Unknown) or (same and same_bytes and same_mode and path == live.path):
            return file
        op, first = self.ledger.counters.op + 1, HELD if found.held else first_answer(found.author.actor)
        edits: tuple[Edit, ...] | None = None
        fresh = False
        if text is not None and (into := self._into(file, medium, held=found.held)) is not None:
            if same:
                edits = ()
            else:
                kept = partial(self.kept_lines, into, text, medium)
                edits = fitted_edits(into, text, found.said, op=op, first=first, kept=kept, exact=found.exact)
            fresh = edits is None
        self.say(
            FileChanged(
                op=op,
                file=file.number,
                actor=found.author.actor,
                call=found.author.call,
                hunk=self.ledger.counters.hunk + 1,
                path=path,
                before=file.steps[-1].content,
                after=state,
                first=first,
                edits=edits,
                inserted=None if edits is None or text is None else inline(text, edits),
                fresh=fresh,
                missing=found.missing,
                gone=found.gone,
                complete=live.node.kind != "unknown",
                others=found.author.others,
                digest=Reading(text, medium).digest,
            )
        )
        return self.again(file.number)

    def _into(self, file: File, medium: Medium, *, held: bool) -> File | None:
        """The file that a new text is woven into; None if it begins anew."""
        if file.live.node.kind != medium.name and (held or file.live.node == ABSENT):
            return None
        return shown_in(file, medium, max(file.operations) + 1, ACCEPTED)

    def format(self, file: File, found: Formatting, state: FileState) -> File:
        """The file after what belongs to undecided text came to it."""
        number = self.ledger.counters.op + 1
        if found.of(file, number) is None:
            found = _with_line_ends(file, found)
            if found.of(file, number) is None:
                return file
        self.say(
            FileFormatted(
                op=number,
                file=file.number,
                before=file.steps[-1].content,
                after=state,
                edits=found.edits,
                inserted=found.inserted,
                joins=found.joins,
                digest=self.reading(state, file.live.path, file.live.node).digest,
            )
        )
        return self.again(file.number)

    def grow(self, file: File, state: FileState, author: Author, at: int, length: int) -> bool:
        """What the author's last operation on a file inserted has grown; False if this is something else."""
        last = file.steps[-1]
        operation = file.operations.get(last.number) if last.kind == "op" else None
        live = file.live.plain
        if operation is None or live is None or not length or not isinstance(state, Regular):
            return False
        if (operation.actor, operation.call) != (author.actor, author.call):
            return False
        text, medium = self.reading(state, file.live.path, file.live.node)
        if text is None or medium is not medium_of(file.live.node):
            return False
        more = text[at : at + length]
        if live[:at] + more + live[at:] != text:
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


def _with_line_ends(file: File, found: Formatting) -> Formatting:
    """The same, and line ends that showed only because of their line made a part of it."""
    weave = file.weaves[int(file.live.node.value)]
    known = {
        edit: (text, join) for edit, text, join in zip(found.edits, found.inserted, found.joins, strict=True)
    }
    edits = claiming_line_ends(weave, [*found.edits])
    more = [known.get(edit) or _claimed(weave.live.text, edit, found) for edit in edits]
    return Formatting(found.text, tuple(edits), tuple(one[0] for one in more), tuple(one[1] for one in more))


def _claimed(text: str, edit: Edit, found: Formatting) -> tuple[str, Join]:
    """A line end as it was, joined to what the edit nearest to it joins."""
    near = min(
        range(len(found.edits)), key=lambda number: abs(found.edits[number].old_start - edit.old_start)
    )
    return text[edit.old_start : edit.old_end], found.joins[near]
