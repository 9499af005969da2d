"""One file under review: its texts, and its settings (what it is, its mode, its path)."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

from blueline.model.actor import Actor
from blueline.model.answer import ACCEPTED, IN_EFFECT, PENDING, UNDECIDED, Answer
from blueline.model.edit import Edit
from blueline.model.medium_names import MediumName, WholeFile
from blueline.model.piece import Kind, Passed, Piece, PieceAnswer, is_within
from blueline.review.operation import BASE, Committed, FileStep, HunkPlace, Joins, Operation
from blueline.review.setting import NO_MODE, NOWHERE, Content, Node, Setting, last_that_counts
from blueline.review.weave.corrections import Correction, Counts, corrections
from blueline.review.weave.growth import grown
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.stroke import Seat, Stroke, woven
from blueline.review.weave.weave import IMAGINED, Weave


class Tried(NamedTuple):
    """A decision that was tried on a file, and what came of it: who plans one mostly makes it."""

    changes: tuple[PieceAnswer, ...]
    decision: int
    passes: tuple[Passed, ...]
    after: "File"


_TRIED = "_tried"
"""Where the last of these is kept with its file. Not as what is worked out of it: it has the steps, too."""


@dataclass(frozen=True, kw_only=True)
class File:
    """Everything known of one file. Immutable; each step gives a new one."""

    number: int
    weaves: tuple[Weave, ...] = ()
    nodes: tuple[Setting, ...]
    modes: tuple[Setting, ...]
    paths: tuple[Setting, ...]
    operations: dict[int, Operation] = field(default_factory=dict)
    steps: tuple[FileStep, ...] = ()
    fallen: frozenset[int] = frozenset()
    wholes: tuple[WholeFile, ...] = ()
    """Where the text is not all that stands in the file: the whole files that were seen, newest last."""
    commits: tuple[Committed, ...] = ()
    """What was committed while it was undecided, oldest first."""
    passed: tuple[tuple[int, Passed], ...] = ()
    """By which decisions pieces have become another hunk's, oldest first."""
    folded: int = 0
    """The last operation that is part of the baseline for good, with all before it."""
    settled: int = 0
    """The last decision about these: none up to it can be taken back."""

    @cached_property
    def live(self) -> Content:
        """The file as it is."""
        return self._content(live=True)

    @cached_property
    def baseline(self) -> Content:
        """The file as agreed."""
        return self._content(live=False)

    def _content(self, *, live: bool) -> Content:
        node = self.node if live else self.agreed_node
        text = None
        if node.is_woven:
            number = int(node.value)
            text = (self.weaves[number].live if live else self.reviewed[number].baseline).text
        counts = IN_EFFECT if live else (ACCEPTED,)
        modes = [setting for setting in self.modes if setting.value != NO_MODE] or self.modes
        mode, path = last_that_counts(modes, counts), last_that_counts(self.paths, counts)
        assert isinstance(mode, int)
        return Content(node=node, text=text, mode=mode, path=str(path), wholes=self.wholes)

    @cached_property
    def node(self) -> Node:
        """What stands at its path, for whom its text does not matter."""
        return self._node(live=True)

    @cached_property
    def agreed_node(self) -> Node:
        """The same as agreed."""
        return self._node(live=False)

    def _node(self, *, live: bool) -> Node:
        node = self._node_setting(live=live).value
        assert isinstance(node, Node)
        return node

    def _node_setting(self, *, live: bool) -> Setting:
        """What says which node it is: the last that counts, or whose text is there all the same."""
        counts = IN_EFFECT if live else (ACCEPTED,)
        for setting in reversed(self.nodes):
            node = setting.value
            assert isinstance(node, Node)
            # A creation that does not count, but somebody else's text stands in the file: it stays.
            if setting.mark.state in counts or (node.is_woven and self._shows(int(node.value), live=live)):
                return setting
        return NOWHERE

    def is_emptied_by(self, stroke: Stroke) -> bool:
        """Whether edits, once they land, take away the text for whose sake alone the file is there."""
        setting = self._node_setting(live=True)
        if setting.mark.state in IN_EFFECT:
            return False
        return self.edited(stroke._replace(first=PENDING)).node != setting.value

    def _shows(self, weave: int, *, live: bool) -> bool:
        reading = self.weaves[weave].live if live else self.reviewed[weave].baseline
        return len(reading) > 0

    @cached_property
    def corrections(self) -> tuple[list[Correction], ...]:
        """For each text, what people did to it that is undecided with what it corrects (rule D1)."""
        by_people = self.by_people
        return self.corrections_by(by_people, lambda mark: mark.state == PENDING and mark.op not in by_people)

    @cached_property
    def undecided(self) -> tuple[tuple[Piece, Mark], ...]:
        """Everything undecided in it, in the order of `pieces`: also what does not show."""
        return tuple(self.each_undecided())

    def each_undecided(self) -> Iterator[tuple[Piece, Mark]]:
        """The same, for whom the first ones may be enough."""
        known: tuple[tuple[Piece, Mark], ...] | None = vars(self).get("undecided")
        if known is not None:
            yield from known
            return
        for kind, setting in self.settings():
            if setting.mark.state in UNDECIDED:
                yield Piece(kind, setting.mark.op), setting.mark
        for weave in self.weaves:
            for run in weave.runs:
                if run.is_open:
                    yield from [one for one in run.marks() if one[1].state in UNDECIDED]

    @property
    def is_open(self) -> bool:
        """Whether anything in it is undecided."""
        return any(setting.mark.state in UNDECIDED for _, setting in self.settings()) or any(
            run.is_open for weave in self.weaves for run in weave.runs
        )

    @cached_property
    def by_people(self) -> frozenset[int]:
        """The operations of people and their programs."""
        return frozenset(op for op, one in self.operations.items() if op != BASE and one.first == ACCEPTED)

    def corrections_by(self, by: Set[int], counts: Counts) -> tuple[list[Correction], ...]:
        """For each text, the edits of some operations that correct what counts."""
        stretch_of = lambda segment: self.operations[segment.op].edits[segment.edit]  # noqa: E731
        return tuple(corrections(weave, by, counts, stretch_of) for weave in self.weaves)

    @cached_property
    def reviewed(self) -> tuple[Weave, ...]:
        """The texts as they are reviewed: with what corrects undecided text undecided too, run by run."""
        return tuple(
            weave.answer([PieceAnswer(piece, PENDING) for one in found for piece in one.pieces], IMAGINED)
            for weave, found in zip(self.weaves, self.corrections, strict=True)
        )

    @property
    def weave(self) -> Weave | None:
        """The weave of the text that shows now, or else in the baseline, or else of the last text."""
        for node in (self.node, self.agreed_node):
            if node.is_woven:
                return self.weaves[int(node.value)]
        return self.weaves[-1] if self.weaves else None

    def settings(self) -> Iterator[tuple[Kind, Setting]]:
        """All settings with the aspect they belong to."""
        for setting in self.nodes:
            yield "node", setting
        for setting in self.modes:
            yield "mode", setting
        for setting in self.paths:
            yield "path", setting

    def pieces(self) -> Iterator[tuple[Piece, Mark]]:
        """Every piece of this file: settings first, then text in order."""
        for kind, setting in self.settings():
            yield Piece(kind, setting.mark.op), setting.mark
        for weave in self.weaves:
            yield from weave.pieces()

    def hunk_of(self, piece: Piece, mark: Mark) -> int:
        """The number, within its operation, of the hunk that a piece was recorded in."""
        operation = self.operations[mark.op]
        if piece.kind in ("insert", "delete"):
            return operation.edits[mark.edit]
        return dict(operation.settings)[piece.kind]

    def place_of(self, piece: Piece, mark: Mark) -> HunkPlace:
        """The hunk that a piece is in now: where it was recorded, or the last that it passed to (rule B2)."""
        passed = self.pass_of(piece, mark)
        if passed is None:
            return HunkPlace(mark.op, self.hunk_of(piece, mark), mark.log)
        decision, to = passed
        at = max(at for at, (number, _) in enumerate(mark.log) if number == decision)
        before = [(number, mark.log[at][1]) for number in to.answered]
        return HunkPlace(to.op, to.hunk, (*before, *mark.log[at + 1 :]))

    def pass_of(self, piece: Piece, mark: Mark) -> tuple[int, Passed] | None:
        """The last decision that stands by which a piece has passed to another hunk, and to which."""
        for decision, one in reversed(self.passed) if mark.log else ():
            if decision not in self.fallen and any(is_within(piece, other) for other in one.pieces):
                return decision, one
        return None

    def holding(self, ops: set[int]) -> set[int]:
        """The operations that the pieces in the hunks of some operations came with."""
        more = {piece.op for _, one in self.passed if one.op in ops for piece in one.pieces}
        return ops | more if more else ops

    def edited(self, stroke: Stroke) -> "File":
        """The file after edits of the text that shows."""
        node = self.node
        assert node.is_woven
        weaves = list(self.weaves)
        weaves[int(node.value)] = woven(weaves[int(node.value)], stroke)
        return self._after(weaves=tuple(weaves))

    def joined(self, number: int, edits: tuple[Edit, ...], inserted: tuple[str, ...], joins: Joins) -> "File":
        """The file after edits of the text that shows which belong to earlier operations (rule D2)."""
        node = self.node
        assert node.is_woven
        weave = self.weaves[int(node.value)]
        places = {op: 0 for op, _ in joins}
        for block in weave.blocks:
            for op in places.keys() & block.reach.keys():
                places[op] = max(places[op], block.reach[op][1])
        hunks = {op: [*self.operations[op].edits] for op in places}
        seats = []
        for edit, text, (op, log) in zip(edits, inserted, joins, strict=True):
            seats.append(Seat(op, len(hunks[op]), places[op], log))
            places[op] += len(text)
            hunks[op].append(edit.hunk)
        joined = {op: self.operations[op]._replace(edits=tuple(own)) for op, own in hunks.items()}
        file = self.edited(Stroke(number, PENDING, edits, inserted, tuple(seats)))
        return file._after(operations={**self.operations, **joined})

    def grown(self, op: int, at: int, more: str, content: str) -> "File | None":
        """The file after what its last operation inserted has grown; None if it cannot grow there."""
        node = self.node
        last = self.steps[-1] if self.steps else None
        if node.kind != "text" or last is None or (last.kind, last.number) != ("op", op):
            return None
        weaves = list(self.weaves)
        edit = len(self.operations[op].edits) - 1
        weave = grown(weaves[int(node.value)], Segment(op, edit), at, more)
        if weave is None:
            return None
        weaves[int(node.value)] = weave
        steps = (*self.steps[:-1], last._replace(content=content))
        return self._after(weaves=tuple(weaves), steps=steps)

    def creation(self, weave: int) -> Setting:
        """The setting that a weave came with."""
        return next(s for s in self.nodes if isinstance(s.value, Node) and s.value.is_weave(weave))

    def is_known(self, setting: Setting) -> bool:
        """Whether a setting says of a text that was there before that it is what stands here."""
        node = setting.value
        return isinstance(node, Node) and node.is_woven and self.creation(int(node.value)) != setting

    def last_in(self, medium: MediumName) -> Node | None:
        """The last of a medium that stood here."""
        nodes = [setting.value for setting in reversed(self.nodes) if isinstance(setting.value, Node)]
        return next((node for node in nodes if node.kind == medium), None)

    def seen_whole(self, whole: WholeFile) -> "File":
        """The file with one more of the whole files that were seen."""
        return self if self.wholes[-1:] == (whole,) else self._after(wholes=(*self.wholes, whole))

    def rewritten(
        self, op: int, first: Answer, text: str, *, missing: str = "", medium: MediumName = "text"
    ) -> "File":
        """The file after it became a text that has nothing to do with what was there before."""
        insertion = Edit(old_start=0, old_end=0, new_start=0, new_end=len(text))
        edits = (insertion,) if text else ()
        weave = woven(Weave((), {}), Stroke(op, first, edits, (text,) if text else ()))
        node = Node(medium, len(self.weaves))
        setting = Setting(Mark(op, 0, first), node, missing)
        return self._after(weaves=(*self.weaves, weave), nodes=(*self.nodes, setting))

    def became(self, op: int, first: Answer, node: Node, *, missing: str = "") -> "File":
        """The file after it became something that is not text, or is again what it was."""
        return self._after(nodes=(*self.nodes, Setting(Mark(op, 0, first), node, missing)))

    def given_mode(self, op: int, first: Answer, mode: int) -> "File":
        """The file after its mode was set."""
        return self._after(modes=(*self.modes, Setting(Mark(op, 0, first), mode)))

    def given_path(self, op: int, first: Answer, path: str, missing: str, gone: str) -> "File":
        """The file after it was renamed."""
        return self._after(paths=(*self.paths, Setting(Mark(op, 0, first), path, missing, gone)))

    def answered(
        self, changes: Iterable[PieceAnswer], decision: int, passes: tuple[Passed, ...] = ()
    ) -> "File":
        """The file after a decision about some of its pieces, by which some pass to other hunks."""
        changes = tuple(changes)
        tried: Tried | None = vars(self).get(_TRIED)
        if tried is not None and tried.changes is changes and tried[1:3] == (decision, passes):
            return tried.after
        after = self._answered(changes, decision, passes)
        if decision != IMAGINED:  # what was only looked at would stay in memory
            vars(self)[_TRIED] = Tried(changes, decision, passes, after)
        return after

    def _answered(
        self, changes: tuple[PieceAnswer, ...], decision: int, passes: tuple[Passed, ...]
    ) -> "File":
        text = [change for change in changes if change.piece.kind in ("insert", "delete")]
        others = changes if len(text) < len(changes) else ()
        settings = {(piece.kind, piece.op): answer for piece, answer in others}

        def answer(kind: Kind, list_: tuple[Setting, ...]) -> tuple[Setting, ...]:
            if not settings:
                return list_
            return tuple(
                s._replace(mark=s.mark.answered(decision, settings[kind, s.mark.op]))
                if (kind, s.mark.op) in settings
                else s
                for s in list_
            )

        return self._after(
            weaves=tuple(weave.answer(text, decision) for weave in self.weaves),
            nodes=answer("node", self.nodes),
            modes=answer("mode", self.modes),
            paths=answer("path", self.paths),
            passed=(*self.passed, *((decision, one) for one in passes)),
        )

    def with_decision(self, decision: int, *, stands: bool) -> "File":
        """The file after a decision was taken back, or made to stand again."""
        fallen = self.fallen - {decision} if stands else self.fallen | {decision}

        def settle(list_: tuple[Setting, ...]) -> tuple[Setting, ...]:
            return tuple(s._replace(mark=s.mark.without(fallen)) for s in list_)

        return self._after(
            weaves=tuple(weave.with_decision(decision, fallen) for weave in self.weaves),
            nodes=settle(self.nodes),
            modes=settle(self.modes),
            paths=settle(self.paths),
            fallen=fallen,
        )

    def stepped(self, step: FileStep, operation: Operation | None = None) -> "File":
        """The file with one more step in its history, and the operation that it was."""
        steps = (*self.steps, step)
        if operation is None:
            made = self._after(steps=steps)
            # Nothing that was worked out of the texts and settings is about the steps.
            vars(made).update({name: known for name, known in vars(self).items() if name not in _STEPPED})
            return made
        return self._after(steps=steps, operations={**self.operations, operation.number: operation})

    def _after(self, **changes: Any) -> "File":
        """The same with other values: as `dataclasses.replace`, but there is a new file at every step."""
        made, known = object.__new__(File), self.__dict__
        made.__dict__.update({name: known[name] for name in _FIELDS})
        if "by_people" in known and "operations" not in changes:
            made.__dict__["by_people"] = known["by_people"]  # it is about these alone
        made.__dict__.update(changes)
        return made


_FIELDS = tuple(one.name for one in fields(File))
_STEPPED = {*_FIELDS, _TRIED}


def new_file(
    number: int, path: str, node: Node, text: str | None, mode: int, at: str, *, medium: MediumName = "text"
) -> File:
    """A file as it was when we first looked: agreed, by nobody in particular."""
    mark = Mark(BASE, 0, ACCEPTED)
    operation = Operation(BASE, Actor("external"), None, at, 0, 0, (0,), ())
    file = File(
        number=number,
        nodes=() if text is not None else (Setting(mark, node),),
        modes=(Setting(mark, mode),),
        paths=(Setting(mark, path),),
        operations={BASE: operation},
    )
    return file.rewritten(BASE, ACCEPTED, text, medium=medium) if text is not None else file
