"""Facts about decisions answer pieces of files, and are kept: made, turned, put off."""

from dataclasses import replace
from typing import assert_never

from blueline.model.answer import IN_EFFECT
from blueline.model.fact import (
    DecisionExplained,
    DecisionFinished,
    DecisionMade,
    DecisionQueued,
    DecisionTurned,
    QueueLeft,
    Write,
)
from blueline.model.verdict import BY_GIT, BY_HAND
from blueline.review.choices import Choices
from blueline.review.fold_files import state_key
from blueline.review.ledger import Decision, Ledger
from blueline.review.operation import FileStep

DecisionFact = (
    DecisionMade | DecisionTurned | DecisionFinished | DecisionExplained | DecisionQueued | QueueLeft
)


def fold_decision_fact(ledger: Ledger, fact: DecisionFact, at: str) -> None:
    """Take a fact about a decision into the ledger."""
    match fact:
        case DecisionMade():
            _decided(ledger, fact, at)
        case DecisionTurned():
            _turned(ledger, fact, at)
        case DecisionFinished():
            if (decision := ledger.decision(fact.decision)) is not None:
                ledger.put_decision(replace(decision, finished=True))
        case DecisionExplained():
            if (decision := ledger.decision(fact.decision)) is not None:
                ledger.put_decision(replace(decision, reason=fact.reason))
        case DecisionQueued():
            ledger.count(decision=fact.decision)
            ledger.put_decision(_queued(fact, at, ledger.next_order()))
        case QueueLeft():
            if (decision := ledger.decision(fact.decision)) is not None:
                ledger.put_decision(
                    replace(decision, finished=True, of=fact.became, reason=fact.why or decision.reason)
                )
        case _:
            assert_never(fact)


def _queued(fact: DecisionQueued, at: str, order: int) -> Decision:
    return Decision(
        number=fact.decision,
        verdict="queued",
        reason=fact.reason,
        at=at,
        hunks=fact.hunks,
        files=(),
        writes=(),
        order=order,
        stands=False,
        by=fact.by,
        agent=fact.agent,
        request=fact.request,
        turns=fact.turns,
        waits_for=fact.verdict,
        choices=Choices(dependents=fact.dependents, files=dict(fact.choices)),
        parts=fact.parts,
    )


def _keys(writes: tuple[Write, ...]) -> dict[str, str]:
    return {write.path: state_key(write.after) for write in writes}


def _decided(ledger: Ledger, fact: DecisionMade, at: str) -> None:
    ledger.count(decision=fact.decision)
    keys = _keys(fact.writes)
    passes = dict(fact.passes)
    for number, changes in fact.changes:
        file = ledger.file(number)
        if file is None:
            continue
        file = file.answered(changes, fact.decision, passes.get(number, ()))
        content = keys.get(file.live.path, file.steps[-1].content)
        ledger.put_file(file.stepped(FileStep("decision", fact.decision, content)))
    ledger.put_decision(
        Decision(
            number=fact.decision,
            verdict=fact.verdict,
            reason=fact.reason,
            at=at,
            hunks=fact.hunks,
            files=tuple(number for number, _ in fact.changes),
            writes=fact.writes,
            order=ledger.next_order(),
            by=fact.by,
            agent=fact.agent,
            turns=fact.turns,
            commit=fact.commit,
            request=fact.request,
            returns=_returns(fact),
        )
    )


def _returns(fact: DecisionMade) -> bool:
    answers = [change.answer for _, changes in fact.changes for change in changes]
    return fact.verdict in (BY_HAND, BY_GIT) and all(answer in IN_EFFECT for answer in answers)


def _turned(ledger: Ledger, fact: DecisionTurned, at: str) -> None:
    ledger.count(decision=fact.decision)
    keys, hidden = _keys(fact.writes), dict(fact.changes)
    for number in fact.files:
        file = ledger.file(number)
        if file is None:
            continue
        file = file.with_decision(fact.of, stands=fact.stands)
        file = file.answered(hidden.get(number, ()), fact.decision)
        content = keys.get(file.live.path, file.steps[-1].content)
        ledger.put_file(file.stepped(FileStep("stands" if fact.stands else "fallen", fact.of, content)))
    of = ledger.decision(fact.of)
    for number, stands in ((fact.takes_back, False), (fact.of, fact.stands)):
        if (earlier := ledger.decision(number)) is not None:
            ledger.put_decision(replace(earlier, stands=stands))
    ledger.put_decision(
        Decision(
            number=fact.decision,
            verdict="redo" if fact.stands else "undo",
            reason="",
            at=at,
            hunks=of.hunks if of else (),
            files=fact.files,
            writes=fact.writes,
            order=ledger.next_order(),
            by=fact.by,
            agent=fact.agent,
            of=fact.of,
            turns=of.turns if of else (),
            request=fact.request,
        )
    )
