"""Many contents, stored together: each with its hash for a name, and all of them durable at the end."""

import os
from collections.abc import Iterable

from blueline.kernel import disk, durable

AT_ONCE = 64
"""New files that are open at a time."""


class Batch:
    """Contents on their way into one store."""

    def __init__(self, blobs: bytes, squeezed: range) -> None:
        self._blobs = blobs
        self._squeezed = squeezed
        self._open: dict[bytes, tuple[int, bytes]] = {}
        """By the name that it gets, a new file: its descriptor and its temporary name."""
        self._folders: set[bytes] = set()
        """Where names are new, perhaps."""

    def put(self, contents: Iterable[bytes]) -> list[str]:
        """Store contents, durably, unless they are there; their hashes."""
        try:
            names = [self._put(content) for content in contents]
            self._name()
            durable.each(disk.sync_folder, sorted(self._folders))
        finally:
            for fd, temporary in self._open.values():
                os.close(fd)
                os.unlink(temporary)
        return names

    def _put(self, content: bytes) -> str:
        if len(content) >= disk.CHUNKED_FROM:
            return disk.put_blob(self._blobs, content, self._squeezed)
        name = disk.blob_id(content)
        path = disk.blob_path(self._blobs, name)
        if path not in self._open and not disk.is_stored(path, self._folders):
            self._open[path] = disk.open_temporary(self._blobs + b"/tmp")
            disk.write_whole(self._open[path][0], disk.squeeze(content, self._squeezed))
            if len(self._open) >= AT_ONCE:
                self._name()
        return name

    def _name(self) -> None:
        """Only what is on disk for good gets its name."""
        durable.each(disk.sync_file, [fd for fd, _ in self._open.values()])
        for path, (fd, temporary) in [*self._open.items()]:
            disk.rename(temporary, path)
            self._folders.add(path[: path.rfind(b"/")])
            del self._open[path]
            os.close(fd)
