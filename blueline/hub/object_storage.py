"""Object storage, for large contents, where a hub is told of one: a bucket at Amazon's, or wherever else its
protocol is spoken, or a folder."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from blueline.errors import BluelineError
from blueline.kernel import disk

if TYPE_CHECKING:
    from obstore.store import ObjectStore, RetryConfig

AT_ONCE = 16
"""Requests to object storage that one process has under way."""

PATIENCE: RetryConfig = {"max_retries": 2, "retry_timeout": timedelta(seconds=10)}
"""A machine that waits for an answer asks again by itself."""

LONGEST_REASON = 200


class NoObjectStorage(BluelineError):
    """An address that is none of object storage."""


class ObjectsAway(BluelineError):
    """Object storage does not answer, or does not let the hub in. Whoever asked may ask again."""


class ObjectStorage:
    """Bytes under names such as `project/hash`, in one bucket or folder."""

    def __init__(self, url: str) -> None:
        """`s3://bucket/prefix`, with what else has to be known in AWS_… variables; or `file:///folder`."""
        self._folder: Path | None = None
        self._store = self._opened(url)
        self._room = asyncio.Semaphore(AT_ONCE)

    def _opened(self, url: str) -> ObjectStore:
        from obstore.exceptions import BaseError
        from obstore.store import LocalStore, S3Store

        parts = urlsplit(url)
        try:
            if parts.scheme == "file" and not parts.netloc and len(parts.path) > 1:
                self._folder = Path(unquote(parts.path))
                return LocalStore(self._folder, mkdir=True)
            if parts.scheme == "s3" and parts.netloc:
                # No options of a client: with any, those of the environment would not be looked at.
                return S3Store.from_url(url, retry_config=PATIENCE)
        except (BaseError, OSError, ValueError) as error:
            raise NoObjectStorage(
                f"object storage cannot be used: {_reason(error)}", hint="see --objects in docs/hub.md"
            ) from error
        raise NoObjectStorage(
            "this is no address of object storage", hint="such as s3://bucket/prefix or file:///folder"
        )

    async def put(self, name: str, data: bytes) -> None:
        """Keep bytes. Once this returns, they outlive a power cut."""
        from obstore import put_async

        async with self._room:
            with _said():
                # In one piece: one that breaks off leaves nothing behind.
                await put_async(self._store, name, data, use_multipart=False)
                if self._folder is not None:
                    await asyncio.to_thread(_settle, self._folder, name)

    async def get(self, name: str) -> bytes | None:
        """The bytes; None if there are none of that name."""
        from obstore import get_async

        async with self._room:
            with _said():
                try:
                    return bytes(await (await get_async(self._store, name)).bytes_async())
                except FileNotFoundError:
                    return None

    async def remove(self, names: Sequence[str]) -> None:
        """Remove what there is of that name."""
        await asyncio.gather(*(self._remove(name) for name in names))

    async def _remove(self, name: str) -> None:
        from obstore import delete_async

        async with self._room:
            with _said():
                try:
                    await delete_async(self._store, name)
                except FileNotFoundError:
                    return


def _settle(folder: Path, name: str) -> None:
    """A folder's files are written and not waited for; the database says of them that they are there."""
    place = folder / name
    with place.open("rb") as file:
        disk.sync_file(file.fileno())
    for one in (place.parent, folder):
        disk.sync_folder(os.fsencode(one))


@contextmanager
def _said() -> Iterator[None]:
    """Failures of object storage, in words."""
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, OSError) as error:
        raise ObjectsAway(
            f"object storage did not do it: {_reason(error)}",
            hint="see that it is there and lets the hub in, then try again",
        ) from error


def _reason(error: Exception) -> str:
    """The first line: below it the library tells how it is built."""
    first = str(error).strip().splitlines()
    return first[0][:LONGEST_REASON] if first else type(error).__name__
