"""What taking a decision back, or letting it stand again, would mean. Nothing happens yet."""

from blueline.model.answer import IN_EFFECT, REJECTED
from blueline.model.piece import PieceAnswer
from blueline.review.deciding.hunks import hunks
from blueline.review.deciding.no_invention import is_invented
from blueline.review.deciding.planning import FilePlan, Need
from blueline.review.deciding.repeats import repeated, stand_together
from blueline.review.file import File


def turned(file: File, of: int, *, stands: bool, number: int, salt: int) -> FilePlan:
    """A file before and after; what stands there again already, by a later call, stays hidden (rule D4)."""
    after = file.with_decision(of, stands=stands)
    found = hunks(file, salt)
    known = {hunk.id: hunk for hunk in found}
    hidden = []
    for later, earlier in repeated(file, found).items():
        hunk = known[earlier]
        comes_back = {h.id for h in hunks(after, salt, {hunk.operation.number}) if h.state in IN_EFFECT}
        if (
            known[later].state in IN_EFFECT
            and earlier in comes_back
            and stand_together(file, known[later], hunk)
        ):
            hidden += [PieceAnswer(piece, REJECTED) for piece in hunk.pieces]
    return FilePlan(before=file, after=after.answered(hidden, number), changes=tuple(hidden))


def turning_needs(plan: FilePlan) -> list[Need]:
    """What is in the way: a line that nobody wrote (rule D0)."""
    invented = is_invented(plan.before, plan.after)
    return [Need(path=plan.before.live.path, why="moved-on")] if invented else []
