"""What hooks wrote down is taken in, beside reading and parsing the same records, at three lengths."""

from __future__ import annotations

import gc
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import HEADING, Figure, doing, ms, processor_seconds, show
from benchmarks.projects import Sample
from blueline.blobs.store import Blobs
from blueline.diff.edits import text_edits
from blueline.errors import BluelineError
from blueline.journal.frames import Frame
from blueline.journal.log import Journal
from blueline.journal.observation import parse_all
from blueline.model.file_state import Regular

COUNTS = (5_000, 20_000, 100_000)
FILES, LINES, EDITS = 400, 40, 10
"""Files, lines in each, and edits in a turn."""


def run() -> Iterator[Figure]:
    gc.disable()  # as commands do
    _taken(100)  # all that is needed is loaded, as it is for the rival
    for count in COUNTS:
        doing(f"{count:,} observations")
        yield from _taken(count)


def _taken(count: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        sample = _recorded(Path(name), count)
        journal = Journal(sample.state / "journal")

        def read() -> None:
            for seen in parse_all(one.payload for one in journal.read() if isinstance(one, Frame)):
                if not isinstance(seen, BluelineError):
                    json.loads(seen.raw or b"")

        def least() -> None:
            """Besides, whoever says what changed reads each content that is new, and compares it."""
            blobs, known = Blobs(sample.state / "blobs"), dict[str, tuple[str, str]]()
            for seen in parse_all(one.payload for one in journal.read() if isinstance(one, Frame)):
                if isinstance(seen, BluelineError):
                    continue
                json.loads(seen.raw or b"")
                if not isinstance(seen.state, Regular) or seen.path is None:
                    continue
                blob, before = known.get(seen.path, ("", ""))
                if blob != seen.state.blob:
                    text = blobs.get(seen.state.blob).decode()
                    if blob:
                        text_edits(before, text)
                    known[seen.path] = seen.state.blob, text

        def take() -> None:
            with sample.desk() as desk:
                assert desk.project.store.ledger.counters.source > 0

        rival, both = (min(processor_seconds(act) for _ in range(3)) for act in (read, least))
        ours = processor_seconds(take)
    return [
        Figure(
            f"take in {count:,} observations ({ours / count * 1e6:.0f} µs each)",
            ms(ours),
            f"{ms(rival)} to read and parse them",
            f"{ours / rival:.1f}",
            "at most 3",
        ),
        Figure(
            "the same beside what it has to do at least",
            ms(ours),
            f"{ms(both)} with contents and diffs",
            f"{ours / both:.1f}",
        ),
    ]


def _recorded(folder: Path, count: int) -> Sample:
    """A project with what hooks write down of turns of edits. Nothing is made durable, nor measured."""
    sample = Sample(folder)
    texts = [[f"line {k} of file {n}\n" for k in range(LINES)] for n in range(FILES)]
    for number, lines in enumerate(texts):
        sample.put(f"src/f{number}.txt", "".join(lines))
    frames: list[bytes] = []
    edit = 0
    while len(frames) < count:
        frames.append(sample.observation("UserPromptSubmit", len(frames), prompt="change some of it"))
        for _ in range(EDITS):
            number, line = edit % FILES, edit // FILES % LINES
            path, old, new = f"src/f{number}.txt", texts[number][line], f"edit {edit} of file {number}\n"
            texts[number][line] = new
            frames += sample.edited(f"k{edit}", path, "".join(texts[number]), old, new, len(frames))
            edit += 1
        frames.append(sample.observation("Stop", len(frames)))
    sample.record(frames)
    return sample


def main() -> None:
    show([HEADING])
    show(run())


if __name__ == "__main__":
    main()
