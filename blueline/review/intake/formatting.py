"""Formatters that run on save: told apart from people by what they change, when, and in which files.

An indentation can be anybody's. Only where the project says that files are formatted when they are saved, and
only right after an agent has written one, is it taken for a formatter's.
"""

from blueline.diff.edits import text_edits
from blueline.model.actor import Actor
from blueline.model.answer import PENDING
from blueline.review.file import File

FORMATTER = Actor("agent", "formatter")
"""A program that was let loose on what an agent had just written: asked about, and gone with it."""

SOON_NS = 2_000_000_000
"""A formatter is done this soon after an agent has written the file. Nobody types and saves that fast."""

FORMAT_ONLY = str.maketrans("", "", " \t\r\n\f\v'\"`,;()\\")
"""What formatters add and remove: blanks, quotes, commas, semicolons, brackets, line continuations."""


def written_by_agent(file: File) -> int | None:
    """The call that wrote the file last, if that was the last thing that happened to it."""
    last = file.steps[-1] if file.steps else None
    if last is None or last.kind != "op" or last.number not in file.operations:
        return None
    operation = file.operations[last.number]
    return operation.call if operation.actor.kind == "agent" else None


def formatting(file: File, new: str) -> str | None:
    """The text with only those edits that do nothing but format undecided text of agents; None if none do."""
    live = file.live
    assert live.text is not None
    weave = file.weaves[int(live.node.value)]
    mine = {
        number
        for number, run in enumerate(weave.runs)
        if run.insertion.state == PENDING and file.operations[run.insertion.op].first == PENDING
    }

    def is_agents(start: int, end: int) -> bool:
        spans = weave.live.spans_between(max(start, 0), min(end, len(live.text or "")))
        return all(run in mine for (run, _, _), _ in spans)

    parts, at, found = [], 0, False
    for edit in text_edits(live.text, new):
        old, inserted = live.text[edit.old_start : edit.old_end], new[edit.new_start : edit.new_end]
        # An insertion is inside agent text when it stands between two characters of it.
        margin = int(edit.old_start == edit.old_end)
        is_format = old.translate(FORMAT_ONLY) == inserted.translate(FORMAT_ONLY)
        if is_format and is_agents(edit.old_start - margin, edit.old_end + margin):
            parts += [live.text[at : edit.old_start], inserted]
            at, found = edit.old_end, True
    return "".join([*parts, live.text[at:]]) if found else None
