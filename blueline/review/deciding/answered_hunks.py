"""The hunks of a file before and after a decision, where whole ones are decided: most stay as they are."""

from collections.abc import Iterable, Mapping
from typing import Any

from blueline.model.answer import UNDECIDED, Answer
from blueline.model.piece import Piece
from blueline.review.deciding.hunks import Hunk, know_hunks, known_hunks
from blueline.review.deciding.relations import know_relations
from blueline.review.deciding.sides import know_sides
from blueline.review.file import File
from blueline.review.setting import Node
from blueline.review.weave.weave import Weave
from blueline.review.worked_out import WorkedOut

AS_STORED = WorkedOut[Any]("as_stored")
"""How the hunks of a file are stored. The rules know nothing of that, but that it is as it was."""


def whole_hunks_of(file: File, salt: int, pieces: Iterable[Piece]) -> set[str] | None:
    """The undecided hunks that some pieces are, if they are the whole of each and the file is a plain one;
    None if that is not known."""
    known = known_hunks(file, salt)
    if known is None or not _is_plain(file):
        return None
    chosen = {*pieces}
    ops = {piece.op for piece in chosen}
    found, left = set[str](), len(chosen)
    for hunk in known:
        if hunk.operation.number in ops and chosen.issuperset(hunk.pieces):
            if hunk.id != hunk.whole or hunk.state not in UNDECIDED:
                return None
            found.add(hunk.id)
            left -= len(hunk.pieces)
    return None if left else found


def know_answered(before: File, after: File, salt: int, answers: Mapping[str, Answer], decision: int) -> None:
    """Let a file know its hunks after a decision that gave `answers` to whole ones, if the others are as they
    were: then nobody has to work them out again."""
    known = known_hunks(before, salt)
    if known is None or known_hunks(after, salt) is not None or not _are_alike(before, after):
        return
    if _turns_others(before, after, known, answers):
        return
    found = [
        hunk._replace(state=answers[hunk.id], signature=(*hunk.signature, decision), listed=True)
        if hunk.id in answers
        else hunk
        for hunk in known
    ]
    know_hunks(after, salt, found)
    know_relations(before, after)
    AS_STORED.hand_on(before, after)
    if len(answers) == 1:
        (decided,) = (hunk for hunk in known if hunk.id in answers)
        know_sides(before, after, decided, (hunk for hunk in known if hunk.state in UNDECIDED))


def _is_plain(file: File) -> bool:
    """Whether nothing but their states tells which hunks a file has: nobody has typed in it, no formatter
    went over it, and nothing has passed."""
    return (
        not file.by_people
        and not file.passed
        and not any(block.is_formatted for weave in file.weaves for block in weave.blocks)
    )


def _are_alike(before: File, after: File) -> bool:
    """Whether two plain files are cut into the same runs, at the same path."""
    return (
        _is_plain(before)
        and not after.passed
        and before.live.path == after.live.path
        and all(
            len(one.runs) == len(other.runs) for one, other in zip(before.weaves, after.weaves, strict=True)
        )
    )


def _turns_others(before: File, after: File, known: Iterable[Hunk], answers: Mapping[str, Answer]) -> bool:
    """Whether answers to some hunks may change anything about the others that are undecided, or are not
    about whole ones: parts can become one again."""
    others: dict[int, list[tuple[int, int]]] = {}
    places: dict[int, list[tuple[int, int]]] = {}
    left = len(answers)
    for hunk in known:
        if hunk.id in answers:
            left -= hunk.id == hunk.whole
            places.setdefault(hunk.weave, []).append(hunk.runs)
        elif hunk.state in UNDECIDED:
            others.setdefault(hunk.weave, []).append(hunk.runs)
    if left or not others:
        return left > 0
    # What is no text has to do with all of a file.
    if -1 in places or -1 in others or _nodes(before) != _nodes(after):
        return True
    for weave, runs in places.items():
        turned = _turned_runs(before.weaves[weave], after.weaves[weave], runs)
        if any(not turned.isdisjoint(range(first, last + 1)) for first, last in others.get(weave, ())):
            return True
    return False


def _nodes(file: File) -> tuple[Node, Node]:
    return file.node, file.agreed_node


def _turned_runs(before: Weave, after: Weave, places: Iterable[tuple[int, int]]) -> set[int]:
    """These runs, with all that stands beside them up to a run which both texts have, before and after."""

    def is_shared(number: int) -> bool:
        was, now = before.runs[number], after.runs[number]
        return was.live and was.agreed and now.live and now.agreed

    found: set[int] = set()
    for first, last in places:
        while first > 0 and not is_shared(first - 1):
            first -= 1
        while last + 1 < len(after.runs) and not is_shared(last + 1):
            last += 1
        found.update(range(first, last + 1))
    return found
