"""Hints that something below a folder changed. A hint says when to look, not what is true."""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from blueline.workspace.steps import is_temporary

SETTLE_MS = 60
"""A program that saves does so in several steps; this long after the last one it is done."""

LONGEST_SETTLE_MS = 400
TICK_MS = 500

VERIFY_SECONDS = 20
"""Without any hint things are looked at all the same: some programs write without anybody being told."""

POLL_SECONDS = 2
"""How often to look when the system gives no hints."""


GROWTH_STEP_MS = 20
LONGEST_GROWTH_MS = 40
"""A record is one write: there is nothing to wait for. But several often come at once."""

GLANCE_SECONDS = 0.1
"""How often to look at a single file when the system gives no hints."""


class Hint(NamedTuple):
    """Something may have changed."""

    paths: frozenset[str]
    """Relative to the root; empty when it is only time to look again."""
    trusted: bool
    """False when the system gives no hints: too many folders to watch, or a file system without them."""
    why: str = ""


def hints(root: Path, stop: threading.Event) -> Iterator[Hint]:
    """Hints as they come, until `stop` is set. The first comes soon, when everything is being watched."""
    from watchfiles import watch  # only who watches waits for it

    prefix = os.path.join(os.path.realpath(root), "")
    look_at = 0.0
    try:
        for batch in watch(
            root,
            watch_filter=None,
            debounce=LONGEST_SETTLE_MS,
            step=SETTLE_MS,
            stop_event=stop,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            force_polling=False,
            ignore_permission_denied=True,
        ):
            paths = frozenset(path.removeprefix(prefix) for _, path in batch if not _is_noise(path, prefix))
            now = time.monotonic()
            if paths or now >= look_at:
                look_at = now + VERIFY_SECONDS
                yield Hint(paths, trusted=True)
    except (OSError, RuntimeError) as error:  # too many folders, mostly
        why = str(error)
    else:
        return
    while not stop.wait(POLL_SECONDS):
        yield Hint(frozenset(), trusted=False, why=why)


def grown(files: Sequence[Path], stop: threading.Event) -> Iterator[None]:
    """Each time some files of a folder may have grown, a few milliseconds later, until `stop` is set."""
    from watchfiles import watch

    try:
        for batch in watch(
            files[0].parent,
            watch_filter=lambda _, path: path.endswith(tuple(f"/{file.name}" for file in files)),
            debounce=LONGEST_GROWTH_MS,
            step=GROWTH_STEP_MS,
            stop_event=stop,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            recursive=False,
            force_polling=False,
        ):
            if batch:
                yield
    except (OSError, RuntimeError):  # no more watches are to be had, mostly
        pass
    sizes: list[int] = []
    while not stop.wait(GLANCE_SECONDS):
        now = [file.stat().st_size if file.exists() else 0 for file in files]
        if now != sizes:
            sizes = now
            yield


def _is_noise(path: str, prefix: str) -> bool:
    """Git's own files, and ours while a decision is carried out."""
    inner = path.removeprefix(prefix)
    return inner.startswith(".git/") or "/.git/" in inner or is_temporary(inner)
