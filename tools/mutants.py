"""Small faults in the parts that everything rests on, one at a time: which of them would no test notice?

`make mutants`, or `python -m tools.mutants frames gating` for some. Made and run by mutmut, in a copy.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".mutants" / "copy"

# Not as a module: its own would then be there twice.
MUTMUT = str(Path(sys.executable).parent / "mutmut")
NOTICED = ("killed", "timeout")


class Part(NamedTuple):
    """What is changed, and the tests that should notice."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = {
    "frames": Part(("blueline/journal/frames.py",), ("tests/journal/test_frames.py",)),
    "gating": Part(("blueline/review/gate_answer.py",), ("tests/review/test_gate_answer.py",)),
    "weave": Part(
        tuple(
            f"blueline/review/weave/{name}.py"
            for name in ("weave", "stroke", "growth", "mark", "corrections")
        ),
        ("tests/review/weave", "tests/review/test_file.py"),
    ),
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"there is no part {unknown[0]!r}; they are: {', '.join(PARTS)}")
    for name in names or PARTS:
        _copy(PARTS[name])
        print(f"== {name}", flush=True)
        subprocess.run([MUTMUT, "run", "--max-children", "2"], cwd=PLACE, check=True)
        results = [MUTMUT, "results", "--all", "true"]
        said = subprocess.run(results, cwd=PLACE, check=True, capture_output=True, text=True).stdout
        outcomes = [line.strip().rpartition(": ") for line in said.splitlines() if ": " in line]
        left = [mutant for mutant, _, outcome in outcomes if outcome not in NOTICED]
        print(f"{len(outcomes):,} mutants, {len(left)} of them noticed by no test:")
        print("\n".join(f"  {one}" for one in left), flush=True)
    return 0


def _copy(part: Part) -> None:
    """The project's files, and what mutmut is to do with them."""
    shutil.rmtree(PLACE, ignore_errors=True)
    for folder in ("blueline", "tests"):
        shutil.copytree(ROOT / folder, PLACE / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", PLACE)
    others = sorted(
        str(path.relative_to(PLACE))
        for path in (PLACE / "blueline").rglob("*.py")
        if str(path.relative_to(PLACE)) not in part.sources
    )
    lists = {"tests_dir": part.tests, "also_copy": ("tests", "pyproject.toml"), "do_not_mutate": others}
    lines = [f"{name} =\n" + "".join(f"    {one}\n" for one in found) for name, found in lists.items()]
    (PLACE / "setup.cfg").write_text("[mutmut]\npaths_to_mutate = blueline\n" + "".join(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
