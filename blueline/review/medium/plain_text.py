"""Files that are reviewed as what they are: lines of text."""

from collections.abc import Sequence

from blueline.diff.edits import said_edits, text_edits
from blueline.model.answer import ACCEPTED, PENDING
from blueline.model.edit import Edit, Replacement
from blueline.model.ids import BlobId
from blueline.model.medium import MediumName, WholeFile
from blueline.model.text import as_text
from blueline.review.file import Content, File
from blueline.review.medium.medium import MoveStep, Read
from blueline.review.weave.weave import Weave


class PlainText:
    """The text that stands in the file."""

    name: MediumName = "text"
    is_all = True

    def read(self, data: bytes | None) -> str | None:
        return as_text(data)

    def digest(self, text: str) -> str:
        return ""

    def edits(
        self, old: str, new: str, said: Sequence[Replacement] = (), weave: Weave | None = None
    ) -> list[Edit]:
        found = said_edits(old, new, [*said]) if said else None
        return text_edits(old, new) if found is None else found

    def compose(self, text: str, wholes: Sequence[WholeFile], read: Read) -> bytes | BlobId:
        return text.encode("utf-8")

    def same(self, content: Content, text: str, read: Read) -> bool:
        return content.text == text

    def moved(self, file: File, new: str, *, outside: bool) -> list[MoveStep]:
        """Blocks of an agent's undecided lines that a person cut out here and pasted there (rule D2 (e)).

        The mover cuts them all out; then each is put in again by its author.
        """
        old = file.live.text
        if not outside or old is None:
            return []
        edits = self.edits(old, new)
        taken_out: dict[str, list[Edit]] = {}
        for edit in edits:
            if edit.new_start == edit.new_end:
                taken_out.setdefault(old[edit.old_start : edit.old_end], []).append(edit)
        cuts: list[Edit] = []
        pastes: list[tuple[Edit, int]] = []
        for paste in edits:
            block = new[paste.new_start : paste.new_end]
            if paste.old_start != paste.old_end or not block.endswith("\n") or not block.strip():
                continue
            for cut in taken_out.get(block, ()):
                if (op := _single_author(file, cut)) is not None:
                    cuts.append(cut)
                    pastes.append((paste, op))
                    break
        return [
            MoveStep(_with(old, new, [*cuts, *(paste for paste, _ in pastes[:count])]), op)
            for count, op in enumerate([None, *(op for _, op in pastes)])
            if pastes
        ]

    def seen(self, text: str, line: int, part: str) -> tuple[int, str]:
        return line, part

    def hunk_kind(self, inserted: str, deleted: str) -> str:
        return "modify"


def _with(old: str, new: str, edits: list[Edit]) -> str:
    """The old text after some of its edits."""
    parts, at = [], 0
    for edit in sorted(set(edits), key=lambda edit: (edit.old_start, edit.old_end)):
        parts += [old[at : edit.old_start], new[edit.new_start : edit.new_end]]
        at = edit.old_end
    return "".join([*parts, old[at:]])


def _single_author(file: File, cut: Edit) -> int | None:
    """The one operation that inserted all that an edit deletes, if it is undecided and an agent's."""
    weave = file.weaves[int(file.live.node.value)]
    spans = weave.live.spans_between(cut.old_start, cut.old_end)
    marks = [weave.runs[run].insertion for (run, _, _), _ in spans]
    ops = {mark.op for mark in marks}
    if len(ops) != 1 or any(mark.state != PENDING for mark in marks):
        return None
    (op,) = ops
    return op if file.operations[op].first != ACCEPTED else None
