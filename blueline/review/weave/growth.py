"""Text that arrives in pieces: what one operation inserts grows at its end, and stays one insertion."""

from blueline.model.answer import PENDING
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.stroke import by_wholeness
from blueline.review.weave.weave import LineEnd, Run, Weave


def grown(weave: Weave, segment: Segment, at: int, more: str) -> Weave | None:
    """The weave in which an insertion has more text at its end, as if all of it had come at once.

    None if it does not end at character `at` of the text that shows, or somebody had to do with it meanwhile.
    """
    places = [number for number, run in enumerate(weave.runs) if run.insertion.segment == segment]
    if not places or not more:
        return None
    first, last = places[0], places[-1]
    runs = weave.runs[first : last + 1]
    if len(runs) != len(places) or any(not _is_untouched(run) for run in runs):
        return None
    shown = weave.live
    start = shown.before_run[first]
    if start + sum(len(run.text) for run in runs) != at or not _is_last(weave, runs[-1]):
        return None
    text = "".join(run.text for run in runs) + more
    line_end = None if text.endswith("\n") else _line_end(weave, at)
    at_line_start = start == 0 or shown.text[start - 1] == "\n"
    new, place = [], runs[0].start
    for part, whole in by_wholeness(text, at_line_start=at_line_start):
        mark = Mark(segment.op, segment.edit, PENDING, whole=whole)
        new.append(Run(part, place, mark, (), line_end))
        place += len(part)
    return Weave.of([*weave.runs[:first], *new, *weave.runs[last + 1 :]], weave.inside)


def _is_untouched(run: Run) -> bool:
    """Whether nobody has decided on a run, or deleted it."""
    return run.insertion.state == PENDING and not run.insertion.log and not run.deletions


def _is_last(weave: Weave, run: Run) -> bool:
    """Whether a run is the end of all that its operation inserted: places in that name characters."""
    return all(block.reach.get(run.insertion.op, (0, 0))[1] <= run.end for block in weave.blocks)


def _line_end(weave: Weave, at: int) -> LineEnd | None:
    """The name of the line end that comes next in the text that shows."""
    found = weave.live.text.find("\n", at)
    if found < 0:
        return None
    (number, start, _), place = weave.live.span_at(found)
    run = weave.runs[number]
    return run.insertion.op, run.start + start + found - place
