"""What a long history takes on disk: all that is stored, beside the bytes of the files that were changed."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import HEADING, Figure, doing, show
from benchmarks.projects import with_events
from blueline.desk.old_history import FoldRule, fold_files

EVENTS = (2_500, 5_000, 10_000)
FILES = 40
AT_ONCE = FoldRule(days=-1_000, decisions=0, least=1)


def run() -> Iterator[Figure]:
    gc.disable()
    for events in EVENTS:
        doing(f"a history of {events:,} events")
        yield _stored(events)


def _stored(events: int) -> Figure:
    """Everything is decided, and old: it is folded, and what files held before is packed."""
    with tempfile.TemporaryDirectory() as name:
        sample = with_events(Path(name), events=events, files=FILES)
        changed = sum(path.stat().st_size for path in files_in(sample.state / "blobs"))
        with sample.desk() as desk:
            store = desk.project.store
            before = room(sample.state)
            fold_files(store, [number for number, _ in store.index.files.paths()], AT_ONCE)
        after, journal = room(sample.state), os.stat(sample.state / "journal").st_size
    return Figure(
        f"state after {events:,} events (journal {kb(journal)})",
        kb(after),
        f"{kb(changed)} of changed files, {kb(before)} unpacked",
        f"{after / changed:.2f}",
        "at most 2",
    )


def files_in(folder: Path) -> list[Path]:
    return [Path(place) / one for place, _, names in os.walk(folder) for one in names]


def room(place: Path) -> int:
    """Bytes on disk of a file or a folder, in whole blocks."""
    return sum(path.lstat().st_blocks * 512 for path in files_in(place) or [place])


def kb(size: int) -> str:
    return f"{size // 1024:,} KB"


def main() -> None:
    show([HEADING])
    show(run())


if __name__ == "__main__":
    main()
