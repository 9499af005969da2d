"""What hooks wrote down is taken in, beside reading and parsing the same records, at three lengths."""

from __future__ import annotations

import gc
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import HEADING, Figure, doing, ms, processor_seconds, show
from benchmarks.projects import Sample
from blueline.errors import BluelineError
from blueline.hook import hosts, recorder
from blueline.journal.frames import Frame
from blueline.journal.log import Journal
from blueline.journal.observation import parse_all
from blueline.kernel import disk

COUNTS = (5_000, 20_000, 100_000)
FILES, LINES, EDITS = 400, 40, 10
"""Files, lines in each, and edits in a turn."""


def run() -> Iterator[Figure]:
    gc.disable()  # as commands do
    for count in COUNTS:
        doing(f"{count:,} observations")
        yield _taken(count)


def _taken(count: int) -> Figure:
    with tempfile.TemporaryDirectory() as name:
        sample = _recorded(Path(name), count)

        def read() -> None:
            frames = [one for one in Journal(sample.state / "journal").read() if isinstance(one, Frame)]
            for seen in parse_all(frame.payload for frame in frames):
                if not isinstance(seen, BluelineError):
                    json.loads(seen.raw or b"")

        def take() -> None:
            with sample.desk() as desk:
                assert desk.project.store.ledger.counters.source > 0

        rival = min(processor_seconds(read) for _ in range(3))
        ours = processor_seconds(take)
    return Figure(
        f"take in {count:,} observations ({ours / count * 1e6:.0f} µs each)",
        ms(ours),
        f"{ms(rival)} to read and parse them",
        f"{ours / rival:.1f}",
        "at most 3",
    )


def _recorded(folder: Path, count: int) -> Sample:
    """A project with what hooks write down of turns of edits. Nothing is made durable, nor measured."""
    sample = Sample(folder)
    texts = [[f"line {k} of file {n}\n" for k in range(LINES)] for n in range(FILES)]
    for number, lines in enumerate(texts):
        sample.put(f"src/f{number}.txt", "".join(lines))
    frames: list[bytes] = []

    def observe(event: str, **fields: object) -> None:
        payload = {"session_id": "bench", "cwd": str(sample.root), "hook_event_name": event, **fields}
        paths = hosts.reading("claude-code", payload, {}).paths
        seen = recorder.looks(os.fsencode(sample.root), paths, sample.keep) if paths else []
        raw = json.dumps(payload).encode()
        at = 1_800_000_000_000_000_000 + len(frames) * 10**6
        record = recorder.compose(at, "claude-code", event, b"review", seen, raw)
        frames.append(disk.frame(b"o", record))

    edit = 0
    while len(frames) < count:
        observe("UserPromptSubmit", prompt="change some of it")
        for _ in range(EDITS):
            number, line = edit % FILES, edit // FILES % LINES
            path, old, new = f"src/f{number}.txt", texts[number][line], f"edit {edit} of file {number}\n"
            given = {"file_path": str(sample.root / path), "old_string": old, "new_string": new}
            about = {"tool_name": "Edit", "tool_use_id": f"k{edit}", "tool_input": given}
            observe("PreToolUse", **about)
            texts[number][line] = new
            (sample.root / path).write_text("".join(texts[number]))
            observe("PostToolUse", **about, tool_response={})
            edit += 1
        observe("Stop")
    (sample.state / "journal").write_bytes(b"".join(frames))
    (sample.state / "journal").chmod(0o600)
    return sample


def main() -> None:
    show([HEADING])
    show(run())


if __name__ == "__main__":
    main()
