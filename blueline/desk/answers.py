"""What a person is told of a decision that was made, or could not be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from blueline.desk.documents import decision_document
from blueline.model.ids import CALL
from blueline.review.deciding.planning import Need, Plan

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument


def answer(
    number: int | None, planned: Plan, written: Sequence[str], linked: Sequence[str]
) -> DecisionDocument:
    """A decision and what it came to; without a number, nothing was recorded."""
    verdict, results, kept = planned.verdict, planned.results, planned.kept
    document = decision_document(number, verdict, results, written=[*written], kept=kept, needs=[])
    # Undecided hunks of the same turns in other files that exchange the same words (D09).
    return {**document, "linked": [*linked]}


def refused(verdict: str, needs: Sequence[Need]) -> DecisionDocument:
    """Nothing was written: what is in the way, and what to try."""
    document = decision_document(None, verdict, [], written=[], kept=[], needs=[*needs])
    first = needs[0]
    if first.now:
        error, hint = f"{first.hunk} was split", "use the ids that took its place"
    elif first.shared_with:
        calls = ", ".join(map(CALL.id, first.shared_with))
        error = f"this may be the work of {calls} as well"
        hint = "add --with-dependents to take it back all the same, or --keep-dependents to leave it"
    elif first.built_on_by:
        error = "other changes build on this"
        hint = "add --with-dependents to take them back too, or --keep-dependents to leave them"
    elif first.why == "busy":
        error, hint = f"an agent is writing to {first.path}", "try again when its tool call has ended"
    elif first.why == "before-unknown":
        error, hint = f"what {first.path} held before is not known", "accept it, or change the file by hand"
    else:
        error, hint = f"{first.path} has moved on", "look at it with `blueline diff`, then decide again"
    return {**document, "error": error, "hint": hint}
