"""What a long history takes on disk: all that is stored, beside the bytes of the files that were changed."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.figures import HEADING, Figure, doing, show
from benchmarks.projects import Sample, with_events
from blueline.desk.old_history import FoldRule, fold_files

EVENTS = (2_500, 5_000, 10_000)
FILES = 40
EDITS = (1_000, 2_000, 4_000)
"""Of a project that goes on for long: each day so many are made, and decided at its end."""
EDITS_A_DAY = 500
PROJECT_FILES, LINES = 100, 200
AT_ONCE = FoldRule(days=-1_000, decisions=0, least=1)


def run() -> Iterator[Figure]:
    gc.disable()
    for events in EVENTS:
        doing(f"a history of {events:,} events")
        yield _stored(events)
    yield from lived(EDITS)


def lived(lengths: Sequence[int]) -> Iterator[Figure]:
    """A project in which an agent edits day after day, by hooks, desks and decisions as they are. What a day
    leaves is old the day after, and folds. One project, looked at when it has come to each of the lengths."""
    with tempfile.TemporaryDirectory() as name:
        sample = Sample(Path(name))
        texts = [
            [f"line {k} of file {n}, as it was when all began\n" for k in range(LINES)]
            for n in range(PROJECT_FILES)
        ]
        for number, lines in enumerate(texts):
            sample.put(f"src/f{number}.txt", "".join(lines))
        changed = edit = 0
        while edit < max(lengths):
            sample.observe("UserPromptSubmit", prompt=f"the work of day {edit // EDITS_A_DAY}")
            for _ in range(EDITS_A_DAY):
                number, line = edit % PROJECT_FILES, edit // PROJECT_FILES % LINES
                old, new = texts[number][line], f"edit {edit} of file {number}, as it is since then\n"
                sample.edit(f"k{edit}", f"src/f{number}.txt", old, new)
                texts[number][line] = new
                changed += sum(map(len, texts[number]))
                edit += 1
            sample.observe("Stop")
            with sample.desk() as desk:
                desk.decide("accept", [], everything=True)
                store = desk.project.store
                fold_files(store, [one for one, _ in store.index.files.paths()], AT_ONCE)
            if edit in lengths:
                journal, room = os.stat(sample.state / "journal").st_size, _room(sample.state)
                yield Figure(
                    f"state after {edit:,} edits, by the day (journal {kb(journal)})",
                    kb(room),
                    f"{kb(changed)} of changed files",
                    f"{room / changed:.2f}",
                    "at most 2",
                )


def _stored(events: int) -> Figure:
    """Everything is decided, and old: it is folded, and what files held before is packed."""
    with tempfile.TemporaryDirectory() as name:
        sample = with_events(Path(name), events=events, files=FILES)
        changed = sum(path.stat().st_size for path in _files(sample.state / "blobs"))
        with sample.desk() as desk:
            store = desk.project.store
            before = _room(sample.state)
            fold_files(store, [number for number, _ in store.index.files.paths()], AT_ONCE)
        after, journal = _room(sample.state), os.stat(sample.state / "journal").st_size
    return Figure(
        f"state after {events:,} events (journal {kb(journal)})",
        kb(after),
        f"{kb(changed)} of changed files, {kb(before)} unpacked",
        f"{after / changed:.2f}",
        "at most 2",
    )


def _files(folder: Path) -> list[Path]:
    return [Path(place) / one for place, _, names in os.walk(folder) for one in names]


def _room(folder: Path) -> int:
    """Bytes on disk, in whole blocks."""
    return sum(path.lstat().st_blocks * 512 for path in _files(folder))


def kb(size: int) -> str:
    return f"{size // 1024:,} KB"


def main() -> None:
    show([HEADING])
    show(run())


if __name__ == "__main__":
    main()
