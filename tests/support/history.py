"""What happened to one file, without a disk: the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from blueline.model.answer import Answer
from blueline.model.dependents import Dependents
from blueline.model.edit import Replacement
from blueline.model.fact import DecisionFinished, DecisionMade, DecisionTurned, Fact, Write
from blueline.model.file_state import Absent, FileState, Regular
from blueline.model.ids import BlobId
from blueline.model.notice import CallBegan, CallFinished, PromptGiven
from blueline.model.piece import Piece, PieceAnswer
from blueline.model.verdict import Verdict
from blueline.review.choices import Choices
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.planning import Plan, plan
from blueline.review.deciding.selected_pieces import pieces_on_lines, undecided_pieces
from blueline.review.deciding.sides import Sides
from blueline.review.file import File
from blueline.review.fold import fold_fact
from blueline.review.intake.taking import ObservedFiles, Taking
from blueline.review.ledger import Ledger
from tests.support.in_memory import MemoryBlobs, NoSource

PATH = "a.md"
AT = "2026-01-01T00:00:00.000Z"
SALT = 0
MODE = 0o644


class Seen(NamedTuple):
    """A hunk, and what it shows."""

    hunk: Hunk
    old: str | None
    new: str | None


class History:
    """One file, the people and agents who change it, and what was decided."""

    def __init__(self, before: str | bytes | None, path: str = PATH) -> None:
        self._path = path
        self.ledger = Ledger(NoSource())
        self._blobs = MemoryBlobs()
        self._calls = 0
        self.person(before)

    # What happens

    def person(self, content: str | bytes | None) -> None:
        """The file is found like this; None: it is gone."""
        self._taking().look(self._path, self._state(content))

    def agent(
        self,
        content: str | bytes | None,
        *,
        edit: tuple[str, str] | None = None,
        conversation: str = "one",
        held: bool = False,
    ) -> int:
        """One call that leaves this content, or would if it were not held; its number."""
        self._calls += 1
        text = content if isinstance(content, str) else None
        said = None if edit is None else (Replacement(old=edit[0], new=edit[1]),)
        began = CallBegan(
            conversation=conversation,
            key=str(self._calls),
            tool="Write" if edit is None else "Edit",
            edits=said,
            content=text if edit is None else None,
        )
        self._taking().notice(began, self._look(self._state(self.content), held=held))
        if not held:
            finished = CallFinished(
                conversation=conversation, key=began.key, tool=began.tool, failed=False, edits=said
            )
            self._taking().notice(finished, self._look(self._state(content), held=False))
        return self._calls

    def prompt(self, conversation: str = "one") -> None:
        """A new turn begins."""
        notice = PromptGiven(conversation=conversation, prompt="please")
        self._taking().notice(notice, self._look(None, held=False))

    def _taking(self) -> Taking:
        return Taking(self.ledger, AT, self._blobs.get, self._blobs.put)

    def _look(self, state: FileState | None, *, held: bool) -> ObservedFiles:
        path = None if state is None else self._path
        return ObservedFiles(agent="claude-code", path=path, outside=None, state=state, held=held, record=0)

    def _state(self, content: str | bytes | None) -> FileState:
        if content is None:
            return Absent()
        data = content.encode() if isinstance(content, str) else content
        return Regular(mode=MODE, size=len(data), blob=self._blobs.put(data))

    # What is decided

    def decide(self, verdict: Verdict, pieces: Iterable[Piece], *, dependents: Dependents = "ask") -> Plan:
        """An answer about some pieces, made unless something has to be chosen first."""
        number = self.ledger.counters.decision + 1
        planned = plan(
            {self.file.number: (self.file, pieces)},
            verdict,
            decision=number,
            salt=SALT,
            choices=Choices(dependents=dependents),
        )
        if planned.files and not planned.needs:
            changes = tuple((one.before.number, one.changes) for one in planned.files)
            writes = tuple(self._written(one.before, one.after) for one in planned.files)
            self._say(
                DecisionMade(
                    decision=number,
                    verdict=verdict,
                    reason="",
                    changes=changes,
                    hunks=(),
                    writes=writes,
                    passes=tuple((one.before.number, one.passes) for one in planned.files),
                )
            )
            self._say(DecisionFinished(decision=number))
        return planned

    def _written(self, before: File, after: File) -> Write:
        """What a decision makes of the file."""
        old, new = (self._state(one.live.text) for one in (before, after))
        return Write(path=after.live.path, old_path=before.live.path, before=old, after=new)

    def answer(self, verdict: Verdict, pieces: Iterable[Piece]) -> None:
        """An answer about just these pieces, whatever anybody would have to be asked."""
        answer: Answer = "accepted" if verdict == "accept" else "rejected"
        changes = ((self.file.number, tuple(PieceAnswer(piece, answer) for piece in pieces)),)
        number = self.ledger.counters.decision + 1
        self._say(
            DecisionMade(decision=number, verdict=verdict, reason="", changes=changes, hunks=(), writes=())
        )

    def everything(self) -> list[Piece]:
        """All that is undecided."""
        return undecided_pieces(self.file)

    def lines(self, first: int, last: int) -> list[Piece]:
        """What is pending on some lines, counted from one."""
        return pieces_on_lines(self.file, first - 1, last - 1)

    def call(self, number: int) -> list[Piece]:
        """What is undecided of a call."""
        ops = {op.number for op in self.file.operations.values() if op.call == number}
        return undecided_pieces(self.file, ops)

    def hunk(self, new: str) -> list[Piece]:
        """The pieces of the one agent's hunk that shows this."""
        (found,) = [seen for seen in self.hunks() if seen.new == new]
        return [*found.hunk.pieces]

    def turn(self, decision: int, *, stands: bool) -> None:
        """Undo or redo a decision."""
        number = self.ledger.counters.decision + 1
        files = (self.file.number,)
        self._say(
            DecisionTurned(
                decision=number, of=decision, stands=stands, takes_back=decision, files=files, writes=()
            )
        )

    @property
    def decision(self) -> int:
        """The last one."""
        return self.ledger.counters.decision

    def _say(self, fact: Fact) -> None:
        fold_fact(self.ledger, fact, AT, self._blobs.get)

    # What there is

    @property
    def file(self) -> File:
        found = self.ledger.file(1)
        assert found is not None
        return found

    @property
    def text(self) -> str | None:
        return self.file.live.text

    @property
    def content(self) -> bytes | None:
        """What is in the file, text or not."""
        node = self.file.live.node
        if node.kind == "bytes":
            return self._blobs.get(BlobId(str(node.value)))
        return None if self.text is None else self.text.encode()

    @property
    def agreed(self) -> str | None:
        return self.file.baseline.text

    def hunks(self, states: Sequence[str] = ("pending", "held")) -> list[Seen]:
        """The agents' hunks that there is something to see of, in the order of the text."""
        sides = Sides(self.file)
        found = []
        for hunk in hunks(self.file, SALT):
            if hunk.listed and hunk.state in states and hunk.actor.kind == "agent":
                old, new = sides.of(hunk)
                found.append((new.start, Seen(hunk, old.text, new.text)))
        return [seen for _, seen in sorted(found, key=lambda one: (one[0], one[1].hunk.operation.number))]


# A history as a list of steps

Step = Callable[[History], object]
Chosen = str | int | tuple[int, int] | None
"""A hunk by what it shows, a call by its number, lines from and to, or everything."""


def person(content: str | bytes | None) -> Step:
    return lambda history: history.person(content)


def agent(
    content: str | bytes | None,
    *,
    edit: tuple[str, str] | None = None,
    conversation: str = "one",
    held: bool = False,
) -> Step:
    return lambda history: history.agent(content, edit=edit, conversation=conversation, held=held)


def accept(what: Chosen = None) -> Step:
    return lambda history: _decided(history, "accept", what, "ask")


def reject(what: Chosen = None, *, dependents: Dependents = "ask") -> Step:
    return lambda history: _decided(history, "reject", what, dependents)


def undo(decision: int) -> Step:
    return lambda history: history.turn(decision, stands=False)


def redo(decision: int) -> Step:
    return lambda history: history.turn(decision, stands=True)


def _decided(history: History, verdict: Verdict, what: Chosen, dependents: Dependents) -> None:
    match what:
        case None:
            pieces = history.everything()
        case str():
            pieces = history.hunk(what)
        case int():
            pieces = history.call(what)
        case _:
            pieces = history.lines(*what)
    planned = history.decide(verdict, pieces, dependents=dependents)
    assert not planned.needs, planned.needs


def check(
    before: str | bytes | None,
    steps: Iterable[Step],
    *,
    expect: str | None,
    agreed: str | None = None,
    pending: Sequence[tuple[str | None, str | None]] | None = None,
) -> History:
    """After these steps the file holds this; `agreed` is its baseline, `pending` what each hunk shows."""
    history = History(before)
    for step in steps:
        step(history)
    assert history.text == expect
    assert agreed is None or history.agreed == agreed
    assert pending is None or [(seen.old, seen.new) for seen in history.hunks()] == [*pending]
    return history
