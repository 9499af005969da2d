"""A blob store and a ledger's source without a disk, for rules that need no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from blueline.blobs.store import missing, purged
from blueline.kernel import disk
from blueline.model.ids import BlobId


class BlobStore(Protocol):
    """What every blob store promises."""

    def put(self, content: bytes) -> BlobId: ...

    def get(self, blob: BlobId) -> bytes: ...

    # whether `get` has something to read; it does not promise that it is undamaged
    def has(self, blob: BlobId) -> bool: ...

    # of the content, not on disk
    def size(self, blob: BlobId) -> int: ...

    # all that `has` says yes to, in no order
    def ids(self) -> Iterator[BlobId]: ...

    # remove the content for good but remember the id; putting it again brings it back
    def forget(self, blob: BlobId) -> None: ...


class MemoryBlobs:
    """A blob store that is gone with its process."""

    def __init__(self) -> None:
        self._content: dict[BlobId, bytes | None] = {}

    def put(self, content: bytes) -> BlobId:
        blob = BlobId(disk.blob_id(content))
        self._content[blob] = content
        return blob

    def get(self, blob: BlobId) -> bytes:
        if blob not in self._content:
            raise missing(blob)
        content = self._content[blob]
        if content is None:
            raise purged(blob)
        return content

    def has(self, blob: BlobId) -> bool:
        return self._content.get(blob) is not None

    def size(self, blob: BlobId) -> int:
        return len(self.get(blob))

    def ids(self) -> Iterator[BlobId]:
        return iter([blob for blob, content in self._content.items() if content is not None])

    def forget(self, blob: BlobId) -> None:
        if blob not in self._content:
            raise missing(blob)
        self._content[blob] = None


class NoSource:
    """The beginning: nothing is known."""

    def _nothing(self, _: object) -> None:
        return None

    def files_at(self, _: str) -> list[int]:
        return []

    turn = subagent = call = decision = note = file = _nothing
    call_named = last_call_on = subagent_named = last_turn_of = _nothing
