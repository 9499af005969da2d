"""Whole commands: listing, opening and rebuilding, each in a process of its own."""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figures import HEADING, Figure, ms, peak_mb, show, side_by_side
from benchmarks.projects import Sample, pending, with_events

HUNKS, FILES, EVENTS = 1_000, 300, 100_000
TIMES = 15


def run() -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory() as name:
        sample = pending(Path(name) / "a", files=FILES, hunks=HUNKS)
        figures.append(_list(sample, f"list, {HUNKS} pending hunks in {FILES} files", "at most 5"))
        figures.append(_list(sample, f"list --json, {HUNKS} pending hunks", "", "--json"))
        figures.append(_status(sample))
        small = pending(Path(name) / "b", files=1, hunks=1)
        figures.append(_list(small, "list, one pending hunk", ""))
        figures += _large(with_events(Path(name) / "c", events=EVENTS))
    return figures


def _command(sample: Sample, *arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("blueline")), "-C", str(sample.root), *arguments]


def _list(sample: Sample, name: str, target: str, *options: str) -> Figure:
    command = _command(sample, "list", *options)

    def ours() -> None:
        subprocess.run(command, env=sample.environ, check=True, stdout=subprocess.DEVNULL)

    def rival() -> None:
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)

    mine, bare = side_by_side(ours, rival, times=TIMES)
    _, peak = peak_mb(command, sample.environ, str(sample.root))
    return Figure(
        f"{name} ({peak:.0f} MB)", ms(mine), f"{ms(bare)} bare interpreter", f"{mine / bare:.1f}", target
    )


def _status(sample: Sample) -> Figure:
    """Beside a list of the same: both look at every file and at all that is pending."""

    def run(word: str) -> None:
        subprocess.run(_command(sample, word), env=sample.environ, check=True, stdout=subprocess.DEVNULL)

    status, listed = side_by_side(lambda: run("status"), lambda: run("list"), times=TIMES)
    name = f"status, {HUNKS} pending hunks in {FILES} files"
    return Figure(name, ms(status), f"{ms(listed)} list", f"{status / listed:.1f}", "at most 1.3")


def _large(sample: Sample) -> list[Figure]:
    """A long history: the first opening builds the index, later ones only look."""
    status = _command(sample, "status")
    rebuilt, peak = peak_mb(status, sample.environ, str(sample.root))
    journal = sample.state / "journal"
    program = (
        "import json, sys\n"
        "for record in open(sys.argv[1], 'rb').read().split(b'\\xb1BLJ')[1:]: json.loads(record[16:])"
    )
    read, _ = peak_mb([sys.executable, "-c", program, str(journal)], sample.environ, str(sample.root))
    opened = _list(sample, f"list, nothing pending, {EVENTS} events", "")
    for path in sample.state.glob("index.sqlite*"):
        path.unlink()
    restored, _ = peak_mb(status, sample.environ, str(sample.root))
    return [
        Figure(
            f"full rebuild, {EVENTS} events ({peak:.0f} MB)",
            f"{rebuilt:.1f} s",
            f"{read:.1f} s json.loads of all records",
            f"{rebuilt / read:.1f}",
        ),
        Figure(
            f"lost index, {EVENTS} events, with a checkpoint",
            f"{restored:.1f} s",
            f"{rebuilt:.1f} s full rebuild",
            f"{restored / rebuilt:.2f}",
            "at most 0.2",
        ),
        opened,
    ]


def main() -> None:
    show([HEADING, *run()])


if __name__ == "__main__":
    main()
