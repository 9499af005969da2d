"""The gate's answer as documents: our own, and the `loop-state.json` that other programs read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from blueline.model.ids import OVERRIDE
from blueline.model.loop import NAMES, Finding, GateReason, Override
from blueline.review.gate_answer import Answer, Facts, LoopAnswer, blocker

if TYPE_CHECKING:
    from blueline.contract.gate import (
        DecidedDocument,
        GateDocument,
        IssueDocument,
        LoopDocument,
        LoopStateDocument,
        OverrideDocument,
        ReasonDocument,
    )
    from blueline.contract.log import LogEntry

MOST_ABOUT = 200


def gate_document(facts: Facts, answer: Answer, decided: list[DecidedDocument]) -> GateDocument:
    """The gate's answer as every surface shows it: `docs/gate.md` has its keys."""
    return {
        "open": answer.is_open,
        "tree": facts.tree or None,
        "head": facts.head or None,
        "config": facts.policy.digest,
        "reasons": [reason_document(reason) for reason in answer.reasons],
        "loops": [_loop(facts, loop) for loop in answer.loops],
        "override": override_document(answer.override) if answer.override is not None else None,
        "overrides": [override_document(one) for one in facts.overrides],
        "reviewed": {"tree": facts.latest.tree, "head": facts.latest.head or None, "at": facts.latest.at}
        if facts.latest is not None
        else None,
        "steps": [{"what": what, "met": met, "how": how} for what, met, how in answer.steps],
        "decided": decided,
    }


def reason_document(reason: GateReason) -> ReasonDocument:
    found: ReasonDocument = {"code": reason.code, "message": reason.message, "hint": reason.hint}
    if reason.about:
        found["about"] = list(reason.about[:MOST_ABOUT])
    if reason.loop:
        found["loop"] = reason.loop
    return found


def override_document(one: Override) -> OverrideDocument:
    return {
        "id": OVERRIDE.id(one.number),
        "by": one.by,
        "reason": one.reason,
        "at": one.at,
        "expires": one.expires,
        "tree": one.tree,
    }


def with_overrides(entries: list[LogEntry], overrides: Iterable[Override]) -> list[LogEntry]:
    """A log, newest first, with the overrides in it. They have no place in the journal: their time tells."""
    found = list(entries)
    for one in overrides:
        place = next((place for place, entry in enumerate(found) if entry["at"] <= one.at), len(found))
        found.insert(place, {**override_document(one), "kind": "override"})
    return found


def _loop(facts: Facts, loop: LoopAnswer) -> LoopDocument:
    asked = facts.policy.loops[loop.loop]
    return {
        "loop": loop.loop,
        "name": NAMES[loop.loop],
        "passed": loop.passed,
        "state": loop.state,
        "issues": [issue_document(found) for found in loop.findings],
        "at": loop.at or None,
        "by": loop.by or None,
        "needs": list(loop.needs),
        "commands": [one.run for one in asked.commands],
        "report": asked.needs_report,
        "skip": asked.skip,
    }


def issue_document(found: Finding) -> IssueDocument:
    """Without what is not known."""
    document = _short_issue(found)
    if found.column:
        document["column"] = found.column
    if found.rule:
        document["rule"] = found.rule
    if found.source:
        document["source"] = found.source
    return document


def _short_issue(found: Finding) -> IssueDocument:
    document: IssueDocument = {"severity": found.severity, "message": found.message}
    if found.file:
        document["file"] = found.file
    if found.line:
        document["line"] = found.line
    return document


def loop_state(facts: Facts, answer: Answer) -> LoopStateDocument:
    """What programs expect in `.claude/skills/code-review/loop-state.json`."""
    passed = {loop.loop: loop.passed for loop in answer.loops}
    failed = [blocker(found) for loop in answer.loops for found in loop.findings if found.severity == "error"]
    others = [reason.message for reason in answer.reasons if reason.code != "loop-failed"]
    review = facts.review or facts.latest
    return {
        # Whoever compares it with the current commit finds a review that fits, or one that is stale.
        "head_commit": facts.head if facts.review is not None or review is None else review.head,
        "timestamp": review.at if review is not None else facts.now,
        "loop_1_passed": passed[1],
        "loop_2_passed": passed[2],
        "loop_3_passed": passed[3],
        "loop_4_passed": passed[4],
        "ship_allowed": answer.is_open,
        "blockers": [*failed, *others],
        "loop_details": {
            f"loop_{loop.loop}": {
                "passed": loop.passed,
                "issues": [_short_issue(found) for found in loop.findings],
            }
            for loop in answer.loops
        },
    }
