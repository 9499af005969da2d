"""What a long history costs: a file that was changed and decided about again and again, at three lengths.

And one decision about very much. By the processor's time, so that a busy machine does not count; what writes
many files also by the clock.
"""

import gc
import json
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.figures import HEADING, Figure, doing, ms, processor_seconds, seconds, show
from benchmarks.projects import Sample
from blueline.desk.resident import ResidentDesk
from blueline.kernel import disk
from blueline.review.file import File
from blueline.review.file_values import dump_file, load_file
from blueline.review.folded_history import FoldLimit, foldable, folded
from tests.support.history import SALT, History

LENGTHS = (250, 500, 1_000)
LINES = 200
TIMES = 9
FILES, PLACES = (100, 200, 400), 20


def run() -> Iterator[Figure]:
    gc.disable()
    for length in LENGTHS:
        doing(f"{length:,} decided edits of one file")
        yield _step(length)
    for files in FILES:
        doing(f"{files * PLACES:,} places in {files} files")
        yield from _many_places(files)


def _step(length: int) -> Figure:
    """One more edit, and what is then put on the shelf: after a fold, and with all that ever was."""
    whole, less = _long(length, fold=False), _long(length, fold=True)
    pairs = [(_edit(less, n), _edit(whole, n)) for n in range(TIMES)]
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    kept, all_ = (len(json.dumps(dump_file(one.file))) // 1024 for one in (less, whole))
    return Figure(
        f"one more edit after {length:,} decided, folded ({kept} KB)",
        ms(ours),
        f"{ms(theirs)} with all of it ({all_} KB)",
        f"{ours / theirs:.2f}",
        "the same for all",
    )


def _long(length: int, *, fold: bool) -> History:
    """Lines are rewritten one after the other, each change accepted."""
    history = History("".join(f"line {n}\n" for n in range(LINES)))
    for number in range(length):
        lines = (history.text or "").splitlines(keepends=True)
        lines[number * 7 % LINES] = f"version {number}\n"
        history.agent("".join(lines))
        history.answer("accept", history.everything())
    if fold:
        history.ledger.fold_file(_folded(history.file))
    return history


def _folded(file: File) -> File:
    found = folded(file, foldable(file, FoldLimit("9999", 10**9)), SALT)
    assert found is not None
    return load_file(json.loads(json.dumps(dump_file(found))))


def _edit(history: History, number: int) -> float:
    lines = (history.text or "").splitlines(keepends=True)
    lines[number * 11 % LINES] = f"later {number}\n"

    def act() -> None:
        history.agent("".join(lines))
        json.dumps(dump_file(history.file))

    return processor_seconds(act)


def _many_places(files: int) -> list[Figure]:
    """An agent changes many lines of many files; all of it is taken in, and taken back."""
    with tempfile.TemporaryDirectory() as name:
        sample = Sample(Path(name))
        texts = {
            f"src/f{n}.txt": [f"line {k} of file {n}\n" for k in range(5 * PLACES)] for n in range(files)
        }
        for path, lines in texts.items():
            sample.put(path, "".join(lines))
        sample.observe("UserPromptSubmit", prompt="all of it")
        for path, lines in texts.items():
            new = "".join(line.upper() if k % 5 == 0 else line for k, line in enumerate(lines))
            about = {"tool_name": "Write", "tool_use_id": path}
            given = {"file_path": str(sample.root / path), "content": new}
            sample.observe("PreToolUse", **about, tool_input=given)
            sample.put(path, new)
            sample.observe("PostToolUse", **about, tool_input=given, tool_response={})

        def take_in() -> None:
            with sample.desk() as desk:
                assert len(desk.list()["hunks"]) == files * PLACES

        def reject() -> None:
            with sample.desk() as desk:
                assert len(desk.decide("reject", [], everything=True)["written"]) == files

        def write() -> None:
            for path, lines in texts.items():
                place = os.fsencode(sample.root / path)
                disk.place(place, "".join(lines).encode(), os.fsencode(sample.state / "blobs" / "tmp"))

        def click() -> None:
            with stays.step() as desk:
                desk.decide("reject", [left.pop(0)])

        taken = _both(take_in)
        stays = ResidentDesk(sample.desk)
        with stays.step() as desk:
            left = [hunk["id"] for hunk in desk.list()["hunks"][:: PLACES + 1]]
        click()
        one = statistics.median(processor_seconds(click) for _ in range(TIMES))
        stays.close()
        rejected, written = _both(reject), _both(write)
    what = f"{files * PLACES:,} places in {files} files"
    return [
        _beside(f"take in {what}", taken, written, 0, "at most 3 s"),
        _beside(f"take in {what}, by the clock", taken, written, 1, ""),
        Figure(f"reject one of {what}", ms(one), "the same words in all of them", "", "at most 100 ms"),
        _beside(f"reject --all of {what}", rejected, written, 0, "at most 3"),
        _beside(f"reject --all of {what}, by the clock", rejected, written, 1, "at most 3"),
    ]


def _both(act: Callable[[], object]) -> tuple[float, float]:
    """How long the processor is at it, and how long it takes by the clock, waiting for the disk included."""
    found: list[float] = []
    clock = seconds(lambda: found.append(processor_seconds(act)))
    return found[0], clock


def _beside(
    name: str, ours: tuple[float, float], rival: tuple[float, float], which: int, target: str
) -> Figure:
    mine, theirs = ours[which], rival[which]
    return Figure(name, ms(mine), f"{ms(theirs)} to write these files safely", f"{mine / theirs:.1f}", target)


def main() -> None:
    show([HEADING])
    show(run())


if __name__ == "__main__":
    main()
