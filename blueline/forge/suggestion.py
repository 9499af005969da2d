"""The words of the forge: one change that is offered, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from blueline.forge.line_hunks import LineHunk, chosen, line_hunks
from blueline.model.risk import Level, Subject
from blueline.model.text import as_text

if TYPE_CHECKING:
    from blueline.contract.suggestions import SuggestionDocument

Action = Literal["create", "modify", "delete", "rename"]
Status = Literal["pending", "applied", "rejected", "outdated"]

FILE, PROGRAM, LINK = 0o100644, 0o100755, 0o120000
"""The modes that git knows of what is not a folder."""


def is_plain(path: str) -> bool:
    """Whether a path leads to a file of the repository: not out of it, and not to what is git's own."""
    names = path.split("/")
    odd = {"", ".", "..", ".git", "git~1"}
    return "\0" not in path and not any(name in odd or name.lower().rstrip(". ") in odd for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class GitContent:
    """What stands at a path, as git keeps it."""

    mode: int
    content: bytes


@dataclass(frozen=True, kw_only=True)
class OfferedChange:
    """One file going from one content to another, in one offer."""

    path: str
    old_path: str
    """Where it stood before; the same unless it is renamed."""
    old: GitContent | None
    """None when there was nothing."""
    new: GitContent | None

    @property
    def action(self) -> Action:
        """What happens to the file."""
        if self.old is None:
            return "create"
        if self.new is None:
            return "delete"
        return "modify" if self.path == self.old_path else "rename"

    @cached_property
    def texts(self) -> tuple[str, str] | None:
        """Both sides as text; None if one of them is not."""
        if any(side is not None and side.mode == LINK for side in (self.old, self.new)):
            return None
        found = [as_text(side.content) if side is not None else "" for side in (self.old, self.new)]
        return None if found[0] is None or found[1] is None else (found[0], found[1])

    @cached_property
    def hunks(self) -> tuple[LineHunk, ...]:
        """Where the lines differ; none if this is not text."""
        return line_hunks(*self.texts) if self.texts is not None else ()

    @property
    def subject(self) -> Subject:
        """The change as the rules of risk see it."""
        became = self.new is not None and self.new.mode != FILE
        return Subject(
            path=self.path,
            lines=sum(len(hunk.old) + len(hunk.new) for hunk in self.hunks),
            deleted=self.new is None,
            binary=self.texts is None,
            executable=became and (self.old is None or self.new is None or self.old.mode != self.new.mode),
        )

    def part(self, indices: frozenset[int]) -> GitContent | None:
        """What stands there with only some of the hunks done."""
        if self.old is None or self.new is None or self.texts is None:
            return self.new if indices else self.old
        text = chosen(*self.texts, indices)
        return GitContent(mode=self.new.mode if indices else self.old.mode, content=text.encode())


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """A change, or one hunk of it, with a number that people can name it by."""

    number: int
    change: OfferedChange
    hunk: int | None = None
    """Which of the hunks, if it is only one of them."""
    rationale: str = ""
    risk: Level = "low"
    reasons: tuple[str, ...] = ()
    status: Status = "pending"
    by: str = ""
    """Who decided."""
    why: str = ""
    of: tuple[str, ...] = ()
    """Ids of the hunks, calls and turns of the desk that it was made from."""

    @property
    def path(self) -> str:
        return self.change.path

    @property
    def hunks(self) -> tuple[LineHunk, ...]:
        """The hunks that it is about."""
        every = self.change.hunks
        return every if self.hunk is None else every[self.hunk : self.hunk + 1]

    def decided(self, status: Status, by: str, why: str = "") -> Suggestion:
        """The same after somebody said what becomes of it."""
        return replace(self, status=status, by=by, why=why)

    def document(self) -> SuggestionDocument:
        """For other programs: contents as text, None if they are not."""
        old, new = self.change.texts or (None, None)
        return {
            "number": self.number,
            "path": self.path,
            "old_path": self.change.old_path,
            "action": self.change.action,
            "old": old if self.change.old is not None else None,
            "new": new if self.change.new is not None else None,
            "hunks": [
                {
                    "old_start": hunk.old_start + 1,
                    "old_lines": len(hunk.old),
                    "new_start": hunk.new_start + 1,
                    "new_lines": len(hunk.new),
                    "old": "".join(hunk.old),
                    "new": "".join(hunk.new),
                }
                for hunk in self.hunks
            ],
            "rationale": self.rationale,
            "risk": self.risk,
            "reasons": list(self.reasons),
            "status": self.status,
            "of": list(self.of),
        }


STATUSES: Mapping[Status, str] = {
    "pending": "waits for an answer",
    "applied": "was applied",
    "rejected": "was rejected",
    "outdated": "does not fit any more",
}
