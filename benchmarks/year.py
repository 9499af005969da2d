"""A project that grows for a year: an agent edits it day after day, by real hooks, desks and decisions.

What a day leaves is decided at its end, is old the day after, and folds. One project, looked at when it has
come to each of the lengths: what is stored, beside the bytes that changed, and what an edit and a look take
by then. `make bench` has the first weeks; `make bench-year` goes on to a million edits, for an hour or two.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.disk_space import AT_ONCE, kb, room
from benchmarks.figures import HEADING, Figure, doing, ms, own_peak_mb, processor_seconds, show
from benchmarks.projects import Sample
from blueline.desk.old_history import fold_files

WEEKS = (2_500, 5_000, 10_000)
YEAR = (10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000)
EDITS_A_DAY, EDITS_A_TURN = 2_500, 25
FILES, LINES = 100, 200


def run(lengths: Sequence[int]) -> Iterator[Figure]:
    """The figures at each of the lengths."""
    with tempfile.TemporaryDirectory() as name:
        project = _Growing(Path(name))
        spent = before = 0.0
        while project.edits < max(lengths):
            doing(f"day {project.edits // EDITS_A_DAY + 1}")
            project.records()
            spent += processor_seconds(project.reviewed)
            gc.collect()  # each day of a real one has its own processes
            if project.edits in lengths:
                yield from project.figures(spent / (project.edits - before))
                spent, before = 0.0, project.edits


class _Growing:
    """The project, and what was done to it."""

    def __init__(self, folder: Path) -> None:
        self.edits = self.changed = 0
        self._sample = Sample(folder)
        self._texts = [
            [f"line {k} of file {n}, as it was when all began\n" for k in range(LINES)] for n in range(FILES)
        ]
        for number, lines in enumerate(self._texts):
            self._sample.put(f"src/f{number}.txt", "".join(lines))

    def records(self) -> None:
        """What hooks write down on one day."""
        sample, frames = self._sample, list[bytes]()
        for _ in range(EDITS_A_DAY // EDITS_A_TURN):
            prompt = f"the work of turn {self.edits // EDITS_A_TURN}"
            frames.append(sample.observation("UserPromptSubmit", self._now, prompt=prompt))
            for _ in range(EDITS_A_TURN):
                frames += self._edit()
            frames.append(sample.observation("Stop", self._now))
        sample.record(frames)

    @property
    def _now(self) -> int:
        return self.edits * 1000

    def _edit(self) -> tuple[bytes, bytes]:
        number, line = self.edits % FILES, self.edits // FILES % LINES
        lines, new = self._texts[number], f"edit {self.edits} of file {number}, as it is since then\n"
        old, lines[line] = lines[line], new
        text = "".join(lines)
        self.changed += len(text)
        self.edits += 1
        return self._sample.edited(f"k{self.edits}", f"src/f{number}.txt", text, old, new, after=self._now)

    def reviewed(self) -> None:
        """All of a day is taken in, accepted, and folded."""
        with self._sample.desk() as desk:
            desk.decide("accept", [], everything=True)
            store = desk.project.store
            fold_files(store, [one for one, _ in store.index.files.paths()], AT_ONCE)

    def figures(self, each: float) -> Iterator[Figure]:
        """What is stored by now, of what, and what an edit took since the last time, and a look takes."""
        state = self._sample.state
        stored, edits = room(state), f"{self.edits:,} edits"
        yield Figure(
            f"state after {edits}",
            kb(stored),
            f"{kb(self.changed)} of changed files",
            f"{stored / self.changed:.2f}",
            "at most 2",
        )
        parts = {"journal": state / "journal", "packs": state / "blobs" / "packs"}
        sizes = [f"{name} {kb(room(place))}" for name, place in parts.items()]
        sizes += [
            f"{name} {kb(os.stat(state / name).st_size)}" for name in ("index.sqlite", "checkpoint.sqlite")
        ]
        yield Figure("  of which", "", ", ".join(sizes))

        def look() -> None:
            with self._sample.desk() as desk:
                desk.list()

        opened = min(processor_seconds(look) for _ in range(3))
        yield Figure(
            "  an edit taken in, decided and folded",
            ms(each),
            f"{own_peak_mb():.0f} MB at most",
            "",
            "the same",
        )
        yield Figure("  the project opened, and listed", ms(opened), "", "", "the same")


def main() -> None:
    """The first weeks, or the year up to as many edits as are given."""
    gc.disable()  # as commands do
    show([HEADING])
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    show(run([one for one in YEAR if one <= most] or WEEKS))


if __name__ == "__main__":
    main()
