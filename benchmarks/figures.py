"""Measuring, and printing each figure beside its rival."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class Figure(NamedTuple):
    """One line of the table."""

    name: str
    ours: str
    rival: str
    ratio: str = ""
    target: str = ""


def show(figures: Iterable[Figure]) -> None:
    """Print the figures as they come."""
    for figure in figures:
        print("  ".join(f"{part:<{width}}" for part, width in zip(figure, (58, 12, 34, 8, 16), strict=True)))
        sys.stdout.flush()


HEADING = Figure("figure", "ours", "rival", "ratio", "target")


def doing(what: str) -> None:
    """Say what takes its time just now, beside the figures: on a busy machine that can be minutes."""
    print(f"  … {time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def seconds(act: Callable[[], object]) -> float:
    """How long one run takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def processor_seconds(act: Callable[[], object]) -> float:
    """How long the processor is at it: the same however busy the machine is."""
    started = time.process_time()
    act()
    return time.process_time() - started


def programs_seconds(act: Callable[[], object]) -> float:
    """How long the processor is at the programs that are run meanwhile: the same however busy it is."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    act()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def side_by_side(
    ours: Callable[[], object],
    rival: Callable[[], object],
    *,
    times: int,
    measure: Callable[[Callable[[], object]], float] = seconds,
) -> tuple[float, float]:
    """Both, taken in turns, so that a busy machine is busy for both: of these pairs the one whose ratio is
    the median of all."""
    pairs = sorted(
        ((measure(ours), measure(rival)) for _ in range(times)), key=lambda pair: pair[0] / pair[1]
    )
    return pairs[len(pairs) // 2]


def ms(value: float) -> str:
    """A time in milliseconds."""
    return f"{value * 1000:.1f} ms"


class CommandCost(NamedTuple):
    """What one run of a command takes: seconds by the clock and of the processor, and megabytes."""

    clock: float
    processor: float
    peak: float


def cost_of(command: Sequence[str], environ: dict[str, str], folder: str) -> CommandCost:
    """Run a command, and see what it takes."""
    program = (
        "import resource, subprocess, sys, time; started = time.perf_counter();"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN);"
        "print(time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        env=environ,
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    clock, processor, peak = done.stdout.split()
    return CommandCost(float(clock), float(processor), int(peak) / 1024)


def peak_mb(command: Sequence[str], environ: dict[str, str], folder: str) -> tuple[float, float]:
    """How long a command takes by the clock, and its peak memory in megabytes."""
    cost = cost_of(command, environ, folder)
    return cost.clock, cost.peak


def own_peak_mb() -> float:
    """The peak memory of this process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
