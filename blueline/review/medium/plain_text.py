"""Files that are reviewed as what they are: lines of text."""

from collections.abc import Sequence

from blueline.diff.edits import said_edits, text_edits
from blueline.model.edit import Edit, KeptLine, Replacement, Stretch
from blueline.model.ids import BlobId
from blueline.model.medium_names import MediumName, WholeFile
from blueline.model.text import as_text
from blueline.review.file import File
from blueline.review.medium.medium import MoveStep, Read
from blueline.review.setting import Content
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
        self,
        old: str,
        new: str,
        said: Sequence[Replacement] = (),
        weave: Weave | None = None,
        kept: Sequence[KeptLine] = (),
    ) -> list[Edit]:
        found = said_edits(old, new, [*said]) if said else None
        return text_edits(old, new, kept) if found is None else found

    def stretches(self, old: str, new: str) -> list[Stretch]:
        return [Stretch(0, len(old), 0, len(new))]

    def compose(self, text: str, wholes: Sequence[WholeFile], read: Read) -> bytes | BlobId:
        return text.encode("utf-8")

    def same(self, content: Content, text: str, read: Read) -> bool:
        return content.text == text

    def moved(self, file: File, new: str, *, outside: bool) -> list[MoveStep]:
        """Lines that move stay in their hunk (rule D2 (e)): nobody has to be the author of a way there."""
        return []

    def seen(self, text: str, line: int, part: str) -> tuple[int, str]:
        return line, part

    hunk_kinds = ("modify",)

    def hunk_kind(self, inserted: str, deleted: str) -> str:
        return "modify"
