"""What is pending, and the state of all, when nothing happened since the last command.

People look more often than anything changes. Then the index has the answer, and none of the rules have to be
loaded to give it. Whatever is new, unusual or unfinished makes this step aside for the desk.
"""

from __future__ import annotations

import os

from blueline.desk import state_folder
from blueline.journal.index import Index, IndexDamaged, IndexState
from blueline.kernel import project_folder, refs
from blueline.kernel.plain_file import read_plain
from blueline.workspace.signatures import changed

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from _typeshed import StrPath

    from blueline.contract.overview import ListingDocument, RecordingDocument, StatusDocument

    Recording = Callable[[StrPath, StrPath, Mapping[str, str]], RecordingDocument]
    """A project's root, its state folder and the environment in; whether agents are recorded there out."""
    Answer = TypeVar("Answer")


class Settled:
    """A project of which the index knows all there is to know."""

    def __init__(
        self, root: str, folder: str, tables: Index, known: IndexState, recording: RecordingDocument
    ) -> None:
        self.root, self.folder = root, folder
        self.tables, self.known = tables, known
        self.recording = recording


def glance(start: StrPath, environ: Mapping[str, str], recording: Recording) -> ListingDocument | None:
    """The pending hunks, as `Desk.list` gives them; None when the desk has to be asked."""
    return _glanced(start, environ, recording, _listing)


def glance_at_all(
    start: StrPath, environ: Mapping[str, str], recording: Recording
) -> tuple[StatusDocument, set[str]] | None:
    """The state of all, as `Desk.status` gives it, and the agents that were heard of; None when the desk has
    to be asked."""
    return _glanced(start, environ, recording, _status)


def _listing(at: Settled) -> ListingDocument | None:
    if _may_be_damaged(at.folder):
        return None
    counts, hunks = at.tables.files.pending()
    return {
        "mode": state_folder.mode_of(at.folder),
        "recording": at.recording,
        "counts": counts,
        "hunks": hunks,
    }


def _may_be_damaged(folder: str) -> bool:
    """Whether the journal is not the one that was last found to be whole, or records are known to be lost."""
    from blueline.journal.wholeness_note import found_whole

    is_whole = found_whole(f"{folder}/journal", f"{folder}/journal-whole") is not None
    return not is_whole or os.path.exists(f"{folder}/damage.json")


def _status(at: Settled) -> tuple[StatusDocument, set[str]] | None:
    from blueline.desk.kept_status import kept
    from blueline.journal.wholeness_note import is_known_whole

    if not is_known_whole(f"{at.folder}/journal", f"{at.folder}/journal-whole") or not _is_running(at):
        return None
    found = kept(at.root, at.folder, (at.known.cursor, at.known.event), at.recording)
    if found is None:
        return None
    status: StatusDocument = {
        "mode": state_folder.mode_of(at.folder),
        "recording": at.recording,
        "counts": at.tables.files.counts(),
        "turns_running": len(at.known.turns),
        "gate": found[0],
        "reviews": found[1],
        "root": at.root,
        "warnings": [],
    }
    return status, at.tables.screens.agents()


def _is_running(at: Settled) -> bool:
    """Whether nobody is gone whose turn has not ended."""
    from blueline.kernel import processes

    turns = [turn for number in at.known.turns if (turn := at.tables.turns.get(number)) is not None]
    return all(turn["process"] is None or processes.is_alive(*turn["process"]) for turn in turns)


def _glanced(
    start: StrPath,
    environ: Mapping[str, str],
    recording: Recording,
    answer: Callable[[Settled], Answer | None],
) -> Answer | None:
    root, folder = state_folder.located(start, environ)
    path = f"{folder}/index.sqlite"
    if not os.path.exists(path) or os.path.exists(f"{folder}/staged") or _kept_elsewhere(root):
        return None
    if not _is_ours(folder):
        return None
    lock = state_folder.Lock(f"{folder}/lock")
    try:
        index = Index(path)
        try:
            known = index.state()
            if not _is_settled(known, root, folder) or not _is_unchanged(known, index, root):
                return None
            return answer(Settled(root, folder, index, known, recording(root, folder, environ)))
        finally:
            index.close()
    except IndexDamaged:
        return None
    finally:
        lock.release()


def _is_ours(folder: str) -> bool:
    """Whether this version wrote the state: one of another version is left alone, or brought up to date."""
    try:
        return read_plain(f"{folder}/format") == state_folder.FORMAT
    except FileNotFoundError:
        return False


def _kept_elsewhere(root: str) -> bool:
    """Whether a hook had to write where the desk has to fetch it."""
    return any(os.path.exists(name + b"/journal") for name in project_folder.fallbacks(os.fsencode(root)))


def _is_settled(known: IndexState, root: str, folder: str) -> bool:
    """Whether all of the journal was read, and there is nothing to finish, to warn about, or committed."""
    if known.git[0].encode() != refs.head(os.fsencode(root)):
        return False
    try:
        size = os.stat(f"{folder}/journal").st_size
    except FileNotFoundError:
        return False
    if os.path.exists(f"{folder}/calls"):
        return False  # what runs, or was left running, is for the desk to look at
    lost = known.counters.get("missing") or known.counters.get("lost")
    return known.cursor == size and not lost and not known.decisions


def _is_unchanged(known: IndexState, index: Index, root: str) -> bool:
    """Whether every known file is as it was when it was last looked at."""
    held = set()
    for number in known.calls:
        call = index.calls.get(number)
        if call is None or call["about"].get("tree"):
            return False  # what a running command does to files is for the desk to judge
        held |= {call["path"], *call["about"].get("paths", ())}
    paths = [path for _, path in index.files.paths() if path not in held]
    looks = index.looks()
    return not changed(root, {path: looks.get(path) for path in paths})
