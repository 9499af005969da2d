"""The desk for somebody who goes through changes: open for a moment at a time, so that nobody waits."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from blueline.desk.hunk_filter import HunkWish
from blueline.diff.edits import split_lines
from blueline.errors import BluelineError
from blueline.surfaces.cli.request import Request, complain
from blueline.surfaces.cli.walk_queue import WalkItem, WalkQueue
from blueline.surfaces.cli.walk_rows import Row, rows, whole_file_rows

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.desk import Desk


@contextmanager
def _whole() -> Iterator[None]:
    """Ctrl+C waits until something has been done to its end."""
    waiting: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt


class WalkDesk:
    """What is undecided, kept up to date."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._start = request.start
        self._wish = HunkWish(selectors=tuple(request.arguments.selectors))
        self._warned: set[str] = set()
        with self.open() as desk:
            self.root = desk.root
            self._journal = desk.state / "journal"
            self.queue = WalkQueue(self.undecided(desk))
        self._size = self._journal_size()

    @contextmanager
    def open(self) -> Iterator[Desk]:
        """The desk. What it has to warn about is said once."""
        with _whole(), self._request.open(self._start) as desk:
            yield desk
            warnings = [warning for warning in desk.warnings if warning not in self._warned]
        for warning in warnings:
            complain(warning, self._request.screen(sys.stderr))
        self._warned |= set(warnings)

    @property
    def is_of_some(self) -> bool:
        """Whether somebody goes through a selection, and not through everything."""
        return bool(self._wish.selectors)

    def undecided(self, desk: Desk) -> list[HunkDocument]:
        return desk.list(by="hunk", status="pending", wish=self._wish)["hunks"]

    def renew(self, desk: Desk) -> list[HunkDocument]:
        """Take up what is undecided now; the changes that are new."""
        found = self.queue.renew(self.undecided(desk))
        self._size = self._journal_size()
        return found

    def news(self) -> list[HunkDocument]:
        """The same, if anything at all happened since. What cannot be asked now is asked the next time."""
        if self._journal_size() == self._size:
            return []
        try:
            with self.open() as desk:
                return self.renew(desk)
        except BluelineError:
            return []

    def _journal_size(self) -> int:
        with suppress(OSError):
            return os.stat(self._journal).st_size
        return 0

    def rows(self, item: WalkItem) -> list[Row]:
        """The lines of a change, and some around it."""
        with self.open() as desk:
            return self.rows_of(desk, item.hunk)

    def rows_of(self, desk: Desk, hunk: HunkDocument) -> list[Row]:
        """What changes; of a renamed file just its names, and of a mode just that."""
        if hunk["kind"] == "rename":
            return whole_file_rows(hunk.get("from") or "", hunk["path"])
        if hunk["kind"] == "mode":
            page = desk.workbench.file(hunk["path"])
            before, now = page.get("baseline_mode_bits"), page["mode_bits"]
            return whole_file_rows(f"mode {before}", f"mode {now}") if before and now else []
        return rows(hunk, self._live(desk, hunk))

    def _live(self, desk: Desk, hunk: HunkDocument) -> Sequence[str]:
        """The lines of the file as it is, or of the cell; none where that is not text."""
        page = desk.workbench.file(hunk["path"])
        cell = hunk.get("cell")
        if cell is None:
            return split_lines(page["live"] or "") if "cell" not in hunk else ()
        sources = [one["live"] for one in page.get("cells", ()) if one["index"] == cell["index"]]
        return split_lines((sources[0] or "") + "\n") if sources else ()

    def asked_about(self, desk: Desk, document: DecisionDocument) -> dict[str, HunkDocument]:
        """The hunks that a question may be about, by id; none when there is no question."""
        if not document["needs"]:
            return {}
        return {hunk["id"]: hunk for hunk in desk.list(by="hunk", status="all")["hunks"]}
