"""Taking everything back hunk by hunk, in an order that a number chooses."""

from __future__ import annotations

from random import Random

from tests.support.project import Project


def reject_one_by_one(p: Project, seed: int) -> list[str]:
    """Reject whatever is pending, one hunk at a time with what builds on it; the decisions that were made.

    Where a file became a folder, the one cannot come back before the other has gone: it is refused and asked
    for again later.
    """
    chance, made = Random(seed), []
    while pending := p.hunks():
        chance.shuffle(pending)
        for hunk in pending:
            answer = p.decide("reject", [hunk["id"]], dependents="with")
            if answer["decision"]:
                made.append(str(answer["decision"]))
                break
            assert answer["needs"], f"nothing was done, and nothing was said: {answer}"
        else:
            raise AssertionError(f"none of them can be rejected: {pending}")
    return made
