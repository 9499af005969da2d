"""Many things made durable: asked for one by one, each would wait for the disk by itself."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

FEW = 8
"""As many as this are not worth a thread."""

THREADS = 8


def each(sync: Callable[[Thing], None], things: Sequence[Thing]) -> None:
    """Sync each of some things, several at a time: what is asked for together, a file system writes together.

    Raises what the first that failed did.
    """
    if len(things) <= FEW:
        for thing in things:
            sync(thing)
        return
    from concurrent.futures import ThreadPoolExecutor  # few decisions write many files

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(sync, things):
            pass
