"""What is true at a cursor: turns, calls, decisions and files, loaded as they are needed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from blueline.model.call_about import CallAbout
from blueline.model.fact import Write
from blueline.model.piece import Piece
from blueline.review.choices import ASK, Choices
from blueline.review.file import File
from blueline.review.setting import ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One request to an agent and all it did until it stopped."""

    number: int
    conversation: str
    agent: str
    prompt: str
    started: str
    order: int
    ended: str | None = None
    chat: str = ""
    """The chat that it was held in, if it was one of ours."""
    process: tuple[int, int] | None = None
    """The agent: process number and start."""
    resumed: int = 0
    """Its place among the entries when it was begun, or went on, last."""
    waits: bool = False
    """The agent itself has stopped: the turn ends with the last of its sub-agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subagent:
    """One that an agent has working for it in a turn."""

    number: int
    turn: int
    key: str
    type: str
    description: str
    started: str
    order: int
    ended: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call in a turn."""

    number: int
    turn: int
    key: str
    tool: str
    path: str | None
    started: str
    about: CallAbout
    order: int
    subagent: int | None = None
    ended: str | None = None
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Somebody's answer, or the taking back of one (`of`)."""

    number: int
    verdict: str
    """accept, reject, by-hand, by-git, undo, redo, queued."""
    reason: str
    at: str
    hunks: tuple[str, ...]
    files: tuple[int, ...]
    writes: tuple[Write, ...]
    order: int
    of: int | None = None
    stands: bool = True
    finished: bool = False
    by: str = ""
    """Who made it: the name of their account."""
    agent: str = ""
    """The agent that made it under that account; empty if a person did."""
    turns: tuple[int, ...] = ()
    """The turns that it is about as such."""
    commit: str = ""
    """The commit that made it, and nobody else."""
    request: str = ""
    """The request of a hub that it carries out."""
    returns: bool = False
    """What had been taken away stands in the file again: by hand, or by git."""
    waits_for: str = ""
    """The verdict that a queued one will have."""
    choices: Choices = ASK
    """What somebody chose with a queued one."""
    parts: tuple[tuple[str, tuple[Piece, ...]], ...] = ()
    """The parts of hunks that a queued one is about: id and pieces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A person's words on lines, a hunk, a file, a call or a turn. See `NoteWritten`."""

    number: int
    kind: str
    text: str
    on: str
    of: str
    file: int | None
    path: str | None
    line: int
    end_line: int
    quote: str
    blob: str
    """The text of the file as it was then; empty if there was none."""
    conversation: str
    at: str
    order: int
    status: str = "draft"
    changes: int = 0
    """How often it was changed since."""
    key: str = ""
    """What names words that came from elsewhere."""

    @property
    def is_open(self) -> bool:
        return self.status not in ("resolved", "removed")


@dataclass(slots=True, kw_only=True)
class Counters:
    """The last number given out of each kind."""

    event: int = 0
    turn: int = 0
    subagent: int = 0
    call: int = 0
    decision: int = 0
    op: int = 0
    hunk: int = 0
    file: int = 0
    note: int = 0
    salt: int = 0
    source: int = -1
    """Where the last observation that was taken in stands in the journal."""
    missing: int = 0
    """How many events are known to be lost."""
    lost: int = 0
    """How many recorded contents could not be read."""
    entry: int = 0
    """Turns, calls and decisions in the order in which they began: clocks may jump."""


Kept = TypeVar("Kept", Turn, Subagent, Call, Decision, Note, File)

Named = Callable[[int], Kept | None]
"""What has a number, if there is anything."""

NumberOf = Callable[[str], int | None]
"""The number of what is known by a path, a conversation, or the key that an agent gave."""

NumbersOf = Callable[[str], list[int]]
"""The same, where there may be several: the one that counts first."""


class GitPosition(NamedTuple):
    """Where git was when last looked at: its current commit and its stash; empty if there is none."""

    head: str = ""
    stash: str = ""


class Beginning(NamedTuple):
    """Where a ledger takes things up: the last numbers, and what has not ended."""

    counters: Counters
    running_turns: Sequence[int] = ()
    subagents_at_work: Sequence[int] = ()
    open_calls: Sequence[int] = ()
    unfinished: Sequence[int] = ()
    git: GitPosition = GitPosition()


class Source(Protocol):
    """Where a ledger looks things up: the index, or nothing at all."""

    @property
    def turn(self) -> Named[Turn]: ...
    @property
    def subagent(self) -> Named[Subagent]: ...
    @property
    def call(self) -> Named[Call]: ...
    @property
    def decision(self) -> Named[Decision]: ...
    @property
    def note(self) -> Named[Note]: ...
    @property
    def file(self) -> Named[File]: ...

    @property
    def files_at(self) -> NumbersOf: ...
    @property
    def call_named(self) -> NumberOf: ...
    @property
    def last_call_on(self) -> NumberOf: ...
    @property
    def subagent_named(self) -> NumberOf: ...
    @property
    def last_turn_of(self) -> NumberOf: ...


class Ledger:
    """A cache over a source, which remembers what was changed in it."""

    def __init__(self, source: Source, beginning: Beginning | None = None) -> None:
        self._source = source
        beginning = Beginning(Counters()) if beginning is None else beginning
        self.counters = beginning.counters
        self.git = beginning.git
        self.turns: dict[int, Turn] = {}
        self.subagents: dict[int, Subagent] = {}
        self.calls: dict[int, Call] = {}
        self.decisions: dict[int, Decision] = {}
        self.notes: dict[int, Note] = {}
        self.files: dict[int, File] = {}
        self.changed: set[tuple[str, int]] = set()
        """Kind and number of everything put since the ledger was made."""
        self.purged: set[int] = set()
        self.folded: dict[int, list[File]] = {}
        """By number, what files were before something in them became part of the baseline."""
        self.settled: set[int] = set()
        """Files in which everything is decided, as far as that was found out."""
        self.made_texts: dict[tuple[str, str], str | None] = {}
        """What files are reviewed by: by blob and medium, None if it cannot be in that one. A few of them."""
        self._paths: dict[str, list[int]] = {}
        """The files that stand, or last stood, at a path, as far as somebody has asked."""
        self._keys: dict[str, int | None] = {}
        self._subagent_keys: dict[str, int] = {}
        self._last_turns: dict[str, int] = {}
        self._last_calls: dict[str, int] = {}
        self._open_calls = {*beginning.open_calls}
        self._running = {*beginning.running_turns}
        self._at_work = {*beginning.subagents_at_work}
        self._unfinished = {*beginning.unfinished}

    def count(self, **last: int) -> None:
        """Set counters; one never goes back, whatever order damaged records come in."""
        for name, value in last.items():
            if value > getattr(self.counters, name):
                setattr(self.counters, name, value)

    def next_order(self) -> int:
        """The place of one more entry."""
        self.counters.entry += 1
        return self.counters.entry

    def turn(self, number: int) -> Turn | None:
        """The turn with this number."""
        return _known(self.turns, self._source.turn, number)

    def subagent(self, number: int) -> Subagent | None:
        """The sub-agent with this number."""
        return _known(self.subagents, self._source.subagent, number)

    def call(self, number: int) -> Call | None:
        """The call with this number."""
        return _known(self.calls, self._source.call, number)

    def decision(self, number: int) -> Decision | None:
        """The decision with this number."""
        return _known(self.decisions, self._source.decision, number)

    def note(self, number: int) -> Note | None:
        """The note with this number."""
        return _known(self.notes, self._source.note, number)

    def file(self, number: int) -> File | None:
        """The file with this number."""
        if number in self.purged:
            return None
        return _known(self.files, self._source.file, number)

    def file_at(self, path: str) -> File | None:
        """The file that stands, or last stood, at this path."""
        numbers = self._at(path)
        return self.file(numbers[0]) if numbers else None

    def _at(self, path: str) -> list[int]:
        """All files at a path, the one that counts first: one may have gone before another came."""
        if path not in self._paths:
            found = [number for number in self._source.files_at(path) if number not in self.purged]
            known = self.files
            self._paths[path] = [one for one in found if one not in known or known[one].live.path == path]
        return self._paths[path]

    def _leave(self, path: str, number: int) -> None:
        self._paths[path] = [one for one in self._at(path) if one != number]

    def call_named(self, key: str) -> Call | None:
        """The latest call that an agent knows by this key."""
        if key not in self._keys:
            self._keys[key] = self._source.call_named(key)
        number = self._keys[key]
        return None if number is None else self.call(number)

    def know_calls(self, named: Mapping[str, int | None]) -> None:
        """The source was asked for many keys at once: nobody has to ask for each of them."""
        for key, number in named.items():
            self._keys.setdefault(key, number)

    def subagent_named(self, key: str) -> Subagent | None:
        """The latest sub-agent that an agent knows by this key."""
        number = self._subagent_keys.get(key) or self._source.subagent_named(key)
        return None if number is None else self.subagent(number)

    def last_turn_of(self, conversation: str) -> Turn | None:
        """The latest turn of a conversation."""
        number = self._last_turns.get(conversation) or self._source.last_turn_of(conversation)
        return None if number is None else self.turn(number)

    def last_call_on(self, path: str) -> Call | None:
        """The latest call that named this path."""
        number = self._last_calls.get(path) or self._source.last_call_on(path)
        return None if number is None else self.call(number)

    def open_calls(self) -> list[Call]:
        """Calls whose end was not seen yet."""
        return [call for number in sorted(self._open_calls) if (call := self.call(number)) is not None]

    def running_turns(self) -> list[Turn]:
        """Turns whose end was not seen yet."""
        return [turn for number in sorted(self._running) if (turn := self.turn(number)) is not None]

    def subagents_at_work(self) -> list[Subagent]:
        """Sub-agents whose end was not seen yet."""
        found = (self.subagent(number) for number in sorted(self._at_work))
        return [subagent for subagent in found if subagent is not None]

    def unfinished(self) -> list[Decision]:
        """Decisions whose writes may not all be on disk."""
        found = (self.decision(number) for number in sorted(self._unfinished))
        return [decision for decision in found if decision is not None]

    def put_turn(self, turn: Turn) -> None:
        self.turns[turn.number] = turn
        self._last_turns[turn.conversation] = max(turn.number, self._last_turns.get(turn.conversation, 0))
        _keep(self._running, turn.number, turn.ended is None)
        self.changed.add(("turn", turn.number))

    def put_subagent(self, subagent: Subagent) -> None:
        self.subagents[subagent.number] = subagent
        self._subagent_keys[subagent.key] = max(subagent.number, self._subagent_keys.get(subagent.key, 0))
        _keep(self._at_work, subagent.number, subagent.ended is None)
        self.changed.add(("subagent", subagent.number))

    def put_call(self, call: Call) -> None:
        known = self.call_named(call.key)
        self.calls[call.number] = call
        self._keys[call.key] = max(call.number, known.number if known is not None else 0)
        _keep(self._open_calls, call.number, call.ended is None)
        if call.path is not None:
            self._last_calls[call.path] = max(call.number, self._last_calls.get(call.path, 0))
        self.changed.add(("call", call.number))

    def put_decision(self, decision: Decision) -> None:
        self.decisions[decision.number] = decision
        _keep(self._unfinished, decision.number, not decision.finished)
        self.changed.add(("decision", decision.number))

    def put_note(self, note: Note) -> None:
        self.notes[note.number] = note
        self.changed.add(("note", note.number))

    def put_file(self, file: File) -> None:
        """Remember a file, at the path where it is now."""
        before = self.files.get(file.number) or self._source.file(file.number)
        self.files[file.number] = file
        self.changed.add(("file", file.number))
        path, is_gone = file.live.path, file.live.node == ABSENT
        was = None if before is None else (before.live.path, before.live.node == ABSENT)
        if was is not None and was[0] != path:
            self._leave(was[0], file.number)
        # Mostly it is where it was, and nobody is asked.
        if was != (path, is_gone) or file.number not in self._paths.get(path, [file.number]):
            others = [one for one in self._at(path) if one != file.number]
            here = [file.number, *others]
            self._paths[path] = sorted(here, key=self._rank) if is_gone else here

    def _rank(self, number: int) -> tuple[bool, int]:
        """Of two files at a path, one that is there counts before one that is gone, then the later."""
        file = self.file(number)
        return file is None or file.live.node == ABSENT, -number

    def fold_file(self, file: File) -> None:
        """Remember what is left of a file, and until that is saved what it was."""
        if (before := self.file(file.number)) is not None:
            self.folded.setdefault(file.number, []).append(before)
        self.purged.discard(file.number)
        self.put_file(file)

    def shed(self, most: int) -> None:
        """Forget what the source knows as well, so that no more than so many of each kind stay in memory:
        decided files first. Nothing may be changed that is not saved."""
        assert not self.changed
        for number in self.settled | {*[*self.files][:-most]}:
            self.files.pop(number, None)
        self.settled.clear()
        kinds: tuple[dict[Any, Any], ...] = (self.turns, self.calls, self.decisions, self.notes)
        for known in (*kinds, self._paths, self._keys, self._last_calls):
            if len(known) > most:
                known.clear()

    def drop_file(self, number: int) -> None:
        """Forget a file for good."""
        file = self.file(number)
        if file is not None:
            self._leave(file.live.path, number)
        self.files.pop(number, None)
        self.purged.add(number)
        self.changed.add(("file", number))


def _known(known: dict[int, Kept], source: Named[Kept], number: int) -> Kept | None:
    if number not in known and (found := source(number)) is not None:
        known[number] = found
    return known.get(number)


def _keep(numbers: set[int], number: int, belongs: bool) -> None:
    (numbers.add if belongs else numbers.discard)(number)
