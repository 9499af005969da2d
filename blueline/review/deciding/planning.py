"""What a decision would mean. Nothing happens yet."""

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from blueline.model.actor import FORMATTER
from blueline.model.answer import ACCEPTED, HELD, IN_EFFECT, PENDING, REJECTED, UNDECIDED, Answer
from blueline.model.dependents import Dependents
from blueline.model.ids import hunk_number
from blueline.model.piece import Passed, Piece, PieceAnswer, is_within
from blueline.model.verdict import HunkOutcome, Verdict
from blueline.review.choices import ASK, Choices
from blueline.review.deciding.answered_hunks import know_answered, whole_hunks_of
from blueline.review.deciding.corrected import Corrected, CorrectedLine, corrected
from blueline.review.deciding.hunks import Hunk, hunks, known_hunks, merged, overlap
from blueline.review.deciding.kept_text import Kept, kept, kept_dependents
from blueline.review.deciding.no_invention import is_invented
from blueline.review.deciding.relations import (
    Owners,
    Relations,
    all_relations,
    is_asked_about,
    related,
    relations,
)
from blueline.review.deciding.selected_pieces import are_all_undecided
from blueline.review.file import File
from blueline.review.intake.coming_back import states_after
from blueline.review.ledger import Ledger
from blueline.review.setting import ABSENT, UNKNOWN
from blueline.review.weave.mark import Mark
from blueline.review.weave.weave import IMAGINED, Run

AWAY = "it is not there any more, and stays away"


class Result(NamedTuple):
    """What becomes of one hunk."""

    hunk: Hunk
    outcome: HunkOutcome
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Something that has to be chosen before anything is done."""

    hunk: str = ""
    built_on_by: tuple[str, ...] = ()
    path: str = ""
    why: str = ""
    now: tuple[str, ...] = ()
    shared_with: tuple[int, ...] = ()
    """Calls that may have made it, and are not among those that were named."""
    lines: tuple[CorrectedLine, ...] = ()
    """The lines of it that a person has corrected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePlan:
    """One file before and after, and the changes that lead there."""

    before: File
    after: File
    changes: tuple[PieceAnswer, ...]
    passes: tuple[Passed, ...] = ()
    """Which of the pieces become another hunk's."""


@dataclass(slots=True, kw_only=True)
class Plan:
    """All that a decision would cause; with `needs`, nothing."""

    verdict: str
    files: list[FilePlan] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    needs: list[Need] = field(default_factory=list)


def next_plan(
    ledger: Ledger,
    chosen: Mapping[int, tuple[File, Iterable[Piece]]],
    verdict: Verdict,
    choices: Choices = ASK,
) -> Plan:
    """What the next decision would do."""
    counters = ledger.counters
    return plan(chosen, verdict, decision=counters.decision + 1, salt=counters.salt, choices=choices)


def plan(
    chosen: Mapping[int, tuple[File, Iterable[Piece]]],
    verdict: Verdict,
    *,
    decision: int,
    salt: int,
    choices: Choices = ASK,
) -> Plan:
    """Work out what an answer about these pieces of these files means."""
    whole = Plan(verdict=verdict)
    for file, pieces in chosen.values():
        if not choices.leaves(file.live.path):
            dependents = choices.of(file.live.path)
            _plan_file(whole, file, list(pieces), verdict, decision, salt, dependents)
    return whole


def _plan_file(
    whole: Plan,
    file: File,
    pieces: list[Piece],
    verdict: Verdict,
    decision: int,
    salt: int,
    dependents: Dependents,
) -> None:
    pieces = _with_idle(file, pieces)
    # A selection of all that is undecided, or of whole hunks, cuts nothing: the file tells its hunks.
    is_all = are_all_undecided(file, pieces)
    whole_ones = None if is_all else whole_hunks_of(file, salt, pieces)
    imagined = file
    if not is_all and whole_ones is None:
        imagined = file.answered([PieceAnswer(piece, None) for piece in pieces], IMAGINED)
    # Of a file that is decided as a whole, all are asked for once more when that is done.
    ops = (
        None if is_all else related(imagined, {piece.op for piece in pieces}, foundations=verdict == "accept")
    )
    all_hunks = {hunk.id: hunk for hunk in hunks(imagined, salt, ops)}
    if whole_ones is not None:
        chosen = [hunk for hunk in all_hunks.values() if hunk.id in whole_ones]
    else:
        chosen = [
            hunk
            for hunk in all_hunks.values()
            if (hunk.state in UNDECIDED if is_all else IMAGINED in hunk.signature)
        ]
    known = known_hunks(imagined, salt) or []
    find = all_relations if len(known) == len(all_hunks) else relations
    builds_on = find(imagined, list(all_hunks.values()))
    named = {hunk.id for hunk in chosen}
    if verdict == "accept":
        taken = _with_foundations(chosen, all_hunks, builds_on)
        whole.needs += _moved_on(imagined, taken)
    else:
        taken = _with_dependents(whole, chosen, all_hunks, builds_on, dependents)
        whole.needs += [
            Need(hunk=hunk.id, path=hunk.path, why="before-unknown")
            for hunk in taken
            if not hunk.operation.complete and hunk.state != REJECTED
        ]
    answer: Answer = ACCEPTED if verdict == "accept" else REJECTED
    answered = [hunk for hunk in taken if hunk.state != answer]
    whole_hunks = changes = [PieceAnswer(piece, answer) for hunk in answered for piece in hunk.pieces]
    passes: tuple[Passed, ...] = ()
    depending: dict[str, Hunk] = {}
    if verdict == "reject":
        changes = _as_corrected(whole, file, changes, taken, all_hunks, builds_on, dependents, salt)
        if dependents == "keep":
            depending = {
                one: all_hunks[one] for one in _building_on({hunk.id for hunk in taken}, all_hunks, builds_on)
            }
            changes, passes = _as_kept(file, changes, taken, depending, salt)
    made = tuple(changes)
    if verdict == "reject":
        made = _without_emptied(file, made, decision)
    after = file.answered(made, decision, passes)
    if changes is whole_hunks and len(made) == len(changes):
        know_answered(file, after, salt, {hunk.id: answer for hunk in answered}, decision)
    if not whole.needs and is_invented(_cut_as(after, file, made), after):
        whole.needs.append(Need(path=file.live.path, why="moved-on"))
    if not whole.needs and after.live.node == UNKNOWN != file.live.node:
        whole.needs.append(Need(path=file.live.path, why="before-unknown"))
    for hunk in taken:
        if hunk.state != answer and _is_away(file):
            whole.results.append(Result(hunk=hunk, outcome="skipped", reason=AWAY))
        elif hunk.state != answer:
            why = "" if hunk.id in named else ("it is built on" if verdict == "accept" else "it builds on it")
            whole.results.append(Result(hunk=hunk, outcome="applied", reason=why))
        elif hunk.id in named:
            whole.results.append(Result(hunk=hunk, outcome="already"))
    if made:
        whole.files.append(FilePlan(before=file, after=after, changes=made, passes=passes))
    if verdict == "reject":
        whole.kept += kept(after, {hunk.operation.number for hunk in taken})
        whole.kept += kept_dependents(after, depending, salt)


def _is_away(file: File) -> bool:
    """Whether somebody has deleted the file: then no decision about it touches the disk (rule A13)."""
    last = file.nodes[-1]
    return file.live.node == last.value == ABSENT and file.operations[last.mark.op].actor.kind != "agent"


def _with_idle(file: File, pieces: list[Piece]) -> list[Piece]:
    """The same pieces; with what else was done to places which by now hold what they held before (D4)."""

    def undecided(run: Run) -> list[Piece]:
        by_agents = ((piece, mark) for piece, mark in run.marks() if mark.state == PENDING)
        return [piece for piece, mark in by_agents if file.operations[mark.op].first == PENDING]

    for weave in file.reviewed:
        places = [
            [p for run in weave.runs[r.start : r.stop] for p in undecided(run)] for r in weave.idle_places
        ]
        along = [one for here in places if any(overlap(a, b) for a in here for b in pieces) for one in here]
        # Only a selection that is about nothing else: of others, each part is what it is.
        places_whole = list(merged(along))
        if along and all(
            any(is_within(piece, place) for place in places_whole)
            for piece in pieces
            if piece.kind in ("insert", "delete")
        ):
            return [*dict.fromkeys([*pieces, *along])]
    return pieces


def _unanswered(changes: Iterable[PieceAnswer]) -> list[PieceAnswer]:
    return [change._replace(answer=None) for change in changes]


def _as_corrected(
    whole: Plan,
    file: File,
    changes: list[PieceAnswer],
    taken: list[Hunk],
    known: dict[str, Hunk],
    builds_on: Relations,
    dependents: Dependents,
    salt: int,
) -> list[PieceAnswer]:
    """The answers, and those to what people put in the place of what goes; or the question about it (D1)."""
    found = corrected(file, taken)
    if found is None:
        return changes
    if dependents == "with":
        return [*changes, *(PieceAnswer(piece, REJECTED) for piece in found.pieces)]
    if dependents == "ask":
        whole.needs += _corrected_needs(file, found, taken, known, builds_on, salt)
        return changes
    stay = {*found.kept()}
    return [*_without(changes, stay), *(PieceAnswer(piece, ACCEPTED) for piece in sorted(stay))]


def _as_kept(
    file: File, changes: list[PieceAnswer], taken: list[Hunk], depending: dict[str, Hunk], salt: int
) -> tuple[list[PieceAnswer], tuple[Passed, ...]]:
    """The answers, and what passes to the hunks which build on what goes: all that is in their lines (B2)."""
    found = corrected(file, taken, {hunk.operation.number for hunk in depending.values()})
    if found is None:
        return changes, ()
    owners = Owners([hunk for hunk in depending.values() if is_asked_about(hunk)])
    decided = [change.piece for change in changes if change.answer != REJECTED]
    passing: dict[str, list[Piece]] = {}
    for piece, edits in found.kept().items():
        if not any(overlap(piece, other) for other in decided):
            theirs = (own for edit in edits for own in edit.pieces)
            to = next((owner for own in theirs if (owner := owners.of(own)) is not None), None)
            passing.setdefault(to or "", []).append(piece)
    answers, passes = [], []
    for to, pieces in passing.items():
        hunk = depending.get(to)
        answers += [PieceAnswer(piece, PENDING if hunk is None else hunk.state) for piece in sorted(pieces)]
        if hunk is not None:
            number = (hunk_number(salt, hunk.whole) or 0) - hunk.operation.hunk
            passes.append(Passed(hunk.operation.number, number, hunk.signature, tuple(sorted(pieces))))
    kept_pieces = {answer.piece for answer in answers}
    return [*_without(changes, kept_pieces), *answers], tuple(passes)


def _without(changes: list[PieceAnswer], pieces: set[Piece]) -> list[PieceAnswer]:
    """The answers but for those about some pieces."""
    found = []
    for piece, answer in changes:
        edges = sorted(
            {
                piece.start,
                piece.end,
                *(e for one in pieces if overlap(one, piece) for e in one[3:] if piece.start < e < piece.end),
            }
        )
        parts = [piece._replace(start=a, end=b) for a, b in pairwise(edges)] if len(edges) > 1 else [piece]
        found += [
            PieceAnswer(part, answer) for part in parts if not any(overlap(one, part) for one in pieces)
        ]
    return found


def _corrected_needs(
    file: File, found: Corrected, taken: list[Hunk], known: dict[str, Hunk], builds_on: Relations, salt: int
) -> list[Need]:
    """What has to be asked, by the ids that the hunks have now."""
    owners = Owners(hunks(file, salt, {hunk.operation.number for hunk in taken}))
    lines: dict[str, list[CorrectedLine]] = {}
    for hunk in taken:
        dependents = [known[identifier] for identifier in _building_on({hunk.id}, known, builds_on)]
        for one in found.lines_of(hunk, dependents):
            now = next((own for piece in hunk.pieces if (own := owners.of(piece)) is not None), hunk.id)
            lines.setdefault(now, []).append(one)
    return [
        Need(hunk=identifier, path=file.live.path, why="corrected", lines=tuple(dict.fromkeys(these)))
        for identifier, these in lines.items()
    ]


def _cut_as(after: File, file: File, changes: Iterable[PieceAnswer]) -> File:
    """A file, cut into the same runs as what a decision makes of it."""
    is_same = all(
        len(one.runs) == len(other.runs) for one, other in zip(file.weaves, after.weaves, strict=True)
    )
    return file if is_same else file.answered(_unanswered(changes), IMAGINED)


def _without_emptied(file: File, changes: tuple[PieceAnswer, ...], decision: int) -> tuple[PieceAnswer, ...]:
    """The answers; and if nothing is left of a file that an undecided operation created, it goes too."""
    node = file.live.node
    after = file.answered(changes, decision).live
    if not node.is_woven or not file.live.text or after.text != "" or after.node != node:
        return changes
    creation = file.creation(int(node.value)).mark
    if creation.state != PENDING:
        return changes
    settings = [
        Piece(kind, creation.op)
        for kind, setting in file.settings()
        if setting.mark.op == creation.op and setting.mark.state == PENDING and kind != "path"
    ]
    return (*changes, *(PieceAnswer(piece, REJECTED) for piece in settings))


def _with_foundations(chosen: list[Hunk], known: dict[str, Hunk], builds_on: Relations) -> list[Hunk]:
    """The chosen hunks and, transitively, the undecided ones they build on."""
    taken = {hunk.id: hunk for hunk in chosen}
    open_ends = list(taken)
    while open_ends:
        for identifier in sorted(builds_on[open_ends.pop()]):
            hunk = known[identifier]
            if identifier not in taken and hunk.state in UNDECIDED and is_asked_about(hunk):
                taken[identifier] = hunk
                open_ends.append(identifier)
    return list(taken.values())


def _with_dependents(
    whole: Plan, chosen: list[Hunk], known: dict[str, Hunk], builds_on: Relations, dependents: Dependents
) -> list[Hunk]:
    taken = {hunk.id: hunk for hunk in chosen if hunk.state != REJECTED}
    # Recorded before formatting joined the text itself (D2): it goes with it, unasked.
    for identifier, hunk in known.items():
        if hunk.actor == FORMATTER and hunk.state != REJECTED and builds_on[identifier] & taken.keys():
            taken.setdefault(identifier, hunk)
    named = {hunk.id for hunk in chosen}
    chosen = [*chosen, *(hunk for hunk in taken.values() if hunk.id not in named)]
    others = {
        identifier: hunk
        for identifier, hunk in known.items()
        if is_asked_about(hunk) and hunk.state != REJECTED and identifier not in taken
    }
    built_on_by = {
        identifier: sorted(other for other in others if identifier in builds_on[other])
        for identifier in taken
    }
    if not any(built_on_by.values()) or dependents == "keep":
        return chosen
    if dependents == "ask":
        whole.needs += [
            Need(hunk=hunk, built_on_by=tuple(ids), path=known[hunk].path)
            for hunk, ids in built_on_by.items()
            if ids
        ]
        return chosen
    open_ends = list(taken)
    while open_ends:
        foundation = open_ends.pop()
        for identifier, hunk in others.items():
            if identifier not in taken and foundation in builds_on[identifier]:
                taken[identifier] = hunk
                open_ends.append(identifier)
    named = {hunk.id for hunk in chosen}
    return [*chosen, *(hunk for identifier, hunk in taken.items() if identifier not in named)]


def _moved_on(file: File, taken: list[Hunk]) -> list[Need]:
    """Held hunks that cannot land: what they replace showed when they were made, and is gone.

    Or goes with an earlier one that is accepted at the same time.
    """
    needs = []
    held = [hunk for hunk in taken if hunk.state == HELD]
    for hunk in held:
        earlier = {one.operation.number for one in held if one.operation.number < hunk.operation.number}
        made = next(
            n for n, s in enumerate(file.steps) if (s.kind, s.number) == ("op", hunk.operation.number)
        )
        then = states_after(file.steps[:made])
        gone = any(
            (not run.live and _showed(run, then)) or any(mark.op in earlier for mark in run.deletions)
            for weave in file.weaves
            for run in weave.runs
            if any(mark.op == hunk.operation.number for mark in run.deletions)
        )
        new = any(piece.kind == "node" for piece in hunk.pieces) and hunk.kind != "modify"
        if gone or (new and file.live.node != ABSENT):
            needs.append(Need(hunk=hunk.id, path=hunk.path, why="moved-on"))
    return needs


def _showed(run: Run, then: Callable[[Mark], Answer]) -> bool:
    return then(run.insertion) in IN_EFFECT and not any(then(mark) in IN_EFFECT for mark in run.deletions)


def _building_on(gone: Set[str], known: dict[str, Hunk], builds_on: Relations) -> set[str]:
    """The hunks in effect that build on some others, directly or not."""
    found = set(gone)
    while more := {
        identifier
        for identifier, hunk in known.items()
        if identifier not in found and hunk.state != REJECTED and builds_on[identifier] & found
    }:
        found |= more
    return found - gone


def hunks_changed(plans: Iterable[FilePlan], known: Iterable[Hunk]) -> set[str]:
    """Which of these hunks a decision that falls or stands again really changes."""
    known = list(known)
    found: set[str] = set()
    for one in plans:
        # What has passed to a dependent went with the decision, too.
        owners = Owners(
            [h._replace(pieces=h.pieces + h.passed) for h in known if h.file == one.before.number]
        )
        for (piece, before), (_, after) in zip(one.before.pieces(), one.after.pieces(), strict=True):
            passes = one.before.pass_of(piece, before) != one.after.pass_of(piece, after)
            if (before.state != after.state or passes) and (owner := owners.of(piece)) is not None:
                found.add(owner)
    return found
