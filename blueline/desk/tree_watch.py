"""Watching over a project that is not open: when to open it, and the first look at all of it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

from blueline.desk.gate.evidence import REVIEWS
from blueline.workspace.hints import Hint, grown
from blueline.workspace.hints import hints as tree_hints

TURNS_SECONDS = 0.0001
"""How long whoever works here may keep a hook, or a browser, waiting for each step of its answer; else it is
fifty times that, and a hook that asks while a desk takes something in waits longer than it would look by
itself. An answer has many steps: each folder in which something came is listed. Two threads that both work
take no longer for it."""


def hints(root: Path, stop: Event) -> Iterator[Hint]:
    """When to open a project again, because something in it may have changed; until `stop` is set."""
    return tree_hints(root, stop)


def records(folder: Path, stop: Event) -> Iterator[None]:
    """When to open a project again, because something was written down; until `stop` is set."""
    return grown([folder / "journal", folder / REVIEWS], stop)


def tell_hooks(root: Path, folder: Path, stop: Event) -> Thread:
    """Have hooks told of which folders were touched, by a thread of its own, until `stop` is set."""
    from blueline.workspace import tree_watcher  # only who watches waits for it

    sys.setswitchinterval(TURNS_SECONDS)
    watcher = Thread(target=tree_watcher.tell_hooks, args=(root, folder, stop), daemon=True)
    watcher.start()
    return watcher


def know_tree(root: Path, folder: Path) -> int:
    """Look at the whole tree for the first time, unless that was done; how many files were looked at.

    The hook of the first shell command would do it otherwise, and the agent wait for it.
    """
    from blueline.workspace.first_look import first_look  # it reads git, which nobody else here does

    return first_look(root, folder)
