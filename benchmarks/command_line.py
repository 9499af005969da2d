"""Whole commands: listing, opening and rebuilding, each in a process of its own."""

import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import blueline
from benchmarks.figures import (
    HEADING,
    Figure,
    cost_of,
    doing,
    ms,
    peak_mb,
    programs_seconds,
    seconds,
    show,
    side_by_side,
)
from benchmarks.projects import Sample, pending, with_events

HUNKS = {10: 3, 100: 30, 1_000: 300}
"""Pending hunks, and in how many files."""
EVENTS = (2_500, 5_000, 10_000)
TIMES = 15


def run() -> Iterator[Figure]:
    # As whoever installs a package has it: else each command may compile what was changed since.
    compileall.compile_dir(os.path.dirname(blueline.__file__), quiet=1)
    with tempfile.TemporaryDirectory() as name:
        for hunks, files in HUNKS.items():
            doing(f"{hunks:,} pending hunks")
            sample = pending(Path(name) / str(hunks), files=files, hunks=hunks)
            yield from _list(sample, f"list, {hunks:,} pending hunks in {files} files", "at most 5")
            yield from _list(sample, f"list --json, {hunks:,} pending hunks", "", "--json")
            yield _status(sample, f"status, {hunks:,} pending hunks in {files} files")
        for events in EVENTS:
            doing(f"a history of {events:,} events")
            yield from _large(with_events(Path(name) / f"{events} events", events=events), events)


def _command(sample: Sample, *arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("blueline")), "-C", str(sample.root), *arguments]


def _list(sample: Sample, name: str, target: str, *options: str) -> Iterator[Figure]:
    command = _command(sample, "list", *options)

    def ours() -> None:
        subprocess.run(command, env=sample.environ, check=True, stdout=subprocess.DEVNULL)

    def rival() -> None:
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)

    _, peak = peak_mb(command, sample.environ, str(sample.root))
    for measure, how in ((seconds, ""), (programs_seconds, ", processor time")):
        mine, bare = side_by_side(ours, rival, times=TIMES, measure=measure)
        about = f"{name} ({peak:.0f} MB){how}"
        yield Figure(about, ms(mine), f"{ms(bare)} bare interpreter", f"{mine / bare:.1f}", target)


def _status(sample: Sample, name: str) -> Figure:
    """Beside a list of the same: both look at every file and at all that is pending."""

    def run(word: str) -> None:
        subprocess.run(_command(sample, word), env=sample.environ, check=True, stdout=subprocess.DEVNULL)

    status, listed = side_by_side(
        lambda: run("status"), lambda: run("list"), times=TIMES, measure=programs_seconds
    )
    return Figure(
        f"{name}, processor time", ms(status), f"{ms(listed)} list", f"{status / listed:.1f}", "at most 1.3"
    )


def _large(sample: Sample, events: int) -> list[Figure]:
    """A long history: the first opening builds the index, later ones only look."""
    status = _command(sample, "status")
    _, rebuilt, peak = cost_of(status, sample.environ, str(sample.root))
    journal = sample.state / "journal"
    program = (
        "import json, sys\n"
        "for record in open(sys.argv[1], 'rb').read().split(b'\\xb1BLJ')[1:]: json.loads(record[16:])"
    )
    _, read, _ = cost_of([sys.executable, "-c", program, str(journal)], sample.environ, str(sample.root))
    opened = [*_list(sample, f"list, nothing pending, {events:,} events", "")]
    for path in sample.state.glob("index.sqlite*"):
        path.unlink()
    _, restored, _ = cost_of(status, sample.environ, str(sample.root))
    return [
        Figure(
            f"full rebuild, {events:,} events ({peak:.0f} MB), processor time",
            f"{rebuilt:.2f} s",
            f"{read:.2f} s json.loads of all records",
            f"{rebuilt / read:.1f}",
        ),
        Figure(
            f"lost index, {events:,} events, checkpoint, processor time",
            f"{restored:.2f} s",
            f"{rebuilt:.2f} s full rebuild",
            f"{restored / rebuilt:.2f}",
            "at most 0.2",
        ),
        *opened,
    ]


def main() -> None:
    show([HEADING])
    show(run())


if __name__ == "__main__":
    main()
