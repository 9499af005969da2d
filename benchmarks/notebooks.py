"""A notebook of a thousand cells and fifty megabytes of outputs, beside nbdime and nbformat."""

import copy
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbdime.diffing import notebooks as nbdime  # type: ignore[import-untyped]

from benchmarks.figures import HEADING, Figure, ms, peak_mb, seconds, show, side_by_side
from benchmarks.projects import Sample
from blueline.diff.cell_edits import cell_edits
from blueline.model.projection import projection

CELLS = 1_000
OUTPUT_BYTES = 50_000_000
EDITED = 20
TIMES = 3


def main() -> None:
    """Print the figures."""
    show([HEADING])
    old = _notebook()
    new = _changed(old)
    _differences(old, new)
    with tempfile.TemporaryDirectory() as folder:
        _commands(Path(folder), old, new)


def _notebook() -> dict[str, Any]:
    chance = random.Random(1)
    size = OUTPUT_BYTES // CELLS
    return {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": number,
                "id": f"cell-{number}",
                "metadata": {},
                "outputs": [
                    {"name": "stdout", "output_type": "stream", "text": [chance.randbytes(size // 2).hex()]}
                ],
                "source": [f"value_{number}_{line} = {chance.randrange(10**6)}\n" for line in range(10)],
            }
            for number in range(CELLS)
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _changed(old: dict[str, Any]) -> dict[str, Any]:
    """As agents do: some cells edited, their outputs gone; one cell added, one deleted."""
    new = copy.deepcopy(old)
    for number in range(0, CELLS, CELLS // EDITED):
        cell = new["cells"][number]
        cell["source"][3] = "agent = 'wrote this'\n"
        cell["outputs"], cell["execution_count"] = [], None
    added = {**new["cells"][5], "id": "added", "outputs": [], "source": ["brand = 'new'"]}
    new["cells"].insert(500, added)
    del new["cells"][700]
    return new


def _bytes(found: dict[str, Any]) -> bytes:
    return json.dumps(found, indent=1).encode()


def _read(data: bytes) -> Any:
    return nbformat.reads(data.decode(), as_version=4)  # type: ignore[no-untyped-call]


def _differences(old: dict[str, Any], new: dict[str, Any]) -> None:
    """What changed, from two files: by line in cells, as nbdime does when it looks at sources only."""
    before, after = _bytes(old), _bytes(new)
    nbdime.set_notebook_diff_targets(outputs=False, metadata=True, attachments=True, details=False)

    def ours() -> None:
        cell_edits(projection(before), projection(after))

    def rival() -> None:
        sides = [_read(data) for data in (before, after)]
        nbdime.diff_notebooks(*sides)

    took, beside = side_by_side(ours, rival, times=TIMES)
    name = f"difference of {CELLS:,} cells with {len(before) >> 20} MB"
    show([Figure(name, ms(took), f"nbdime {ms(beside)}", f"{took / beside:.2f}", "below 1")])


def _commands(folder: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    sample = Sample(folder)
    path = sample.root / "n.ipynb"
    path.write_bytes(_bytes(old))
    rivals = [folder / "old.ipynb", folder / "new.ipynb"]
    for place, found in zip(rivals, (old, new), strict=True):
        place.write_bytes(_bytes(found))
    about = {
        "tool_name": "Write",
        "tool_use_id": "one",
        "tool_input": {"file_path": str(path), "content": ""},
    }
    sample.observe("UserPromptSubmit", prompt="please")
    sample.observe("PreToolUse", **about)
    path.write_bytes(_bytes(new))
    sample.observe("PostToolUse", **about, tool_response={})

    listing = [sys.executable, "-m", "blueline", "list"]
    nbdiff = [
        sys.executable,
        "-m",
        "nbdime.nbdiffapp",
        "--ignore-outputs",
        "--ignore-details",
        *map(str, rivals),
    ]
    took, peak = peak_mb(listing, sample.environ, str(sample.root))
    beside, rival_peak = peak_mb(nbdiff, sample.environ, str(sample.root))
    rival = f"nbdiff {ms(beside)}, {rival_peak:.0f} MB"
    show([Figure("blueline list, the change taken in", ms(took), rival, f"{took / beside:.2f}", "below 1")])
    show(
        [Figure("    its peak memory", f"{peak:.0f} MB", f"{rival_peak:.0f} MB", f"{peak / rival_peak:.2f}")]
    )

    def command(*words: str) -> None:
        done = [sys.executable, "-m", "blueline", *words]
        subprocess.run(done, cwd=sample.root, env=sample.environ, check=True, stdout=subprocess.DEVNULL)

    def rewrite() -> None:
        text = nbformat.writes(_read(rivals[1].read_bytes()))  # type: ignore[no-untyped-call]
        (folder / "again.ipynb").write_text(text)

    again = seconds(lambda: command("list"))
    show([Figure("blueline list, nothing new", ms(again), rival, f"{again / beside:.2f}", "below 0.1")])
    one, beside = seconds(lambda: command("reject", "n.ipynb#cell-50")), seconds(rewrite)
    rival = f"nbformat read and write {ms(beside)}"
    show([Figure("one cell rejected, and written", ms(one), rival, f"{one / beside:.2f}", "")])
    rest = seconds(lambda: command("reject", "--all"))
    show([Figure("everything rejected, and written", ms(rest), rival, f"{rest / beside:.2f}", "")])
    show([Figure("    the same bytes as before", str(path.read_bytes() == _bytes(old)), "", "", "True")])


if __name__ == "__main__":
    main()
