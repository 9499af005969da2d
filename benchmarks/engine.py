"""The weave: one more operation, and one hunk taken back, in a large file with a long history.

What runs in this process is measured by the processor's time, so that a busy machine does not count.
"""

import gc
import random
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import HEADING, Figure, doing, ms, own_peak_mb, processor_seconds, seconds, show
from blueline.diff import words
from blueline.diff.edits import text_edits
from blueline.diff.sequences import changes
from blueline.kernel import disk
from blueline.model.edit import Replacement
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId
from blueline.model.notice import CallBegan, CallFinished
from blueline.review.deciding.hunks import hunks
from blueline.review.deciding.planning import plan
from blueline.review.file import File
from blueline.review.intake.taking import ObservedFiles, Taking
from blueline.review.ledger import Ledger
from tests.support.history import History
from tests.support.in_memory import NoSource

OPERATIONS = 5_000
LINES = 20_000
TIMES = 15


class LongHistory:
    """A file of one megabyte that an agent changed line by line, nothing of it decided."""

    def __init__(self) -> None:
        self._random = random.Random(1)
        self._blobs: dict[BlobId, bytes] = {}
        self.ledger = Ledger(NoSource())
        self._taking = Taking(self.ledger, "2026-01-01T00:00:00Z", lambda b: self._blobs.get(b), self._name)
        self.lines = [
            f"line {n} " + " ".join(str(self._random.randrange(10**6)) for _ in range(6)) + "\n"
            for n in range(LINES)
        ]
        self._taking.look("file.txt", self._state())
        self._calls = 0

    def _state(self) -> Regular:
        data = "".join(self.lines).encode()
        # Only the latest content is ever asked for: five thousand of a megabyte each would be all we measure.
        self._blobs = {self._name(data): data}
        return Regular(mode=0o644, size=len(data), blob=self._name(data))

    def _name(self, data: bytes) -> BlobId:
        return BlobId(disk.blob_id(data))

    @property
    def file(self) -> File:
        """The file as it is now."""
        found = self.ledger.file_at("file.txt")
        assert found is not None
        return found

    def next_call(self) -> tuple[CallFinished, ObservedFiles]:
        """One more edit, made on disk and not yet taken in; its beginning is."""
        self._calls += 1
        place = self._random.randrange(len(self.lines))
        old, new = self.lines[place], f"agent wrote {self._calls} {self._random.randrange(10**9)}\n"
        key, edits = f"k{self._calls}", (Replacement(old=old, new=new),)
        before = self._look(self._state())
        self._taking.notice(CallBegan(conversation="c", key=key, tool="Edit", edits=edits), before)
        self.lines[place] = new
        finished = CallFinished(conversation="c", key=key, tool="Edit", failed=False, edits=edits)
        return finished, self._look(self._state())

    def _look(self, state: Regular) -> ObservedFiles:
        return ObservedFiles(agent="bench", path="file.txt", outside=None, state=state, held=False, record=0)

    def take(self, call: tuple[CallFinished, ObservedFiles]) -> None:
        """Take one edit in: what is measured."""
        self._taking.notice(*call)


def run() -> Iterator[Figure]:
    # As the command line does: a process that ends soon need not look for cycles.
    gc.disable()
    doing(f"{OPERATIONS:,} operations on a file of a megabyte")
    history = LongHistory()
    start = "".join(history.lines)
    for _ in range(OPERATIONS):
        history.take(history.next_call())
    pairs = []
    for _ in range(TIMES):
        before = list(history.lines)
        call = history.next_call()
        # The rival is what any tool has to do at the least that is not told where the edit is.
        pairs.append(
            (
                processor_seconds(lambda: history.take(call)),  # noqa: B023
                processor_seconds(lambda: changes(before, history.lines)),  # noqa: B023
            )
        )
    ours, rival = (statistics.median(side) for side in zip(*pairs, strict=True))
    yield Figure(
        f"add an operation, 1 MB, {OPERATIONS} operations",
        ms(ours),
        f"{ms(rival)} xdiff of the two texts",
        f"{ours / rival:.2f}",
        "at most 4 ms",
    )
    yield _reject(history, start)
    yield from _format()
    yield Figure("peak memory of this", f"{own_peak_mb():.0f} MB", "", "", "")


FORMATTED_LINES = 5_000
AGENTS_LINES = 500


def _format() -> list[Figure]:
    """A formatter's passes over all of a file, a tenth of whose lines an agent has just written."""
    every = FORMATTED_LINES // AGENTS_LINES
    lines = [f"def f{n}(a,b): return run( a,b,'{n}',x=[1,2,{n}] )\n" for n in range(FORMATTED_LINES)]
    before = "".join(lines)
    for n in range(0, FORMATTED_LINES, every):
        lines[n] = f"def g{n}(a,b): return call( a,b,'{n}',y=[3,4,{n}] )\n"
    agents = "".join(lines)
    spaced = agents.replace(",", ", ").replace("( ", "(").replace(" )", ")").replace("'", '"')
    split = spaced.replace("(", "(\n    ").replace(", ", ",\n    ").replace(")", "\n)")
    return [_pass(before, agents, spaced, ""), _pass(before, agents, split, " that splits each")]


def _pass(before: str, agents: str, formatted: str, what: str) -> Figure:
    pairs = []
    for _ in range(3):
        history = History(before)
        history.agent(agents)
        ours = processor_seconds(lambda: history.person(formatted))  # noqa: B023
        words._remembered.cache_clear()  # the rival compares by itself
        pairs.append((ours, processor_seconds(lambda: text_edits(agents, formatted))))
        words._remembered.cache_clear()
        assert history.text == formatted
    ours, rival = (statistics.median(side) for side in zip(*pairs, strict=True))
    return Figure(
        f"a pass over {FORMATTED_LINES:,} lines, {AGENTS_LINES} an agent's{what}",
        ms(ours),
        f"{ms(rival)} diff of the two texts",
        f"{ours / rival:.2f}",
        "at most 3 times",
    )


def _reject(history: LongHistory, start: str) -> Figure:
    file = history.file
    every = hunks(file, 1)
    middle = every[len(every) // 2]

    def reject() -> None:
        planned = plan({file.number: (file, middle.pieces)}, "reject", decision=1, salt=1)
        assert planned.files[0].after.live.text

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "old").write_text(start)
        (folder / "new").write_text("".join(history.lines))
        diff = subprocess.run(
            ["git", "diff", "--no-index", "-U0", "old", "new"], cwd=folder, capture_output=True, check=False
        ).stdout
        head, *bodies = diff.split(b"\n@@ ")
        one = head + b"\n@@ " + bodies[len(bodies) // 2] + b"\n"
        one = one.replace(b"a/old", b"a/new")
        (folder / "patch").write_bytes(one)

        def rival() -> None:
            command = ["git", "apply", "-R", "--unidiff-zero", "--check", "patch"]
            subprocess.run(command, cwd=folder, check=True)

        # The rival is a process of its own, which is looked at by the clock.
        ours = statistics.median(processor_seconds(reject) for _ in range(TIMES))
        theirs = statistics.median(seconds(rival) for _ in range(TIMES))
    return Figure(
        f"reject one hunk of {len(every)} pending",
        ms(ours),
        f"{ms(theirs)} git apply -R --check",
        f"{ours / theirs:.2f}",
        "at most 30 ms",
    )


def main() -> None:
    show([HEADING])
    show(run())


if __name__ == "__main__":
    main()
