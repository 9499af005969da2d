"""Reads what the journal says, tells the oracle, and asks it whether what is stored and shown is right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import NamedTuple

from hypothesis import reject

from blueline.model import piece as engine
from blueline.model.fact import DecisionMade, DecisionTurned, Fact, FileChanged, FileFormatted, FileSeen
from blueline.review.deciding.hunks import hunks
from blueline.review.file import File
from tests.support.oracle import TOKEN, UNDECIDED, Answer, Decisions, Group, Oracle, Piece
from tests.walk.chronicle import Character
from tests.walk.project import Project

Key = tuple[str, Piece]
"""A path and a piece."""


class Change(NamedTuple):
    """What somebody did to a file, and has to be recorded."""

    actor: str
    first: Answer
    text: str


class Witness:
    def __init__(self, project: Project) -> None:
        self._project = project
        self._decisions = Decisions()
        self._inserted: dict[tuple[int, int], list[str]] = {}
        """For each file and operation, the texts that its edits inserted."""
        self._paths: dict[int, str] = {}
        self.files: dict[str, Oracle] = {}
        self.calls: dict[int, int | None] = {}
        """For each operation, its call."""
        self._recorded: dict[int, tuple[int, list[Group]]] = {}
        """For each file, its last operation if that is new, and the pieces of each hunk of it."""
        self.replaced: dict[int, set[str]] = {}
        """For each proposal, the words that showed and that it takes away."""
        self.expected: dict[str, list[Change]] = defaultdict(list)
        self._by_hand: set[str] = set()
        """Paths where what a person did was taken for an answer."""
        self._known: dict[str, str | None] = {}
        """What each file held when anybody last looked."""

    # What will be seen

    def expect(self, path: str, change: Change) -> None:
        """Somebody did this; what people do before anybody looks is one step."""
        before = self._before(path, change)
        is_taken_back = change.actor == "external" and not before and change.text == self._known.get(path)
        self.expected[path] = [] if is_taken_back else [*before, change]

    def _before(self, path: str, change: Change) -> list[Change]:
        queue = self.expected[path]
        return queue[:-1] if queue and queue[-1].actor == change.actor == "external" else queue

    def can_follow(self, path: str, change: Change) -> bool:
        """Whether the oracle can, after all that was not taken in yet."""
        oracle = deepcopy(self.files.get(path)) or Oracle(path, Decisions(), self._project.text(path))
        if not oracle.was_made:
            return True
        for number, earlier in enumerate(self._before(path, change) if path in self.files else ()):
            oracle.step(-1 - number, earlier.first, earlier.text)
        return oracle.can_tell(change.text)

    # What was seen

    def take(self, facts: Iterable[Fact]) -> None:
        """Follow these facts."""
        for fact in facts:
            match fact:
                case FileSeen():
                    self._seen(fact)
                case FileChanged():
                    self._changed(fact)
                case FileFormatted():
                    # The oracle knows no tokens: it can tell what becomes of histories without (rule D2).
                    reject()
                case DecisionMade():
                    self._decided(fact)
                case DecisionTurned():
                    self._decisions.turn(fact.of, stands=fact.stands)
                case _:
                    pass

    def _seen(self, fact: FileSeen) -> None:
        text = self._project.stored(fact.state)
        self._paths[fact.file] = fact.path
        self.files[fact.path] = Oracle(fact.path, self._decisions, text)
        self._inserted[fact.file, 0] = [text or ""]
        queue = self.expected[fact.path]
        while queue and queue[0].actor == "external":
            assert queue.pop(0).text == text

    def _changed(self, fact: FileChanged) -> None:
        oracle, text = self.files[fact.path], self._project.stored(fact.after)
        assert text is not None
        queue = self.expected[fact.path]
        if queue[0].actor == "external" and fact.actor.kind != "external":
            skipped = queue.pop(0)
            if fact.path not in self._by_hand:
                # People took back what they had typed before anybody looked.
                oracle.check(skipped.text, live=True)
        assert queue.pop(0) == Change(fact.actor.kind, fact.first, text)
        if not oracle.was_made:
            groups = oracle.create(fact.op, fact.first, text)
            self._inserted[fact.file, fact.op] = [text]
        else:
            assert fact.edits is not None
            assert not fact.fresh, "the text was not woven into what was there"
            if fact.first == "held":
                self.replaced[fact.op] = {w for w in oracle.showing() if w not in TOKEN.findall(text)}
            if fact.path in self._by_hand and not oracle.can_tell(text):
                # What is left of a step once hunks were put back by it may be one that content does not tell.
                reject()
            groups = oracle.step(fact.op, fact.first, text)
            parts = [text[edit.new_start : edit.new_end] for edit in fact.edits]
            assert fact.inserted is None or [*fact.inserted] == parts
            self._inserted[fact.file, fact.op] = parts
        self._recorded.pop(fact.file, None)
        if not oracle.has_empty_lines:
            self._recorded[fact.file] = (fact.op, groups)
        self.calls[fact.op] = fact.call

    def _decided(self, fact: DecisionMade) -> None:
        answers: dict[Key, Answer] = {}
        for file, changes in fact.changes:
            for piece, answer in changes:
                assert answer is not None
                answers |= dict.fromkeys(self._keys(file, piece), answer)
            if fact.verdict == "by-hand":
                self._by_hand.add(self._paths[file])
        self._decisions.answer(fact.decision, answers)

    def _keys(self, file: int, piece: engine.Piece) -> Iterator[Key]:
        """The tokens that a piece of the engine holds."""
        path = self._paths[file]
        match piece.kind:
            case "node":
                yield path, Piece("create", piece.op)
            case "insert" | "delete":
                for word in self._words(self._inserted[file, piece.target], piece.start, piece.end):
                    yield path, Piece(piece.kind, piece.op, word)
            case _:
                pass  # the mode of a file that was created

    def keys_of(self, held: Iterable[Character]) -> set[Key]:
        """The tokens that these characters are."""
        return {
            key
            for file, kind, op, target, place in held
            for key in self._keys(file, engine.Piece(kind, op, target, place, place + 1))
        }

    def _words(self, texts: list[str], start: int, end: int) -> Iterator[str]:
        """The tokens among characters start:end of some texts in a row."""
        at = 0
        for text in texts:
            for match in TOKEN.finditer(text):
                low, high = max(start, at + match.start()), min(end, at + match.end())
                if low < high:
                    yield match[0]
            at += len(text)

    # What should be

    def check(self, file: File) -> None:
        """Whether disk, ledger and oracle agree on everything."""
        path = self._paths[file.number]
        oracle = self.files[path]
        self._check_all_seen(path)
        oracle.check(file.live.text, live=True)
        if not any(file.corrections):  # D1: they are decided with what they correct
            oracle.check(file.baseline.text, live=False)
        oracle.saw(file.live.text)
        self._known[path] = file.live.text
        self._check_pieces(file, oracle)
        self._check_runs(file)
        self._check_hunks(file)

    def _check_all_seen(self, path: str) -> None:
        # All that a person did may have been to put hunks back, which is no operation (rule A10).
        left = self.expected.pop(path, [])
        assert not left or (path in self._by_hand and [change.actor for change in left] == ["external"]), left
        self._by_hand.discard(path)

    def _check_pieces(self, file: File, oracle: Oracle) -> None:
        found: dict[Piece, Answer] = {}
        for piece, mark in file.pieces():
            if mark.op == 0:
                continue
            for _, key in self._keys(file.number, piece):
                assert found.setdefault(key, mark.state) == mark.state, f"{key} is in two states"
        should = {piece: oracle.state(piece) for piece in oracle.pieces()}
        assert found == should, {
            piece: (found.get(piece), should.get(piece))
            for piece in {*found, *should}
            if found.get(piece) != should.get(piece)
        }

    def _check_runs(self, file: File) -> None:
        """R14: a run is what its operation inserted there."""
        for weave in file.weaves:
            for run in weave.runs:
                assert run.text == "".join(self._inserted[file.number, run.insertion.op])[run.start : run.end]

    def _check_hunks(self, file: File) -> None:
        """Rule A7, for what was recorded just now: later nothing regroups it."""
        if file.number not in self._recorded:
            return
        op, groups = self._recorded.pop(file.number)
        found: dict[str, set[Piece]] = defaultdict(set)
        for hunk in hunks(file, 0):
            if hunk.operation.number == op:
                found[hunk.whole] |= {
                    key for piece in hunk.pieces for _, key in self._keys(file.number, piece)
                }
        assert {frozenset(pieces) for pieces in found.values() if pieces} == {*groups}

    def states(self) -> dict[Key, Answer]:
        """All pieces of all files."""
        return {
            (path, piece): oracle.state(piece)
            for path, oracle in self.files.items()
            for piece in oracle.pieces()
        }

    def state(self, key: Key) -> Answer:
        path, piece = key
        return self.files[path].state(piece)

    def is_agents(self, key: Key) -> bool:
        return self.calls[key[1].op] is not None

    def undecided(self, path: str | None = None, calls: set[int] | None = None) -> set[Key]:
        """What is still undecided in a file, or in some calls, or at all."""
        return {
            key
            for key, state in self.states().items()
            if path in (None, key[0]) and state in UNDECIDED
            if calls is None or self.calls[key[1].op] in calls
        }

    def on_lines(self, path: str, first: int, last: int) -> Iterator[Key]:
        """The pending words on some lines of the file as it is, counted from one (rule B5).

        All lines of a created file are the file (rule D8).
        """
        lines = (self._project.text(path) or "").splitlines()
        creator = self.files[path].created_by
        is_new = creator is not None and self.state((path, Piece("create", creator))) == "pending"
        if is_new and first == 1 and 0 < len(lines) <= last:
            yield from self.undecided(path)
            return
        inserted = {piece.word: piece for piece in self.files[path].pieces() if piece.kind == "insert"}
        for word in TOKEN.findall("\n".join(lines[first - 1 : last])):
            if word in inserted and self.state((path, inserted[word])) == "pending":
                yield path, inserted[word]

    def builds_on(self, key: Key) -> set[Key]:
        """What a piece certainly builds on: the text it deletes, and the file it stands in (rule A14).

        What it stands inside is more than content says.
        """
        path, piece = key
        oracle = self.files[path]
        found = {Piece("create", oracle.created_by)} if oracle.created_by is not None else set()
        if piece.kind == "delete":
            found.add(Piece("insert", oracle.inserted_by(piece.word), piece.word))
        return {(path, one) for one in found - {piece} if one.op != piece.op and one.op}

    def has_to_ask(self, chosen: set[Key]) -> bool | None:
        """Whether others build on what would be rejected; None when the oracle cannot tell."""
        others = {
            key
            for key, state in self.states().items()
            if self.is_agents(key) and state != "rejected" and key not in chosen
        }
        if any(self.builds_on(key) & chosen for key in others):
            return True
        return None if {path for path, _ in chosen} & {path for path, _ in others} else False

    def has_to_refuse(self, chosen: set[Key]) -> bool | None:
        """Whether what would be accepted cannot land (rule C3); None when the oracle cannot tell."""
        held = {key for key in chosen if self.state(key) == "held"}
        for path, piece in held:
            oracle = self.files[path]
            replaced = piece.kind == "delete" and piece.word in self.replaced[piece.op]
            if replaced and not oracle.shows(piece.word, live=True):
                return True
            if piece.kind == "create" and oracle.exists(live=True):
                return True
        # It may build on a proposal that cannot.
        return None if any(self.state(key) == "held" for key in self.undecided() - held) else False
