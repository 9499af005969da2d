"""Runs every benchmark, one after the other, in a fixed order.

A benchmark is a module of this package with a `main()` that prints its figures, each beside its rival with
the ratio and the target.
"""

from __future__ import annotations

import compileall
import importlib
import time
from pathlib import Path

import blueline
from benchmarks.figures import doing

BENCHMARKS = (
    "hook",
    "shell",
    "streaming",
    "engine",
    "growth",
    "disk_space",
    "year",
    "intake",
    "command_line",
    "notebooks",
    "workbench",
    "large_files",
)


def main() -> None:
    # All are found before any is run: a missing one is known in a second, not after minutes.
    modules = [importlib.import_module(f"benchmarks.{name}") for name in BENCHMARKS]
    # What has just been edited is not measured being compiled, wherever nothing is kept of that.
    compileall.compile_dir(Path(blueline.__file__).parent, quiet=1)
    for module in modules:
        print(f"\n{module.__name__.rpartition('.')[2].replace('_', ' ')}\n", flush=True)
        began = time.monotonic()
        module.main()
        doing(f"{module.__name__.rpartition('.')[2]} took {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
