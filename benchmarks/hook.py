"""What a hook costs the agent, beside a bare interpreter and beside a hook in bash and jq.

The rivals take turns, run by run, so that whatever else the machine does meets all of them alike. A figure
is the pair of runs, one right after the other, whose ratio is the median of all. A bare interpreter does not
wait for the disk, and a hook does: so there is also what the processor has to do, with a disk of any kind.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import doing
from blueline.hook import recorder
from blueline.journal.frames import Frame
from blueline.journal.log import Journal
from blueline.kernel import disk, project_folder

HISTORIES = (0, 1_000, 100_000, 1_000_000)
RUNS = 200
RIVAL_RUNS = {0: 40, 1_000: 40, 100_000: 5, 1_000_000: 0}
"""It reads and writes all that ever was, each time: after a million events, more than half a gigabyte."""
AT_ONCE = 32
ROUNDS = 4

PYTHON = [sys.executable, "-I", "-S", "-c"]
FOLDER = str(Path(recorder.__file__).parent)
BARE = [*PYTHON, "pass"]
OURS = [*PYTHON, f"import sys;sys.path[:0]=[{FOLDER!r}];import recorder;recorder.main('claude-code')"]

# Keeps one JSON array, as hooks written in a shell do: read it all, add a record, put a new file in place.
RIVAL = """
event=$(cat)
list="$1/edits.json"
test -s "$list" || printf '[]' > "$list"
file=$(jq -r '.tool_input.file_path // empty' <<< "$event")
test -n "$file" || exit 0
fresh=$(mktemp "$list.XXXXXX")
jq -c --argjson event "$event" --arg id "edit-$(date +%s)-$$" --arg at "$(date -u +%FT%TZ)" \
  --rawfile old "$file" \
  '. + [{id: $id, timestamp: $at, tool: $event.tool_name, file_path: $event.tool_input.file_path,
         old_string: $event.tool_input.old_string, new_string: $event.tool_input.new_string,
         old_content: $old, status: "pending"}]' "$list" > "$fresh" && mv "$fresh" "$list"
"""


class Row(NamedTuple):
    """One line of the table."""

    figure: str
    ours: str
    rival: str
    ratio: str
    target: str


class Run(NamedTuple):
    """How long something took, in milliseconds."""

    clock: float
    processor: float


class Measured(NamedTuple):
    """The bare interpreter and ours."""

    bare: float
    ours: float

    @property
    def ratio(self) -> float:
        return self.ours / self.bare


HEADING = Row("figure", "ours", "rival", "ratio", "target")


class Bench:
    """A project with a file that changes before every event, and the state of both hooks."""

    def __init__(self, base: Path, history: int) -> None:
        self.root = base / "project"
        self.file = self.root / "src" / "module.py"
        self.file.parent.mkdir(parents=True)
        self.list = base / "edits.json"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(base),
            "CLAUDE_PROJECT_DIR": str(self.root),
        }
        home = project_folder.state_home({b"HOME": os.fsencode(base)})
        self.state = home + b"/" + project_folder.state_key(os.fsencode(self.root)).encode()
        project_folder.prepare(self.state, os.fsencode(self.root))
        disk.spread(self.state + b"/blobs")
        self.journal = Journal(Path(os.fsdecode(self.state + b"/journal")))
        self.rival = ["bash", "-c", RIVAL, "hook", str(base)]
        self.number = 0
        self.fill(history)

    def fill(self, history: int) -> None:
        seen = [b"path src/module.py", b"state file 644 8000 " + b"ab" * 20, b"stat 1 2 3 4 5"]
        payload = recorder.compose(1, "claude-code", "PreToolUse", b"review", seen, self.event())
        frame = disk.frame(b"o", payload)
        with self.journal.path.open("wb") as file:
            for _ in range(0, history, 1_000):
                file.write(frame * min(history, 1_000))
        record = {"id": "edit-1-1", "timestamp": "", "old_content": "x" * 600, "status": "pending"}
        listed = history if RIVAL_RUNS.get(history) else 0
        self.list.write_text("[" + ",".join([json.dumps(record)] * listed) + "]")

    def event(self) -> bytes:
        given = {"file_path": str(self.file), "old_string": "old line\n" * 8, "new_string": "new line\n" * 8}
        return json.dumps(
            {
                "session_id": "5f2c",
                "cwd": str(self.root),
                "hook_event_name": "PreToolUse",
                "tool_name": "Edit",
                "tool_input": given,
                "tool_use_id": f"toolu_{self.number}",
            }
        ).encode()

    def change(self) -> bytes:
        """Give the file content that nobody has stored yet, and the event that comes with it."""
        self.number += 1
        lines = [f"value_{line} = compute({self.number * line % 977})\n" for line in range(230)]
        self.file.write_text("".join(lines))
        return self.event()

    def once(self, command: list[str]) -> Run:
        """One run, from start to end."""
        raw = self.change()
        before, used = time.perf_counter(), _used()
        subprocess.run(command, input=raw, env=self.environment, capture_output=True, check=True)
        return Run((time.perf_counter() - before) * 1000, (_used() - used) * 1000)

    def lost(self, command: list[str], count: Callable[[], int]) -> int:
        """How many of the events that come at once are not in the record afterwards."""
        before = count()
        for _ in range(ROUNDS):
            raw = self.change()
            running = [self.start(command) for _ in range(AT_ONCE)]
            for process in running:
                assert process.stdin is not None
                process.stdin.write(raw)
            for process in running:
                assert process.stdin is not None
                process.stdin.close()
            for process in running:
                process.wait()
        return before + AT_ONCE * ROUNDS - count()

    def start(self, command: list[str]) -> subprocess.Popen[bytes]:
        null = subprocess.DEVNULL
        return subprocess.Popen(
            command, env=self.environment, stdin=subprocess.PIPE, stdout=null, stderr=null
        )

    def recorded(self) -> int:
        return sum(isinstance(found, Frame) for found in self.journal.read())

    def listed(self) -> int:
        return len(json.loads(self.list.read_text()))


def run(*, with_rival: bool) -> Iterator[Row]:
    """All figures, each as soon as it is known."""
    first = 0.0
    for history in HISTORIES:
        doing(f"a history of {history:,} events")
        with tempfile.TemporaryDirectory() as base:
            bench = Bench(Path(base).resolve(), history)
            by_clock, by_processor, theirs = measure(bench, RIVAL_RUNS[history] if with_rival else 0)
        bare, ours = by_clock
        first = first or by_processor.ratio
        after = f"one event after {history:,}"
        yield Row(f"{after}, bare interpreter", ms(ours), ms(bare), f"{ours / bare:.2f}", "<= 1.20")
        used = (ms(by_processor.ours), ms(by_processor.bare), f"{by_processor.ratio:.2f}")
        yield Row(f"{after}, processor time", *used, "<= 1.20")
        if theirs is not None:
            yield Row(f"{after}, bash and jq", ms(ours), ms(theirs), f"{ours / theirs:.2f}", "<= 0.25")
        if history:
            growth = by_processor.ratio / first
            yield Row(
                f"{after}, after none",
                f"{by_processor.ratio:.2f} bare",
                f"{first:.2f} bare",
                f"{growth:.2f}",
                "<= 1.10",
            )
    with tempfile.TemporaryDirectory() as base:
        bench = Bench(Path(base).resolve(), 0)
        ours_lost = bench.lost(OURS, bench.recorded)
        theirs_lost = str(bench.lost(bench.rival, bench.listed)) if with_rival else "-"
    yield Row(f"lost of {AT_ONCE * ROUNDS}, {AT_ONCE} at once", str(ours_lost), theirs_lost, "", "0")


def measure(bench: Bench, rival_runs: int) -> tuple[Measured, Measured, float | None]:
    """Ours beside the bare interpreter, by the clock and by the processor's time; and the rival's median."""
    pairs: list[tuple[Run, Run]] = []
    rival: list[float] = []
    every = max(RUNS // rival_runs, 1) if rival_runs else 0
    for command in (BARE, OURS):
        bench.once(command)
    for number in range(RUNS):
        pairs.append((bench.once(BARE), bench.once(OURS)))
        if every and number % every == 0:
            rival.append(bench.once(bench.rival).clock)
    clock = _middle([Measured(bare.clock, ours.clock) for bare, ours in pairs])
    processor = _middle([Measured(bare.processor, ours.processor) for bare, ours in pairs])
    return clock, processor, statistics.median(rival) if rival else None


def _middle(pairs: list[Measured]) -> Measured:
    return sorted(pairs, key=lambda pair: pair.ratio)[len(pairs) // 2]


def _used() -> float:
    """The processor's time of all programs that were run so far."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def ms(value: float) -> str:
    return f"{value:,.1f} ms"


def show(row: Row) -> None:
    print(f"{row.figure:42}{row.ours:>12}{row.rival:>14}{row.ratio:>8}{row.target:>10}", flush=True)


def main() -> None:
    with_rival = bool(shutil.which("jq") and shutil.which("bash"))
    show(HEADING)
    for row in run(with_rival=with_rival):
        show(row)
    if not with_rival:
        print("The rival needs bash and jq, which are not here: its figures are missing.")


if __name__ == "__main__":
    main()
