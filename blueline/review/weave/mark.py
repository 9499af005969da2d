"""One piece of a file under review: its state, and every answer it got."""

from typing import NamedTuple

from blueline.model.answer import Answer


class Segment(NamedTuple):
    """Edit number `edit` of operation `op`: what it inserts stands together."""

    op: int
    edit: int


class Mark:
    """One piece's state, and every answer it ever got.

    The state is the answer of the latest decision that still stands, else `first`. Immutable.
    """

    __slots__ = ("edit", "first", "log", "op", "state", "whole")

    def __init__(
        self,
        op: int,
        edit: int,
        first: Answer,
        *,
        whole: bool = False,
        log: tuple[tuple[int, Answer], ...] = (),
        state: Answer | None = None,
    ) -> None:
        self.op = op
        self.edit = edit
        self.first = first
        self.whole = whole
        """The line came, or went, with its end (only for pieces of text)."""
        self.log = log
        self.state = first if state is None else state

    @property
    def segment(self) -> Segment:
        """The edit it belongs to."""
        return Segment(self.op, self.edit)

    def answered(self, decision: int, answer: Answer | None) -> "Mark":
        """The mark after one more decision."""
        answer = self.state if answer is None else answer
        log = (*self.log, (decision, answer))
        return Mark(self.op, self.edit, self.first, whole=self.whole, log=log, state=answer)

    def standing(self, fallen: frozenset[int]) -> "Mark":
        """The mark when the decisions in `fallen` do not stand."""
        state = next((answer for number, answer in reversed(self.log) if number not in fallen), self.first)
        if state == self.state:
            return self
        return Mark(self.op, self.edit, self.first, whole=self.whole, log=self.log, state=state)

    def signature(self, fallen: frozenset[int]) -> tuple[int, ...]:
        """The standing decisions that answered this piece: pieces with equal ones belong together."""
        return tuple(number for number, _ in self.log if number not in fallen) if self.log else ()

    def touched_by(self, decision: int) -> bool:
        """Whether that decision answered this piece."""
        return any(number == decision for number, _ in self.log)
