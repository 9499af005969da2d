"""Faults of all kinds, a little of each in turn, and how many there were in the end."""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

from tests.faults.crowd import RECORDERS, crowd
from tests.faults.cuts import are_possible, cuts
from tests.faults.kills import at_calls, at_random
from tests.faults.work import Failure


def main() -> int:
    given = _parser().parse_args()
    chance = random.Random(given.seed)
    ends = time.monotonic() + given.minutes * 60 if given.minutes else float("inf")
    counts: Counter[str] = Counter()
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="blueline-faults-") as folder:
        base = Path(folder)
        parts: list[tuple[int, Generator[str]]] = []
        if given.recorders:
            parts.append((10**9, crowd(base, given.recorders)))
        if given.kills:
            parts += [(given.kills, at_random(base, chance)), (given.calls, at_calls(base, chance))]
        if given.cuts:
            if why := are_possible(base):
                print(f"no power cuts: {why}")
            else:
                parts.append((given.cuts, cuts(base, chance)))
        try:
            _run(parts, ends, counts)
        except Failure as failure:
            print(f"FAILED, seed {given.seed}: {failure}")
            return 1
        finally:
            for what, count in sorted(counts.items()):
                print(f"{count:6,} {what}")
    print("0 acknowledged lost, 0 doubled, 0 files damaged")
    return 0


def _run(parts: list[tuple[int, Generator[str]]], ends: float, counts: Counter[str]) -> None:
    """A little of each in turn, so that any time is enough for some of everything."""
    with contextlib.ExitStack() as ending:
        for _, part in parts:
            ending.enter_context(contextlib.closing(part))
        left = dict(enumerate(parts))
        while left:
            for number, (most, part) in [*left.items()]:
                if time.monotonic() > ends:
                    return
                what = next(part, None)
                if what is not None:
                    counts[what] += 1
                left[number] = most - 1, part
                if what is None or most <= 1:
                    del left[number]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument(
        "--for", dest="minutes", type=float, default=0, metavar="MINUTES", help="and no longer"
    )
    parser.add_argument("--kills", type=int, default=1000, metavar="N", help="kills at random moments")
    parser.add_argument("--calls", type=int, default=10**9, metavar="N", help="kills at calls to the system")
    parser.add_argument("--cuts", type=int, default=1000, metavar="N", help="power cuts")
    parser.add_argument("--recorders", type=int, default=RECORDERS, metavar="N", help="at once")
    parser.add_argument(
        "--seed", type=int, default=random.randrange(10**6), metavar="N", help="to do it again"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
