"""What a patch, as agents write them, says it will do to a file."""

from dataclasses import dataclass

from blueline.model.edit import Replacement


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Some lines that become others. Lines are without their ends; those around the change are in both."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    after: str = ""
    """A line that stands somewhere before it; empty when the patch names none."""
    at_end: bool = False
    """Whether these are the last lines of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """One file's part of a patch."""

    path: str
    """As it is written in the patch: relative to wherever the agent works, or absolute."""
    moved_to: str = ""
    content: str | None = None
    """The whole text, when the patch makes the file."""
    chunks: tuple[Chunk, ...] = ()
    deleted: bool = False

    @property
    def edits(self) -> tuple[Replacement, ...]:
        """The chunks as replacements of text, to look for where a change was made."""
        return tuple(Replacement(old=_text(one.old), new=_text(one.new)) for one in self.chunks)


def _text(lines: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in lines)
