"""Files of a project whose state came from elsewhere, put where nothing else stands."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from blueline.desk import state_folder
from blueline.desk.carrier import ContentLost, file_state
from blueline.desk.new_records import Interpret
from blueline.desk.project_store import Store
from blueline.desk.screens.pages import is_ours
from blueline.model.fact import Write
from blueline.model.file_state import Absent, FileState
from blueline.review.medium.choice import composed, composed_last
from blueline.workspace.tree import Tree


class LaidOut(NamedTuple):
    """What became of the files."""

    written: list[str]
    left: list[str]
    """Something else stands there, which is the person's; or what it should hold is not stored; or it is no
    place in the project at all."""


def lay_out(root: Path, state: Path, interpret: Interpret) -> LaidOut:
    """Let files hold what was last known of them: where there are none yet, or those that were agreed on.

    To be done before a desk is opened there, which would take a file that is missing for one that was
    deleted.
    """
    lock = state_folder.Lock(state / "lock")
    try:
        store = Store(root, state, interpret)
        try:
            store.catch_up()
            return _laid_out(store, Tree(root, store.blobs))
        finally:
            store.close()
    finally:
        lock.release()


def _laid_out(store: Store, tree: Tree) -> LaidOut:
    writes: list[Write] = []
    left = []
    for number, path in store.index.files.paths():
        file = store.ledger.file(number)
        if file is None:
            continue
        if not is_ours(path) or "\0" in path:
            # No machine records such a path. Whoever sent it wants to write where nobody looks: git's hooks.
            left.append(path)
            continue
        here, _ = tree.read(path)
        try:
            last = composed_last(file, store.blobs.has, store.read)
            agreed_on = composed(file.baseline, store.read)
            stored = store.blobs.stored([last, agreed_on])
            wanted, agreed = map(file_state, (file.live, file.baseline), stored)
        except ContentLost:
            left.append(path)
            continue
        if _is_same(here, wanted):
            continue
        if isinstance(here, Absent) or _is_same(here, agreed):
            writes.append(Write(path=path, old_path=path, before=here, after=wanted))
        else:
            left.append(path)
    landed = tree.replace(writes, store.state / "staged", in_part=True)
    conflicts = {one.path for one in landed if one.outcome == "conflict"}
    written = [one.path for one in writes if one.path not in conflicts]
    return LaidOut(written, sorted({*left, *conflicts}))


def _is_same(one: FileState, other: FileState) -> bool:
    if isinstance(one, Absent) or isinstance(other, Absent):
        return isinstance(one, Absent) and isinstance(other, Absent)
    return one == other
