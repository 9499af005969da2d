"""Blocks put into as few comments as the limits allow, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from blueline.forge.blocks import actions, block, marker, summary
from blueline.forge.suggestion import Suggestion

MOST_CHARACTERS = 65_000
"""GitHub says 65,536; counted as it may count them, in units of UTF-16."""

MOST_BYTES = 262_000
USUAL_MOST = 15
"""Suggestions in one comment."""

TITLE = "## 📝 Proposed Changes"
ROOM_FOR_HEAD = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """How long a text is in the two ways that count."""

    units: int
    bytes: int

    @classmethod
    def of(cls, text: str) -> Length:
        return cls(
            units=len(text.encode("utf-16-le", "replace")) // 2, bytes=len(text.encode("utf-8", "replace"))
        )

    def __add__(self, other: Length) -> Length:
        return Length(units=self.units + other.units, bytes=self.bytes + other.bytes)

    @property
    def fits(self) -> bool:
        return self.units <= MOST_CHARACTERS and self.bytes <= MOST_BYTES


def comments(
    suggestions: Sequence[Suggestion],
    *,
    offer: str,
    head: str,
    branch: str,
    most: int = USUAL_MOST,
    show_rationale: bool = True,
    notices: Sequence[str] = (),
    every: Sequence[Suggestion] | None = None,
    with_actions: bool = True,
) -> list[str]:
    """The comments for a list of suggestions; `notices` are said first.

    `every` are all that can be named, if some of them are not in the list.
    """
    tail = actions(head, branch) if with_actions else ""
    fixed = Length.of(tail) + Length(units=ROOM_FOR_HEAD, bytes=2 * ROOM_FOR_HEAD)
    said = "".join(f"{notice}\n\n" for notice in notices)
    groups: list[list[str]] = [[]]
    used = fixed + Length.of(said)
    for suggestion in suggestions:
        text = block(suggestion, show_rationale=show_rationale)
        length = Length.of(text) + Length(units=1, bytes=1)
        if groups[-1] and (len(groups[-1]) == most or not (used + length).fits):
            groups.append([])
            used = fixed
        groups[-1].append(text)
        used += length
    found = []
    for number, group in enumerate(groups, 1):
        of = f" ({number} of {len(groups)})" if len(groups) > 1 else ""
        parts = [marker(offer, number), f"{TITLE}{of}\n"]
        if number == 1:
            parts += [
                said + (summary(suggestions if every is None else every) + "\n" if with_actions else "")
            ]
        parts += group
        if number == len(groups):
            parts.append(tail)
        found.append("\n".join(parts))
    return found
