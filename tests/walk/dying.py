"""A process that dies at any instant: from some system call on, none is made any more."""

from __future__ import annotations

import os
import posix
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from blueline.journal.database import Database
from blueline.kernel import disk
from blueline.workspace import landing

CALLS = (
    "open",
    "write",
    "pwrite",
    "fsync",
    "rename",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
    "symlink",
    "fchmod",
)


class Killed(BaseException):
    """Nothing after this happens, not even clearing up."""


@contextmanager
def dying(after: int) -> Iterator[None]:
    """Let so many calls through; then every one fails, until the end of this. Says so with `Killed`."""
    left = after

    def mortal(call: Callable[..., Any]) -> Callable[..., Any]:
        def made(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            if left <= 0:
                raise Killed
            left -= 1
            return call(*arguments, **options)

        return made

    kernel = landing.kernel()
    renaming = None if kernel is None else kernel._replace(rename=mortal(kernel.rename))
    patches = [
        patch.object(module, name, mortal(getattr(module, name))) for module in (os, posix) for name in CALLS
    ]
    patches += [
        patch.object(disk, "flush", mortal(disk.flush)),
        patch.object(landing, "kernel", lambda: renaming),
        patch.object(Database, "run", mortal(Database.run)),
    ]
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()
