"""A look at the disk: what people and their programs did to files we know."""

import time
from contextlib import suppress

from blueline.desk.glance import is_unchanged
from blueline.desk.store import Store
from blueline.model.actor import EXTERNAL, UNKNOWN, Actor
from blueline.model.ids import BlobId
from blueline.model.state import Absent, Regular
from blueline.review.renaming import renamed
from blueline.review.taking import Taking
from blueline.workspace.tree import NoContent, Tree

MOST_READ = 200
"""Files that are read to see whether one of them is a file that vanished."""


def look(store: Store, tree: Tree, *, besides: set[str]) -> None:
    """Take in every known file that changed outside any call, but for those at the paths `besides`."""
    held = besides | {call.path for call in store.ledger.open_calls() if call.path is not None}
    paths = [path for _, path in store.index.files() if path not in held]
    known = store.index.looks()
    now = tree.signatures(paths)
    taking = store.taking()
    seen: dict[str, list[int] | None] = {}
    vanished: list[str] = []
    for path in paths:
        signature = now[path]
        if is_unchanged(known.get(path), signature):
            continue
        if signature is None:
            vanished.append(path)
        else:
            _look_at(taking, store, tree, path, seen)
    moved = _moved(store, tree, {path: known.get(path) for path in vanished})
    for path in vanished:
        _look_for(taking, store, tree, path, moved.get(path), seen)
    store.keep(taking)
    store.save()
    if seen:
        with store.index.saving():
            store.index.put_looks(seen.items())


def _look_at(taking: Taking, store: Store, tree: Tree, path: str, seen: dict[str, list[int] | None]) -> None:
    started = time.time_ns()
    state, signature = tree.read(path)
    taking.look(path, state, actor=_doubt(store, path))
    seen[path] = (
        [*signature, started] if signature is not None else ([] if isinstance(state, Absent) else None)
    )


def _moved(store: Store, tree: Tree, vanished: dict[str, list[int] | None]) -> dict[str, str]:
    """Where files that vanished are now, as far as their content tells."""
    gone: dict[str, bytes] = {}
    for path in vanished:
        file = store.ledger.file_at(path)
        if file is not None and file.live.text:
            gone[path] = file.live.text.encode("utf-8")
        elif file is not None and file.live.node.kind == "bytes":
            gone[path] = store.read(BlobId(str(file.live.node.value))) or b""
    if not gone:
        return {}
    looks = [before for path in gone if (before := vanished[path])]
    since = min((before[-1] for before in looks), default=0)
    largest = 2 * max(len(content) for content in gone.values())
    come: dict[str, bytes] = {}
    for one in tree.appeared(since, {(before[0], before[1]) for before in looks}):
        if one.size <= largest and len(come) < MOST_READ and store.ledger.file_at(one.path) is None:
            with suppress(NoContent):
                come[one.path] = tree.content(one.path)
    return renamed(gone, come)


def _look_for(
    taking: Taking,
    store: Store,
    tree: Tree,
    path: str,
    moved: str | None,
    seen: dict[str, list[int] | None],
) -> None:
    """A file is gone from its path: it was renamed to `moved`, or it is no more."""
    file = store.ledger.file_at(path)
    seen[path] = []
    if file is None or file.live.node.kind in ("absent", "unknown"):
        return
    if moved is not None:
        started = time.time_ns()
        state, signature = tree.read(moved)
        if isinstance(state, Regular) and signature is not None:
            taking.look(moved, state, old_path=path)
            seen[path], seen[moved] = None, [*signature, started]
            return
    state, _ = tree.read(path)
    taking.look(path, state, actor=_doubt(store, path))


def _doubt(store: Store, path: str) -> Actor:
    """Whose a change is: nobody knows when we could not look at the end of a call, or records are lost."""
    call = store.ledger.last_call_on(path)
    gap = call is not None and "gap" in call.about
    return UNKNOWN if gap or store.doubtful else EXTERNAL
