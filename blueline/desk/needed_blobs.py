"""Which stored contents are needed: those that a record names, and those the tree's index names."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from blueline.errors import BluelineError
from blueline.hook import capture, tree_index
from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT, OBSERVATION, Frame
from blueline.journal.observation import Observation, parse, sightings, state_of
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId
from blueline.review.medium.medium import Read


def paths_and_blobs(frame: Frame, read: Read) -> Iterator[tuple[str, BlobId]]:
    """The contents that a record names, and the files they belong to as far as it says."""
    if frame.kind == EVENT:
        for fact in load_event(frame.payload).facts:
            path = str(getattr(fact, "path", "a decision"))
            for blob in blobs_of(fact):
                yield path, blob
    elif frame.kind == OBSERVATION:
        try:
            seen = parse(frame.payload)
        except BluelineError:
            return
        yield from _observed(seen, read)


def _observed(seen: Observation, read: Read) -> Iterator[tuple[str, BlobId]]:
    path = seen.path or "an agent's event"
    for blob in (seen.raw_blob, seen.changes_blob):
        if blob is not None:
            yield path, blob
    for where, state in states_in(seen, read):
        if isinstance(state, Regular):
            yield where, state.blob
    for name in seen.tree.refs or () if seen.tree is not None else ():
        yield "git's branches", BlobId(name)


def states_in(seen: Observation, read: Read) -> Iterator[tuple[str, object]]:
    """Every state of a file that an observation names, with the file's path."""
    if seen.path is not None:
        yield seen.path, seen.state
    yield from seen.looks
    found = seen.tree.sightings if seen.tree is not None else ()
    if seen.changes_blob is not None:
        found = (*found, *sightings(read(seen.changes_blob) or b""))
    for one in found:
        yield one.path, one.before
        yield one.path, one.after


def blobs_of(value: Any) -> Iterator[BlobId]:
    """The contents that a fact names."""
    if isinstance(value, Regular):
        yield value.blob
    elif is_dataclass(value):
        for field in fields(value):
            yield from blobs_of(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from blobs_of(item)


def blobs_of_tree(state: Path) -> Iterator[tuple[str, BlobId]]:
    """The contents that are remembered as what files hold now: a shell command may change them next."""
    index = tree_index.TreeIndex.load(os.fsencode(state) + b"/tree")
    for folder, (_, names, _, states) in index.folders.items():
        for name, held in zip(tree_index.split(names), tree_index.split(states), strict=True):
            if held.startswith(b"file ") and isinstance(found := state_of(held), Regular):
                yield os.fsdecode(tree_index.join(folder, name)), found.blob


def look_again(root: Path, state: Path, paths: Iterable[str]) -> None:
    """Have the next look read these files anew: what was stored of them is gone."""
    with capture.Capture(os.fsencode(root), os.fsencode(state)) as known:
        known.forget({os.fsencode(path) for path in paths})
        known.save()
