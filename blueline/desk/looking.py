"""A look at the disk: what people and their programs did to files we know."""

import time

from blueline.desk.store import Store
from blueline.model.actor import EXTERNAL, UNKNOWN, Actor
from blueline.model.state import Absent, Regular
from blueline.review.taking import Taking
from blueline.workspace.tree import Signature, Tree, looks_unchanged


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
        if path in known and _unchanged(known[path], signature):
            continue
        if signature is None:
            vanished.append(path)
        else:
            _look_at(taking, store, tree, path, seen)
    for path in vanished:
        _look_for(taking, store, tree, path, known.get(path), seen)
    store.keep(taking)
    store.save()
    if seen:
        with store.index.saving():
            store.index.put_looks(seen.items())


def _unchanged(known: list[int], signature: Signature | None) -> bool:
    """`known` is a signature and when it was taken; empty for a file that was not there."""
    if not known or signature is None:
        return not known and signature is None
    *fields, looked = known
    return looks_unchanged(Signature(*fields), signature, looked)


def _look_at(taking: Taking, store: Store, tree: Tree, path: str, seen: dict[str, list[int] | None]) -> None:
    started = time.time_ns()
    state, signature = tree.read(path)
    taking.look(path, state, actor=_doubt(store, path))
    seen[path] = (
        [*signature, started] if signature is not None else ([] if isinstance(state, Absent) else None)
    )


def _look_for(
    taking: Taking,
    store: Store,
    tree: Tree,
    path: str,
    known: list[int] | None,
    seen: dict[str, list[int] | None],
) -> None:
    """A file is gone from its path: it was renamed, or it is no more."""
    file = store.ledger.file_at(path)
    seen[path] = []
    if file is None or file.live.node.kind in ("absent", "unknown"):
        return
    moved = tree.find_moved((known[0], known[1]), known[4]) if known else None
    if moved is not None and store.ledger.file_at(moved) is None:
        state, _ = tree.read(moved)
        if isinstance(state, Regular):
            taking.look(moved, state, old_path=path)
            seen[path] = None
            return
    state, _ = tree.read(path)
    taking.look(path, state, actor=_doubt(store, path))


def _doubt(store: Store, path: str) -> Actor:
    """Whose a change is: nobody knows, after a call on that file at whose end we could not look."""
    call = store.ledger.last_call_on(path)
    return UNKNOWN if call is not None and "gap" in call.about else EXTERNAL
