"""What the rules ask of a medium, and all that they know of one."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from blueline.model.edit import Edit, KeptLine, Replacement, Stretch
from blueline.model.ids import BlobId
from blueline.model.medium_names import MediumName, WholeFile
from blueline.review.file import File
from blueline.review.setting import Content
from blueline.review.weave.weave import Weave

Read = Callable[[BlobId], bytes | None]
"""The bytes of a blob; None when they are lost or were purged."""


class MoveStep(NamedTuple):
    """A text on the way to one in which something stands elsewhere."""

    text: str
    op: int | None
    """The operation whose author this step is owed to; None for whoever moved it."""


class NoSuchSection(Exception):
    """A file has no sections, or not one in which that can be done; says why."""


class Medium(Protocol):
    """How a file is reviewed."""

    @property
    def name(self) -> MediumName:
        """What a node of this medium is called."""

    @property
    def is_all(self) -> bool:
        """Whether its text is all that stands in the file.

        If not, files with the same text can differ; and one that was something else for a while takes its
        text up where that was.
        """

    def read(self, data: bytes | None) -> str | None:
        """The text that a file with these bytes is reviewed by; None if it cannot be in this medium."""

    def digest(self, text: str) -> str:
        """A short name for a text, if it is not all that stands in the file; else empty."""

    def edits(
        self,
        old: str,
        new: str,
        said: Sequence[Replacement] = (),
        weave: Weave | None = None,
        kept: Sequence[KeptLine] = (),
    ) -> list[Edit]:
        """The edits from one text to another.

        `said` is what a tool was asked to replace; `weave` has the old text, and knows what is undecided;
        `kept` are lines that are known to be the same.
        """

    def stretches(self, old: str, new: str) -> list[Stretch]:
        """Where formatters work, in order."""

    def compose(self, text: str, wholes: Sequence[WholeFile], read: Read) -> bytes | BlobId:
        """What a file with this text is on disk: new bytes, or known ones."""

    def same(self, content: Content, text: str, read: Read) -> bool:
        """Whether a content, written down and read again, has this text."""

    def moved(self, file: File, new: str, *, outside: bool) -> list[MoveStep]:
        """How the file comes to be as it is, but for what stands elsewhere in the new text; empty if nothing
        does. The rest of what is different there is left. `outside`: it was done outside any call.
        """

    def seen(self, text: str, line: int, part: str) -> tuple[int, str]:
        """What a person knows a line of the text by, and sees of a part of the text that begins there."""

    @property
    def hunk_kinds(self) -> Collection[str]:
        """What hunks in its text can be called."""

    def hunk_kind(self, inserted: str, deleted: str) -> str:
        """Which of these a hunk is called that inserts and deletes this."""


class Reading(NamedTuple):
    """A content as it is reviewed."""

    text: str | None
    """None if it is not text."""
    medium: Medium

    @property
    def digest(self) -> str:
        """As the medium gives it."""
        return "" if self.text is None else self.medium.digest(self.text)
