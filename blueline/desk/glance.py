"""A list of what is pending, when nothing happened since the last command.

People list more often than anything changes. Then the index has the answer, and none of the rules have to be
loaded to give it. Whatever is new, unusual or unfinished makes this step aside for the desk.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk import state_folder
from blueline.journal.index import Index, IndexDamaged, Standing
from blueline.kernel import disk, refs
from blueline.workspace.look import changed

if TYPE_CHECKING:
    from blueline.contract.overview import ListingDocument, RecordingDocument
    from blueline.desk.open_project import Recording


def glance(start: Path, environ: Mapping[str, str], recording: Recording) -> ListingDocument | None:
    """The pending hunks, as `Desk.list` gives them; None when the desk has to be asked."""
    root, folder = state_folder.find(start, environ)
    path = folder / "index.sqlite"
    if not path.exists() or (folder / "staged").exists() or _kept_elsewhere(root):
        return None
    lock = state_folder.Lock(folder / "lock")
    try:
        return _glanced(root, folder, path, lambda: recording(root, folder, environ))
    except IndexDamaged:
        return None
    finally:
        lock.release()


def _glanced(
    root: Path, folder: Path, path: Path, recorded: Callable[[], RecordingDocument]
) -> ListingDocument | None:
    index = Index(path)
    try:
        known = index.standing()
        if not _is_settled(known, root, folder) or not _is_unchanged(known, index, root):
            return None
        return {
            "mode": state_folder.mode_of(folder),
            "recording": recorded(),
            "counts": index.files.counts(),
            "hunks": index.files.hunks("pending"),
        }
    finally:
        index.close()


def _kept_elsewhere(root: Path) -> bool:
    """Whether a hook had to write where the desk has to fetch it."""
    return any(os.path.exists(name + b"/journal") for name in disk.fallbacks(os.fsencode(root)))


def _is_settled(known: Standing, root: Path, folder: Path) -> bool:
    """Whether all of the journal was read, and there is nothing to finish, to warn about, or committed."""
    if known.git[0].encode() != refs.head(os.fsencode(root)):
        return False
    try:
        if (folder / "format").read_bytes() != state_folder.FORMAT:
            return False  # another version's, or to be brought up to date
        size = os.stat(folder / "journal").st_size
    except FileNotFoundError:
        return False
    if (folder / "calls").exists():
        return False  # what runs, or was left running, is for the desk to look at
    lost = known.counters.get("missing") or known.counters.get("lost")
    return known.cursor == size and not lost and not known.decisions


def _is_unchanged(known: Standing, index: Index, root: Path) -> bool:
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
