"""One operation enters a weave."""

from __future__ import annotations

from hypothesis import given

from tests.review.walked import STEPS, Decide, walked
from tests.support.texts import TEXTS


@given(TEXTS, STEPS)
def test_every_run_is_what_its_operation_inserted_there(
    before: str, steps: list[str | Decide]
) -> None:  # R14
    file, strokes = walked(before, steps)
    inserted = {stroke.op: "".join(stroke.inserted) for stroke in strokes} | {0: before}
    found: dict[int, list[tuple[int, int]]] = {op: [] for op in inserted}
    for run in file.weaves[0].runs:
        assert run.text == inserted[run.insertion.op][run.start : run.end]
        found[run.insertion.op].append((run.start, run.end))
    for op, text in inserted.items():
        # R09: they tile what was inserted, in order.
        edges = [0, *(end for _, end in found[op])]
        assert [begin for begin, _ in found[op]] == edges[:-1]
        assert edges[-1] == len(text)
