"""What text costs that arrives in ten thousand pieces, beside a tenth of them and beside plain writes."""

import tempfile
import time
from pathlib import Path

from benchmarks.figures import HEADING, Figure, ms, seconds, show
from benchmarks.projects import Sample
from blueline.sdk import Session
from blueline.sdk import stream as streaming

FEW, MANY = 1_000, 10_000
PACE = 0.01
"""Seconds from one piece to the next, by a clock that does not make us wait."""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def main() -> None:
    """Print the figures."""
    show([HEADING])
    with tempfile.TemporaryDirectory() as folder:
        sample = Sample(Path(folder))
        few, many = (_streamed(sample, count) for count in (FEW, MANY))
        plain = seconds(lambda: _written(Path(folder) / "plain.md", MANY))
        taking = seconds(lambda: sample.desk().close())
    rival = f"{FEW:,} pieces {ms(few)}"
    show([Figure(f"{MANY:,} pieces of a stream", ms(many), rival, f"{many / few:.1f}", "about 10")])
    rival = f"written and flushed {ms(plain)}"
    show([Figure(f"{MANY:,} pieces of a stream", ms(many), rival, f"{many / plain:.1f}")])
    show([Figure("taking both streams in", ms(taking), "")])


def _streamed(sample: Sample, count: int) -> float:
    """Processor time of a stream, piece by piece."""
    clock = Clock()
    usual = streaming.Stream.__init__.__kwdefaults__ or {}
    streaming.Stream.__init__.__kwdefaults__ = {**usual, "clock": clock}
    try:
        session = Session(sample.root, agent="bench", environ=sample.environ)
        began = time.process_time()
        with session.turn("please") as turn, turn.stream(f"stream{count}.md") as stream:
            for number in range(count):
                clock.now += PACE
                stream.write(f"word {number} ")
        return time.process_time() - began
    finally:
        streaming.Stream.__init__.__kwdefaults__ = usual


def _written(path: Path, count: int) -> None:
    with path.open("w") as file:
        for number in range(count):
            file.write(f"word {number} ")
            file.flush()


if __name__ == "__main__":
    main()
