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

    __slots__ = ("edit", "first", "log", "op", "since", "state", "whole")

    def __init__(
        self,
        op: int,
        edit: int,
        first: Answer,
        *,
        whole: bool = False,
        log: tuple[tuple[int, Answer], ...] = (),
        state: Answer | None = None,
        since: int = 0,
    ) -> None:
        self.op = op
        self.edit = edit
        self.first = first
        self.whole = whole
        """The line came, or went, with its end (only for pieces of text)."""
        self.log = log
        self.state = first if state is None else state
        self.since = since
        """The pass of a formatter that it came with, if it did not come with its operation (rule D2)."""

    @property
    def came(self) -> int:
        """The number of the operation, or the pass, that it came with."""
        return self.since or self.op

    @property
    def segment(self) -> Segment:
        """The edit it belongs to."""
        return Segment(self.op, self.edit)

    def answered(self, decision: int, answer: Answer | None) -> "Mark":
        """The mark after one more decision."""
        answer = self.state if answer is None else answer
        return self._with((*self.log, (decision, answer)), answer)

    def without(self, fallen: frozenset[int]) -> "Mark":
        """The mark when the decisions in `fallen` do not stand."""
        state = next((answer for number, answer in reversed(self.log) if number not in fallen), self.first)
        if state == self.state:
            return self
        return self._with(self.log, state)

    def _with(self, log: tuple[tuple[int, Answer], ...], state: Answer) -> "Mark":
        return Mark(self.op, self.edit, self.first, whole=self.whole, log=log, state=state, since=self.since)

    def signature(self, fallen: frozenset[int]) -> tuple[int, ...]:
        """The standing decisions that answered this piece: pieces with equal ones belong together."""
        return tuple(number for number, _ in self.log if number not in fallen) if self.log else ()

    def touched_by(self, decision: int) -> bool:
        """Whether that decision answered this piece."""
        return any(number == decision for number, _ in self.log)
