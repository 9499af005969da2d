"""What the records of a conversation add up to: messages, turns, the composer, what the agent remembers.

Nothing here touches a disk or an agent. A turn that was rejected stays in the thread and is not shown.
Whether it is rejected, the ledger says (`follow`): to undo the decision gives the conversation back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from blueline.desk.turn_rejections import TurnRejections
from blueline.model.ids import DECISION

if TYPE_CHECKING:
    from blueline.contract.conversations import AgentCommand, EntryAbout, EntryKind, PlaceDocument

Record = dict[str, Any]

LONGEST_TITLE = 80
WAITING, CANCELLED = "waiting", "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Composer:
    """What stands in the box below the messages, and the places in files that go along."""

    text: str = ""
    context: tuple[PlaceDocument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One message, or one thing that an agent did."""

    number: int
    turn: int
    kind: EntryKind
    """A note is said by Blueline itself."""
    at: str
    changed: int
    """The record that last changed it."""
    text: str
    about: EntryAbout


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptTurn:
    """One prompt, and how things stood before it."""

    number: int
    prompt: str
    context: tuple[PlaceDocument, ...]
    before: Record
    """The conversation as it was: how many entries, the composer, suggestions, whether it was running."""
    session: str
    """The agent's own name for the conversation then, which is the ledger's too."""
    at: str
    decided: int
    """The last decision that was known when it began."""
    ledger: str = ""
    """What the ledger calls it."""
    ended: str | None = None
    stop: str = ""
    """end_turn, cancelled, failed, …"""
    error: str = ""
    suggestions: tuple[str, ...] = ()
    """What the agent thinks may be said next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMemory:
    """What an agent remembers under one name: just these turns."""

    name: str
    turns: tuple[int, ...]
    marks: tuple[tuple[int, str], ...] = ()
    """The agent's name for its last message of a turn, where it says one."""


class Transcript:
    """All that was said in a conversation, as it is stored and shown."""

    def __init__(self) -> None:
        self.seq = 0
        self.agent = ""
        self.started = ""
        self.task: PlaceDocument | None = None
        self.is_closed = False
        self.entries: list[Entry] = []
        self.turns: dict[int, TranscriptTurn] = {}
        self.rejections = TurnRejections()
        """Those of its own turns."""
        self.sessions: dict[str, AgentMemory] = {}
        self.commands: list[AgentCommand] = []
        self._typed = Composer()
        self._typed_after = 0
        """The last decision that was known when that was typed."""
        self._noted: dict[int, int] = {}
        """Turns by the decisions that took them back, from when the ledger did not say which these are."""

    def follow(self, rejections: TurnRejections) -> bool:
        """What the ledger says of turns that are taken back; whether that is news here."""
        names = {turn.ledger for turn in self.turns.values()}
        before = self.rejections
        self.rejections = rejections._replace(turns=tuple(t for t in rejections.turns if t.turn in names))
        return self.rejections.turns != before.turns

    @property
    def noted(self) -> dict[int, str]:
        """The same, as the ledger calls these turns."""
        return {decision: self.turns[number].ledger for decision, number in self._noted.items()}

    def take(self, records: Iterable[Record]) -> bool:
        """Take records in; whether there were any."""
        before = self.seq
        for record in records:
            self.seq += 1
            self._take(record)
        return self.seq != before

    def _take(self, record: Record) -> None:
        match record.get("kind"):
            case "began":
                self.agent, self.started, self.task = record["agent"], record["at"], record.get("task")
            case "turn":
                self._begin(record)
            case "entry":
                self._add(record)
            case "more":
                self._grow(record)
            case "changed":
                self._change(record)
            case "ledger":
                self._turned(record["turn"], session=record["session"], ledger=record["ledger"])
            case "ended":
                self._end(record)
            case "session":
                self._remember(record)
            case "mark":
                self._mark(record)
            case "commands":
                self.commands = record["commands"]
            case "suggestions":
                self._turned(record["turn"], suggestions=tuple(record["texts"]))
            case "composer":
                self._compose(record, Composer(text=record["text"], context=tuple(record["context"])))
            case "rejected":  # written by an earlier version
                if record["turn"] in self.turns:
                    numbers = (DECISION.number(name) for name in record["decisions"])
                    self._noted |= {number: record["turn"] for number in numbers if number is not None}
            case "closed":
                self.is_closed = bool(record["closed"])
            case _:
                pass  # written by a later version

    def _begin(self, record: Record) -> None:
        self._compose(record, Composer())
        turn = TranscriptTurn(
            number=record["turn"],
            prompt=record["prompt"],
            context=tuple(record["context"]),
            before=record["before"],
            session=record["session"],
            at=record["at"],
            decided=self._typed_after,
        )
        self.turns[turn.number] = turn
        entry = {"entry": len(self.entries), "type": "user", "turn": turn.number, "at": turn.at}
        self._add({**entry, "text": turn.prompt, "about": {"context": [*turn.context]}})

    def _turned(self, number: int, **changes: Any) -> None:
        if number in self.turns:
            self.turns[number] = replace(self.turns[number], **changes)

    def _add(self, record: Record) -> None:
        if record["entry"] != len(self.entries):
            return  # two programs wrote at the same time; the later one has seen its mistake
        self.entries.append(
            Entry(
                number=record["entry"],
                turn=record["turn"],
                kind=record["type"],
                at=record["at"],
                changed=self.seq,
                text=record.get("text", ""),
                about=record.get("about", {}),
            )
        )

    def _grow(self, record: Record) -> None:
        if 0 <= record["entry"] < len(self.entries):
            entry = self.entries[record["entry"]]
            self.entries[entry.number] = replace(entry, text=entry.text + record["text"], changed=self.seq)

    def _change(self, record: Record) -> None:
        if 0 <= record["entry"] < len(self.entries):
            entry = self.entries[record["entry"]]
            about: EntryAbout = {**entry.about, **record["about"]}
            self.entries[entry.number] = replace(entry, about=about, changed=self.seq)

    def _end(self, record: Record) -> None:
        self._turned(record["turn"], ended=record["at"], stop=record["stop"], error=record.get("error", ""))
        for entry in self.entries:
            if entry.turn == record["turn"] and entry.kind == "permission" and is_waiting(entry):
                self._change({"entry": entry.number, "about": {"state": CANCELLED}})
        turn = self.turns.get(record["turn"])
        if turn is not None and record["stop"] != "end_turn" and record.get("back", True):
            self._typed = put_back(turn, self._typed)

    def _remember(self, record: Record) -> None:
        marks = tuple((turn, mark) for turn, mark in record.get("marks", []))
        session = AgentMemory(name=record["session"], turns=tuple(record["turns"]), marks=marks)
        self.sessions[session.name] = session

    def _mark(self, record: Record) -> None:
        session = self.sessions.get(record["session"])
        if session is not None:
            rest = tuple(mark for mark in session.marks if mark[0] != record["turn"])
            self.sessions[session.name] = replace(session, marks=(*rest, (record["turn"], record["mark"])))

    def _compose(self, record: Record, composer: Composer) -> None:
        self._typed = composer
        self._typed_after = record.get("decided", max([self._typed_after, *self._noted]))

    # What is shown

    @property
    def running(self) -> TranscriptTurn | None:
        """The turn that has not ended."""
        last = self.turns.get(len(self.turns))
        return last if last is not None and last.ended is None else None

    @property
    def title(self) -> str:
        first = next((turn.prompt for turn in self.turns.values()), "")
        line = first.strip().partition("\n")[0]
        return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1] + "…"

    @property
    def hidden(self) -> set[int]:
        """The turns that are taken back."""
        names = {one.turn for one in self.rejections.turns}
        return {number for number, turn in self.turns.items() if turn.ledger in names}

    @property
    def history(self) -> tuple[int, ...]:
        """The turns that the agent should remember."""
        hidden = self.hidden
        return tuple(number for number, turn in self.turns.items() if number not in hidden and turn.ended)

    def reasons(self, number: int) -> list[str]:
        """Why turns were taken back between the turn before and this one, as far as somebody said why."""
        last = self.turns[number].decided
        first = self.turns[number - 1].decided if number > 1 else 0
        return [one.reason for one in self.rejections.turns if one.reason and first < one.since <= last]

    @property
    def composer(self) -> Composer:
        """What the composer holds: what was typed, below the prompts of turns that were taken back since."""
        found = self._typed
        turns = {turn.ledger: turn for turn in self.turns.values()}
        since = {one.turn: one.since for one in reversed(self.rejections.turns)}
        for name in sorted(since, key=lambda name: since[name]):
            if since[name] > self._typed_after:
                found = put_back(turns[name], found)
        return found

    @property
    def shown(self) -> list[Entry]:
        """The messages, without those of turns that are taken back."""
        hidden = self.hidden
        return [entry for entry in self.entries if entry.turn not in hidden]

    @property
    def suggestions(self) -> list[str]:
        """What may be said next, as the agent thinks; of a turn that was taken back, what was before it."""
        history = self.history
        return [*self.turns[history[-1]].suggestions] if history and self.running is None else []

    @property
    def last_shown(self) -> str:
        """The last turn that is not taken back, as the ledger calls it; empty if there is none."""
        hidden = self.hidden
        names = (turn.ledger for turn in reversed(self.turns.values()) if turn.number not in hidden)
        return next((name for name in names if name), "")

    def waiting(self) -> list[Entry]:
        """Questions of the agent that nobody has answered."""
        return [entry for entry in self.entries if entry.kind == "permission" and is_waiting(entry)]


def is_waiting(entry: Entry) -> bool:
    return entry.about.get("state") == WAITING


def put_back(turn: TranscriptTurn, composer: Composer) -> Composer:
    """The composer with the prompt of a turn back in it. What was typed there since stays, below it."""
    text = composer.text
    if not text.strip() or text.strip() == turn.prompt.strip():
        text = turn.prompt
    elif not text.startswith(f"{turn.prompt}\n\n"):
        text = f"{turn.prompt}\n\n{text}"
    known = [*turn.context]
    return Composer(text=text, context=(*known, *(one for one in composer.context if one not in known)))
