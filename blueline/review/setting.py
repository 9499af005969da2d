"""What stands at a path, and the values that operations gave to it: what it is, its mode, its path."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from blueline.model.answer import ACCEPTED, Answer
from blueline.model.medium_names import MEDIA, MediumName, WholeFile
from blueline.review.operation import BASE
from blueline.review.weave.mark import Mark

NO_MODE = -1
"""The mode of what is not a file."""


class Node(NamedTuple):
    """What stands at a path. `value` is the number of a weave, a blob id, or a link's target."""

    kind: MediumName | Literal["bytes", "link", "folder", "absent", "unknown"]
    value: int | str = 0

    @property
    def is_woven(self) -> bool:
        """Whether it is reviewed by a text, which is in a weave then."""
        return self.kind in MEDIA

    def is_weave(self, number: int) -> bool:
        """Whether its text is in this weave."""
        return self.is_woven and self.value == number


ABSENT = Node("absent")
FOLDER = Node("folder")
"""One with nothing in it."""

UNKNOWN = Node("unknown")
"""We could not look, so nobody can go back to it."""


class Setting(NamedTuple):
    """One value that an operation gave to one aspect of a file."""

    mark: Mark
    value: Node | int | str
    missing: str = ""
    """The outermost folder that did not exist before, for a file that came to where it is."""
    gone: str = ""
    """The outermost folder that does not exist since, for a file that was renamed."""


NOWHERE = Setting(Mark(BASE, 0, ACCEPTED), ABSENT)
"""Of a file with no setting that counts."""


def last_that_counts(settings: Sequence[Setting], counts: Container[Answer]) -> Node | int | str:
    """The value that was set last, of those that count; if none does, the last of all."""
    for setting in reversed(settings):
        if setting.mark.state in counts:
            return setting.value
    return settings[-1].value


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What is, or should be, on disk: what a text stands for, a blob, a link, or nothing."""

    node: Node
    text: str | None
    """What it is reviewed by; that is all that stands in the file, if its medium says so."""
    mode: int
    path: str
    wholes: tuple[WholeFile, ...] = ()
    """What else it is put together from, if its text is not all."""

    @property
    def plain(self) -> str | None:
        """The text, if it is what stands in the file."""
        return self.text if self.node.kind == "text" else None
