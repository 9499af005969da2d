"""A file as plain values, for the index to keep, and back. Another shape is another `contract.VERSION`."""

from typing import Any

from blueline.model.actor import Actor
from blueline.model.medium_names import WholeFile
from blueline.model.piece import Passed, Piece
from blueline.review.file import File
from blueline.review.operation import Committed, FileStep, Operation
from blueline.review.setting import Node, Setting
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import Run, Weave


def dump_file(file: File) -> dict[str, Any]:
    """The file as plain values. Marks are shared by many runs, so each is written once."""
    marks: dict[int, int] = {}
    written: list[Any] = []

    def mark(value: Mark) -> int:
        known = marks.get(id(value))
        if known is None:
            known = marks[id(value)] = len(written)
            written.append(
                [value.op, value.edit, value.first, value.whole, value.log, value.state, value.since]
            )
        return known

    def settings(list_: tuple[Setting, ...]) -> list[Any]:
        return [[mark(s.mark), s.value, s.missing, s.gone] for s in list_]

    return {
        "number": file.number,
        "weaves": [
            {
                "runs": [
                    [
                        run.text,
                        run.start,
                        mark(run.insertion),
                        [mark(one) for one in run.deletions],
                        run.line_end,
                    ]
                    for run in weave.runs
                ],
                "inside": [[*segment, *(outer or ())] for segment, outer in weave.inside.items()],
            }
            for weave in file.weaves
        ],
        "nodes": settings(file.nodes),
        "modes": settings(file.modes),
        "paths": settings(file.paths),
        "operations": list(file.operations.values()),
        "steps": file.steps,
        "fallen": sorted(file.fallen),
        "shells": file.wholes,
        "commits": file.commits,
        "passed": file.passed,
        "folded": file.folded,
        "settled": file.settled,
        "marks": written,
    }


def load_file(document: dict[str, Any]) -> File:
    """The reverse of `dump_file`."""
    marks = [
        Mark(op, edit, first, whole=whole, log=tuple((d, a) for d, a in log), state=state, since=since)
        for op, edit, first, whole, log, state, since in document["marks"]
    ]

    def settings(list_: list[Any], *, nodes: bool = False) -> tuple[Setting, ...]:
        return tuple(
            Setting(marks[number], Node(*value) if nodes else value, missing, gone)
            for number, value, missing, gone in list_
        )

    weaves = []
    for weave in document["weaves"]:
        runs = [
            Run(
                text,
                start,
                marks[insertion],
                tuple(marks[one] for one in deletions),
                tuple(line_end) if line_end else None,
            )
            for text, start, insertion, deletions, line_end in weave["runs"]
        ]
        inside = {
            Segment(entry[0], entry[1]): Segment(entry[2], entry[3]) if len(entry) == 4 else None
            for entry in weave["inside"]
        }
        weaves.append(Weave.of(runs, inside))
    return File(
        number=document["number"],
        weaves=tuple(weaves),
        nodes=settings(document["nodes"], nodes=True),
        modes=settings(document["modes"]),
        paths=settings(document["paths"]),
        operations={entry[0]: _operation(entry) for entry in document["operations"]},
        steps=tuple(FileStep(*entry) for entry in document["steps"]),
        fallen=frozenset(document["fallen"]),
        wholes=tuple(WholeFile(*entry) for entry in document["shells"]),
        commits=tuple(
            Committed(commit, op, tuple(Piece(*piece) for piece in pieces))
            for commit, op, pieces in document["commits"]
        ),
        # What was folded by an earlier version has none.
        passed=tuple((number, Passed.of(values)) for number, values in document.get("passed", ())),
        folded=document["folded"],
        settled=document["settled"],
    )


def _operation(entry: list[Any]) -> Operation:
    number, actor, call, at, hunk, hunks, edits, settings, complete, others = entry
    return Operation(
        number,
        Actor(*actor),
        call,
        at,
        hunk,
        hunks,
        tuple(edits),
        tuple((kind, place) for kind, place in settings),
        complete,
        tuple(others),
    )
