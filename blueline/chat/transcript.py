"""What the records of a conversation add up to: messages, turns, the composer, what the agent remembers.

Nothing here touches a disk or an agent. A turn that was rejected stays in the thread and is not shown.
Whether it is rejected, the desk says: to undo the decision gives the conversation back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

Record = dict[str, Any]
Document = dict[str, Any]

LONGEST_TITLE = 80
WAITING, CANCELLED = "waiting", "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Composer:
    """What stands in the box below the messages, and the places in files that go along."""

    text: str = ""
    context: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One message, or one thing that an agent did."""

    number: int
    turn: int
    kind: str
    """user, agent, thought, tool, plan, permission, or note: said by Blueline itself."""
    at: str
    changed: int
    """The record that last changed it."""
    text: str = ""
    about: Document = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptTurn:
    """One prompt, and how things stood before it."""

    number: int
    prompt: str
    context: tuple[Document, ...]
    before: Document
    """The conversation as it was: how many entries, the composer, suggestions, whether it was running."""
    session: str
    """The agent's own name for the conversation then, which is the ledger's too."""
    at: str
    ledger: str = ""
    """What the ledger calls it."""
    ended: str | None = None
    stop: str = ""
    """end_turn, cancelled, failed, …"""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A turn was taken back by these decisions, as long as they stand."""

    turn: int
    decisions: tuple[str, ...]
    put: Composer
    """What the composer held afterwards."""
    before: Composer
    reason: str
    last: int
    """The last turn at that time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMemory:
    """What an agent remembers under one name: just these turns."""

    name: str
    turns: tuple[int, ...]
    marks: tuple[tuple[int, str], ...] = ()
    """The agent's name for its last message of a turn, where it says one."""


class Transcript:
    """One conversation."""

    def __init__(self) -> None:
        self.seq = 0
        self.agent = ""
        self.started = ""
        self.task: Document | None = None
        self.is_closed = False
        self.entries: list[Entry] = []
        self.turns: dict[int, TranscriptTurn] = {}
        self.rejections: list[Rejection] = []
        self.sessions: dict[str, AgentMemory] = {}
        self.commands: list[Document] = []
        self.composer = Composer()

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
            case "composer":
                self._compose(Composer(text=record["text"], context=tuple(record["context"])))
            case "rejected":
                self._reject(record)
            case "closed":
                self.is_closed = bool(record["closed"])
            case _:
                pass  # written by a later version

    def _begin(self, record: Record) -> None:
        turn = TranscriptTurn(
            number=record["turn"],
            prompt=record["prompt"],
            context=tuple(record["context"]),
            before=record["before"],
            session=record["session"],
            at=record["at"],
        )
        self.turns[turn.number] = turn
        self._compose(Composer())
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
            about = {**entry.about, **record["about"]}
            self.entries[entry.number] = replace(entry, about=about, changed=self.seq)

    def _end(self, record: Record) -> None:
        self._turned(record["turn"], ended=record["at"], stop=record["stop"], error=record.get("error", ""))
        for entry in self.entries:
            if entry.turn == record["turn"] and entry.kind == "permission" and is_waiting(entry):
                self._change({"entry": entry.number, "about": {"state": CANCELLED}})
        turn = self.turns.get(record["turn"])
        if turn is not None and record["stop"] != "end_turn" and record.get("back", True):
            self._compose(put_back(turn, self.composer))

    def _remember(self, record: Record) -> None:
        marks = tuple((turn, mark) for turn, mark in record.get("marks", []))
        session = AgentMemory(name=record["session"], turns=tuple(record["turns"]), marks=marks)
        self.sessions[session.name] = session

    def _mark(self, record: Record) -> None:
        session = self.sessions.get(record["session"])
        if session is not None:
            rest = tuple(mark for mark in session.marks if mark[0] != record["turn"])
            self.sessions[session.name] = replace(session, marks=(*rest, (record["turn"], record["mark"])))

    def _compose(self, composer: Composer) -> None:
        self.composer = composer

    def _reject(self, record: Record) -> None:
        turn = self.turns.get(record["turn"])
        if turn is None:
            return
        before = self.composer
        self._compose(put_back(turn, before))
        self.rejections.append(
            Rejection(
                turn=turn.number,
                decisions=tuple(record["decisions"]),
                put=self.composer,
                before=before,
                reason=record.get("reason", ""),
                last=len(self.turns),
            )
        )

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

    def hidden(self, standing: Collection[str]) -> set[int]:
        """The turns that are taken back, when these decisions stand."""
        return {one.turn for one in self.rejections if any(name in standing for name in one.decisions)}

    def decisions(self) -> set[str]:
        """The decisions on which it depends what is shown."""
        return {name for one in self.rejections for name in one.decisions}

    def history(self, standing: Collection[str]) -> tuple[int, ...]:
        """The turns that the agent should remember."""
        hidden = self.hidden(standing)
        return tuple(number for number, turn in self.turns.items() if number not in hidden and turn.ended)

    def reasons(self, standing: Collection[str], last: int) -> list[str]:
        """Why turns were taken back since the turn with that number, as far as somebody said why."""
        return [
            one.reason
            for one in self.rejections
            if one.last == last and one.reason and any(name in standing for name in one.decisions)
        ]

    def composed(self, standing: Collection[str]) -> Composer:
        """What the composer holds. What rejections have put there goes again when they are undone, in any
        order, as long as nobody has typed since."""
        chain: list[Rejection] = []
        found = self.composer
        for one in reversed(self.rejections):
            if one.put != found:
                break
            chain.insert(0, one)
            found = one.before
        for one in chain:
            if any(name in standing for name in one.decisions):
                found = put_back(self.turns[one.turn], found)
        return found

    def shown(self, standing: Collection[str]) -> list[Entry]:
        """The messages, without those of turns that are taken back."""
        hidden = self.hidden(standing)
        return [entry for entry in self.entries if entry.turn not in hidden]

    def waiting(self) -> list[Entry]:
        """Questions of the agent that nobody has answered."""
        return [entry for entry in self.entries if entry.kind == "permission" and is_waiting(entry)]


def is_waiting(entry: Entry) -> bool:
    return entry.about.get("state") == WAITING


def put_back(turn: TranscriptTurn, composer: Composer) -> Composer:
    """The composer with the prompt of a turn back in it. What was typed there since stays, below it."""
    if composer.text.strip() and composer.text.strip() != turn.prompt.strip():
        text = f"{turn.prompt}\n\n{composer.text}"
    else:
        text = turn.prompt
    known = [*turn.context]
    return Composer(text=text, context=(*known, *(one for one in composer.context if one not in known)))
