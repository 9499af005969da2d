"""The hunks of a file with all that is shown of them: lines, section, call, and neighbours."""

from collections.abc import Container, Mapping
from typing import NamedTuple

from blueline.model.answer import REJECTED, UNDECIDED, Answer
from blueline.model.verdict import BY_GIT
from blueline.review.deciding.hunks import Hunk, commit_of, hunks
from blueline.review.deciding.relations import Relations, all_relations, is_asked_about
from blueline.review.deciding.repeats import repeated
from blueline.review.deciding.sides import NOT_TEXT, Side, sides_of
from blueline.review.file import File
from blueline.review.ledger import Call, Decision, Ledger
from blueline.review.medium.file_views import has_sections, views_of, why_whole
from blueline.review.medium.section import SectionName
from blueline.review.operation import Operation


class ShownHunk(NamedTuple):
    """One hunk, and what others than itself know of it."""

    hunk: Hunk
    old: Side
    new: Side
    """As in its section, if it is in one."""
    in_file: Side
    """The new side as it stands in the file's own lines."""
    section: SectionName | None
    call: Call | None
    makers: frozenset[str]
    """The conversations that may have made it."""
    builds_on: list[str]
    """Undecided ones only."""
    built_on_by: list[str]
    again: str | None
    """The rejected hunk that it repeats."""
    commit: str | None
    """The commit that has it as it stands in the file."""
    is_away: bool
    """Git took it out of the file, and may bring it back. Nobody rejected it."""


class ShownFile(NamedTuple):
    """The hunks of a file, and what the file is shown as."""

    hunks: list[ShownHunk]
    has_sections: bool
    why_whole: str | None
    """Why it is shown without, although its name says otherwise."""
    old_path: str


def shown_file(ledger: Ledger, file: File, with_text: tuple[Answer, ...]) -> ShownFile:
    """All hunks of a file, decided ones too; those in other states than `with_text` without their lines."""
    found = hunks(file, ledger.counters.salt)
    known = {hunk.id: hunk for hunk in found}
    builds_on = _relations(file, found)
    built_on_by: dict[str, list[str]] = {}
    for identifier, others in builds_on.items():
        for other in others:
            if known[identifier].state != REJECTED and is_asked_about(known[identifier]):
                built_on_by.setdefault(other, []).append(identifier)
    sides, views, again = sides_of(file), views_of(file), repeated(file, found)
    shown = []
    operations = {hunk.operation.number: hunk.operation for hunk in found}
    made = {number: _calls(ledger, one) for number, one in operations.items()}
    makers = {number: _makers(ledger, calls) for number, calls in made.items()}
    away = _away(ledger, found)
    for hunk in found:
        old, new = sides.of(hunk) if hunk.state in with_text else (NOT_TEXT, NOT_TEXT)
        view = views.of(hunk, old, new)
        calls = made[hunk.operation.number]
        shown.append(
            ShownHunk(
                hunk=hunk,
                old=view.old,
                new=view.new,
                in_file=new,
                section=view.section,
                call=calls[0] if calls and hunk.operation.call == calls[0].number else None,
                makers=makers[hunk.operation.number],
                builds_on=sorted(one for one in builds_on.get(hunk.id, ()) if known[one].state in UNDECIDED),
                built_on_by=sorted(built_on_by.get(hunk.id, ())),
                again=again.get(hunk.id),
                commit=commit_of(file, hunk),
                is_away=hunk.id in away,
            )
        )
    return ShownFile(shown, has_sections(file), why_whole(file), file.baseline.path)


def _relations(file: File, hunks: list[Hunk]) -> Relations:
    """Who builds on whom of all hunks of a file."""
    # On what is decided nobody is shown to build, nor what is rejected to build on anything.
    return {} if all(hunk.state == REJECTED for hunk in hunks) else all_relations(file, hunks)


class ShownPart(NamedTuple):
    """A hunk of an operation, or a part of one, as whoever made it hears of it."""

    hunk: Hunk
    old: Side
    new: Side
    section: SectionName | None
    path: str
    old_path: str
    """Of a rename, the name that it gave, which the file may not have now, and the one before."""
    call: Call | None
    decision: Decision | None
    """The latest that answered it."""


def shown_parts(ledger: Ledger, ops: Mapping[int, set[int]], wholes: Container[str]) -> list[ShownPart]:
    """The hunks of some operations, by the number of their file, as far as they are parts of some."""
    found = []
    for number, some in ops.items():
        if (file := ledger.file(number)) is None:
            continue
        sides, views = sides_of(file), views_of(file)
        for hunk in hunks(file, ledger.counters.salt, some):
            if hunk.whole not in wholes:
                continue
            section, old, new = views.of(hunk, *sides.of(hunk))
            call = ledger.call(hunk.operation.call or 0)
            decision = ledger.decision(hunk.signature[-1]) if hunk.signature else None
            path, old_path = _names(file, hunk)
            found.append(ShownPart(hunk, old, new, section, path, old_path, call, decision))
    return found


def _names(file: File, hunk: Hunk) -> tuple[str, str]:
    if hunk.kind != "rename":
        return hunk.path, file.baseline.path
    names = [str(setting.value) for setting in file.paths]
    given = next(n for n, setting in enumerate(file.paths) if setting.mark.op == hunk.operation.number)
    return names[given], names[max(given - 1, 0)]


def _calls(ledger: Ledger, operation: Operation) -> list[Call]:
    """The calls that may have done it, its own first."""
    numbers = (operation.call, *operation.others)
    return [call for one in numbers if one is not None and (call := ledger.call(one)) is not None]


def _away(ledger: Ledger, found: list[Hunk]) -> set[str]:
    """Those that git took out of the file, by their ids."""
    gone = {hunk.id: hunk.signature[-1] for hunk in found if hunk.state == REJECTED and hunk.signature}
    decisions = {number: ledger.decision(number) for number in {*gone.values()}}
    by_git = {number for number, one in decisions.items() if one is not None and one.verdict == BY_GIT}
    return {identifier for identifier, number in gone.items() if number in by_git} if by_git else set()


def _makers(ledger: Ledger, calls: list[Call]) -> frozenset[str]:
    turns = (ledger.turn(call.turn) for call in calls)
    return frozenset(turn.conversation for turn in turns if turn is not None and turn.conversation)
