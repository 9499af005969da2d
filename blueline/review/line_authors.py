"""Which operation wrote each line of a text as it is."""

from typing import NamedTuple

from blueline.diff.edits import split_lines
from blueline.model.answer import UNDECIDED
from blueline.review.file import File
from blueline.review.operation import BASE


class LineAuthor(NamedTuple):
    """The latest operation that put something on a line; `BASE` if nobody was seen to."""

    operation: int
    pending: bool
    """Something on the line is undecided."""


def line_authors(file: File) -> list[LineAuthor]:
    """For each line of the text as it is; a file that is no text has none.

    What was only deleted from a line leaves it to whoever wrote the rest.
    """
    node = file.live.node
    if node.kind != "text":
        return []
    weave = file.weaves[int(node.value)]
    found: list[LineAuthor] = []
    latest = LineAuthor(BASE, False)
    is_open = False
    for number, start, end in weave.live.spans:
        run = weave.runs[number]
        mark = run.insertion
        for part in split_lines(run.text[start:end]):
            here = LineAuthor(mark.op, mark.state in UNDECIDED)
            latest = LineAuthor(max(latest[0], here[0]), latest[1] or here[1]) if is_open else here
            is_open = not part.endswith("\n")
            if not is_open:
                found.append(latest)
    return [*found, latest] if is_open else found
