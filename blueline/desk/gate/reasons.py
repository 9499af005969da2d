"""Why the gate is closed, where more than one has to say it."""

from collections.abc import Sequence

from blueline.model.loop import GateReason


def undecided(hunks: int, files: int, ids: Sequence[str]) -> GateReason:
    """Somebody has to decide first."""
    changes, where = (f"{n} {word}{'s' * (n != 1)}" for n, word in ((hunks, "change"), (files, "file")))
    return GateReason(
        code="undecided",
        message=f"{changes} in {where} {'is' if hunks == 1 else 'are'} undecided",
        hint="look at them: blueline list, then blueline accept or reject",
        about=tuple(ids),
    )
