"""A project that is watched, for the tests of whoever watches."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from blueline.hook import capture, touched_folders, tree_index, tree_scan
from blueline.kernel import counting_rules, disk
from blueline.workspace import tree_watcher
from tests.support.waiting import wait_until


class Watched:
    """A project that is watched here, and looked at as a hook does it."""

    def __init__(self, base: Path) -> None:
        self.root = base / "project"
        self.state = base / "home" / "state"
        self.root.mkdir()
        disk.spread(os.fsencode(self.state / "blobs"))
        disk.make_folder(touched_folders.asks_path(os.fsencode(self.state)))
        self.lock = os.open(self.state / "watch" / "lock", os.O_RDWR | os.O_CREAT, 0o600)

    def questions(self) -> list[str]:
        return [name for name in os.listdir(self.state / "watch") if name.startswith("ask-")]

    def put(self, path: str, text: str = "one\n") -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return place

    def look(self) -> list[bytes]:
        """One look, remembered."""
        with capture.Capture(os.fsencode(self.root), os.fsencode(self.state)) as now:
            lines = now.look()
            now.save()
        return lines

    def touched(self) -> list[bytes] | None:
        """The folders that the next look is about; None for all."""
        with capture.Capture(os.fsencode(self.root), os.fsencode(self.state)) as now:
            now._ask_watcher()
            return now._touched()

    def index(self) -> tree_index.TreeIndex:
        return tree_index.TreeIndex.load(os.fsencode(self.state / "tree"))

    def full(self) -> tree_index.TreeIndex:
        """What is there, found by somebody who asks nobody and remembers nothing."""
        index = tree_index.TreeIndex()
        rules = counting_rules.read_rules(os.fsencode(self.state))
        tree_scan.TreeScan(os.fsencode(self.root), index, rules, disk.blob_id, self._is_counted).run()
        return index

    @staticmethod
    def _is_counted(path: bytes, name: bytes) -> bool:
        return name in counting_rules.DEPENDENCIES

    @contextmanager
    def watching(self) -> Iterator[threading.Thread]:
        """Somebody watches, and is ready."""
        stop = threading.Event()
        thread = threading.Thread(target=tree_watcher.tell_hooks, args=(self.root, self.state, stop))
        thread.start()
        try:
            wait_until(lambda: touched_folders.is_watched(os.fsencode(self.state)))
            yield thread
        finally:
            stop.set()
            thread.join()
