"""A file is not as it was known: what has happened to it, by which rule?

Each recogniser takes what it knows of a change, says it as facts, and leaves the rest to those after it.
Which file it is, renamed or not, was found out before (rule A15, `renames.py`), and whose change it is
(`authorship.py`).
"""

from collections.abc import Callable

from blueline.model.actor import Actor
from blueline.model.answer import PENDING, REJECTED
from blueline.model.fact import Write
from blueline.model.file_state import FileState, Regular, Unknown
from blueline.model.ids import BlobId
from blueline.model.medium_names import WholeFile
from blueline.model.piece import PieceAnswer
from blueline.review.deciding.hunks import hunks
from blueline.review.deciding.relations import Owners, is_asked_about
from blueline.review.file import File
from blueline.review.fold_files import state_key
from blueline.review.intake.authorship import GIT, OUTSIDE, YOU, Author
from blueline.review.intake.coming_back import changes_back_to, put_back, settings_back, without_effect
from blueline.review.intake.formatters import formatting, moved_text, organised_imports
from blueline.review.intake.recording import FoundChange, Recording
from blueline.review.medium.choice import medium_of
from blueline.review.medium.medium import MoveStep, Reading
from blueline.review.operation import first_answer
from blueline.review.weave.weave import IMAGINED

Recogniser = Callable[[Recording, File, FoundChange], File]
"""Gives the file after what it has recognised: the same, if that is nothing."""


def whole_content_back(recording: Recording, file: File, found: FoundChange) -> File:
    """Rule A10 (b): the whole content is one that was there before, and takes up its earlier state again."""
    return _came_back(recording, file, found, _back_to(recording, file, found.state))


def git_brought_content_back(recording: Recording, file: File, found: FoundChange) -> File:
    """Rule A10 (b), for what an agent had git do: only if nothing goes that a person had typed."""
    changes = _back_to(recording, file, found.state)
    if any(_is_persons(file.operations[change.piece.op].actor) for change in changes):
        return file
    return _came_back(recording, file, found._replace(author=GIT), changes)


def settings_came_back(recording: Recording, file: File, found: FoundChange) -> File:
    """Rule A10 (b), rule A11: the path or the mode is as it was before an undecided or rejected operation."""
    mode = found.state.mode if isinstance(found.state, Regular) else None
    changes = settings_back(file, found.path, mode)
    if not changes:
        return file
    about = hunks(file, recording.ledger.counters.salt, {change.piece.op for change in changes})
    pieces = {change.piece for change in changes}
    named = [hunk.id for hunk in about if pieces & set(hunk.pieces)]
    return recording.decide_by_hand(file, changes, named, author=found.author)


def moved(recording: Recording, file: File, found: FoundChange) -> File:
    """Rule D2 (e): what stands elsewhere, and nobody has decided on, stays its author's at the new place."""
    return _move(recording, file, found, outside=True) if found.author in (OUTSIDE, YOU) else file


def moved_by_call(recording: Recording, file: File, found: FoundChange) -> File:
    """Rule A7: what stands elsewhere and is changed as well makes two hunks: where it is, what it holds."""
    return file if found.held else _move(recording, file, found, outside=False)


def formatted(recording: Recording, file: File, found: FoundChange) -> File:
    """Rule D2: what a formatter did to an agent's undecided text belongs to that text."""
    for look in (moved_text, organised_imports, formatting):
        new = _rest(recording, file, found)
        if new is None or new.text is None or not isinstance(found.state, Regular):
            break
        belongs = look(file, new.text, new.medium)
        if belongs is not None:
            wholes = (*file.wholes, WholeFile(found.state.blob, "person", new.digest))
            data = new.medium.compose(belongs.text, wholes, recording.read)
            file = recording.format(file, belongs, _stored(recording, data, file.live.mode))
    return file


def came_to_nothing(recording: Recording, file: File, found: FoundChange) -> File:
    """Rule D2: a hunk whose reject would by now change no byte is rejected by that."""
    last = file.steps[-1]
    if last.kind != "formatted":
        return file
    idle = without_effect(file, last.number, recording.ledger.counters.salt)
    if not idle:
        return file
    changes = [PieceAnswer(piece, REJECTED) for hunk in idle for piece in hunk.pieces]
    is_there = recording.is_same(file.live, found.state) and file.live.plain is not None
    named = tuple(hunk.id for hunk in idle)
    after = found.state if is_there else PASSED_THROUGH
    return _by_hand(recording, file, changes, named, after, found.author)


def put_back_by_hand(recording: Recording, file: File, found: FoundChange) -> File:
    """Rule A10 (c): a hunk, or an edit of it, that stands again as it did before is answered by that."""
    new = _rest(recording, file, found)
    if new is None or new.text is None:
        return file
    kept = recording.kept_lines(file, new.text, new.medium)
    put = put_back(file, new.text, new.medium, recording.ledger.counters.salt, kept)
    if not put:
        return file
    changes = [PieceAnswer(piece, one.answer) for one in put for piece in one.pieces]
    is_there = new.medium.is_all and file.answered(changes, IMAGINED).live.text == new.text
    named = tuple(one.hunk.id for one in put)
    after = found.state if is_there else PASSED_THROUGH
    return _by_hand(recording, file, changes, named, after, found.author)


def edited(recording: Recording, file: File, found: FoundChange) -> File:
    """All that is left is its author's: an operation of its own."""
    return recording.change(file, found)


OUTSIDE_ANY_CALL: tuple[Recogniser, ...] = (
    whole_content_back,
    settings_came_back,
    moved,
    formatted,
    came_to_nothing,
    put_back_by_hand,
    edited,
)
"""For what people and their programs do. Rule A10 (a): nothing that an agent does comes back by itself."""

IN_A_CALL: tuple[Recogniser, ...] = (
    moved_by_call,
    edited,
)
"""For what agents do, and for what nobody is known to have done."""

IN_A_CALL_WITH_GIT: tuple[Recogniser, ...] = (
    git_brought_content_back,
    settings_came_back,
    *IN_A_CALL,
)
"""For a call in which git moved from one commit to another: what it brought back, nobody wrote again."""


PASSED_THROUGH = Unknown(why="passed through")
"""Nobody saw the file like this: there is more to be recorded."""


def _rest(recording: Recording, file: File, found: FoundChange) -> Reading | None:
    """The text that a file is still to go to; None if it is there, or goes from a text to something else."""
    new = recording.reading(found.state, file.live.path, file.live.node)
    if new.text is None or new.medium is not medium_of(file.live.node) or file.live.text is None:
        return None
    return None if new.medium.same(file.live, new.text, recording.read) else new


def _back_to(recording: Recording, file: File, state: FileState) -> list[PieceAnswer]:
    """The answers that bring an earlier state with this content back: with the same lines, if there is more
    in the file than these."""
    if recording.is_same(file.live, state):
        return []
    lines = recording.reading(state, file.live.path, file.live.node).digest
    alike = {whole.blob for whole in file.wholes if lines and whole.lines == lines}
    return changes_back_to(file, {state_key(state), *alike}) or []


def _came_back(recording: Recording, file: File, found: FoundChange, changes: list[PieceAnswer]) -> File:
    state = found.state
    turned = file.answered(changes, IMAGINED).live if changes else file.live
    if not changes or not recording.is_same(turned, state):
        return file
    ops = {change.piece.op for change in changes}
    about = [hunk for hunk in hunks(file, recording.ledger.counters.salt, ops) if is_asked_about(hunk)]
    owners = Owners(about)
    # A hunk of which nothing but formatting came or went is still what it was.
    formats = {piece for piece, mark in file.pieces() if mark.since}
    pieces = (change.piece for change in changes if change.piece not in formats)
    named = {owner for piece in pieces if (owner := owners.of(piece)) is not None}
    medium = medium_of(turned.node)
    # More may have changed than the text: what was seen is recorded after this.
    after = state if medium is None or medium.is_all else PASSED_THROUGH
    ids = tuple(hunk.id for hunk in about if hunk.id in named)
    return _by_hand(recording, file, changes, ids, after, found.author)


def _by_hand(
    recording: Recording,
    file: File,
    changes: list[PieceAnswer],
    named: tuple[str, ...],
    after: FileState,
    author: Author,
) -> File:
    path = file.answered(changes, IMAGINED).live.path
    write = Write(path=path, old_path=path, before=after, after=after)
    return recording.decide_by_hand(file, changes, named, (write,), author=author)


def _is_persons(actor: Actor) -> bool:
    """Whether something was typed, rather than written by an agent or brought by git."""
    return first_answer(actor) != PENDING and actor != GIT.actor


def _move(recording: Recording, file: File, found: FoundChange, *, outside: bool) -> File:
    new = _rest(recording, file, found)
    if new is None or new.text is None or not isinstance(found.state, Regular):
        return file
    wholes = (*file.wholes, WholeFile(found.state.blob, "person", new.digest))
    for step in new.medium.moved(file, new.text, outside=outside):
        data = new.medium.compose(step.text, wholes, recording.read)
        state = _stored(recording, data, found.state.mode)
        author = _author(file, step, found.author)
        file = recording.change(file, FoundChange(path=file.live.path, state=state, author=author))
    return file


def _author(file: File, step: MoveStep, mover: Author) -> Author:
    if step.op is None:
        return mover
    operation = file.operations[step.op]
    return Author(operation.actor, operation.call, operation.others)


def _stored(recording: Recording, data: bytes | BlobId, mode: int) -> Regular:
    """A state that nobody saw, as it would have been on disk."""
    blob = recording.store(data) if isinstance(data, bytes) else data
    size = len(data) if isinstance(data, bytes) else len(recording.read(data) or b"")
    return Regular(mode=mode, size=size, blob=blob)
