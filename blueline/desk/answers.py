"""What a person is told of a decision that was made, or could not be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from blueline.desk.documents import decision_document
from blueline.desk.rewound_turns import followed
from blueline.desk.selectors import Selectors
from blueline.model.fact import DecisionMade, DecisionQueued, DecisionTurned, Fact, QueueLeft
from blueline.model.ids import CALL, DECISION
from blueline.review.deciding.planning import Need, Plan, Result
from blueline.review.ledger import Ledger

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
    elif first.why == "corrected":
        error = f"you changed line {first.lines[0].line} of {first.path} after the agent"
        hint = "add --keep-dependents to keep what you wrote, or --with-dependents to go back to the original"
    elif first.why == "busy":
        error, hint = f"an agent is writing to {first.path}", "try again when its tool call has ended"
    elif first.why == "before-unknown":
        error, hint = f"what {first.path} held before is not known", "accept it, or change the file by hand"
    else:
        error, hint = f"{first.path} has moved on", "look at it with `blueline diff`, then decide again"
    return {**document, "error": error, "hint": hint}


def answer_written(ledger: Ledger, selectors: Selectors, facts: Sequence[Fact]) -> DecisionDocument | None:
    """The answer to a decision that was cut short, from what was written down of it; None if nothing was."""
    kinds = DecisionMade | DecisionTurned | DecisionQueued | QueueLeft
    fact = next((fact for fact in facts if isinstance(fact, kinds)), None)
    decision = None if fact is None else ledger.decision(fact.decision)
    if fact is None or decision is None:
        return None
    found = [hunk for name in decision.hunks if (hunk := selectors.hunk(name)) is not None]
    is_queued = isinstance(fact, DecisionQueued)
    results = [Result(hunk=hunk, outcome="queued" if is_queued else "applied") for hunk in found]
    written = [write.path for write in decision.writes]

    def document(verdict: str) -> DecisionDocument:
        return decision_document(decision.number, verdict, results, written=written, kept=[], needs=[])

    match fact:
        case DecisionMade():
            return followed({**document(fact.verdict), "linked": []}, ledger, fact.turns)
        case DecisionQueued():
            return followed(document(fact.verdict), ledger, fact.turns)
        case DecisionTurned():
            return {**document(decision.verdict), "of": DECISION.id(fact.of)}
        case QueueLeft():
            return {**document("undo"), "of": DECISION.id(fact.decision)}
