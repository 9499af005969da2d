"""The gate's answer as documents: our own, and the `loop-state.json` that other programs read."""

from collections.abc import Iterable

from blueline.desk.documents import Document
from blueline.model.ids import OVERRIDE
from blueline.model.loop import LOOPS, NAMES, Finding, GateReason, Override
from blueline.review.gate_answer import Answer, Facts, LoopAnswer, blocker

MOST_ABOUT = 200


def gate_document(facts: Facts, answer: Answer) -> Document:
    """The whole answer."""
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
    }


def reason_document(reason: GateReason) -> Document:
    found: Document = {"code": reason.code, "message": reason.message, "hint": reason.hint}
    if reason.about:
        found["about"] = list(reason.about[:MOST_ABOUT])
    if reason.loop:
        found["loop"] = reason.loop
    return found


def override_document(one: Override) -> Document:
    return {
        "id": OVERRIDE.id(one.number),
        **{name: getattr(one, name) for name in ("by", "reason", "at", "expires", "tree")},
    }


def with_overrides(entries: list[Document], overrides: Iterable[Override]) -> list[Document]:
    """A log, newest first, with the overrides in it. They have no place in the journal: their time tells."""
    found = list(entries)
    for one in overrides:
        place = next((place for place, entry in enumerate(found) if entry["at"] <= one.at), len(found))
        found.insert(place, {**override_document(one), "kind": "override"})
    return found


def _loop(facts: Facts, loop: LoopAnswer) -> Document:
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


def issue_document(found: Finding) -> Document:
    document: Document = {"severity": found.severity, "message": found.message}
    for name in ("file", "line", "column", "rule", "source"):
        if value := getattr(found, name):
            document[name] = value
    return document


def loop_state(facts: Facts, answer: Answer) -> Document:
    """What programs expect in `.claude/skills/code-review/loop-state.json`."""
    passed = {loop.loop: loop.passed for loop in answer.loops}
    failed = [blocker(found) for loop in answer.loops for found in loop.findings if found.severity == "error"]
    others = [reason.message for reason in answer.reasons if reason.code != "loop-failed"]
    review = facts.review or facts.latest
    return {
        # Whoever compares it with the current commit finds a review that fits, or one that is stale.
        "head_commit": facts.head if facts.review is not None or review is None else review.head,
        "timestamp": review.at if review is not None else facts.now,
        **{f"loop_{n}_passed": passed[n] for n in LOOPS},
        "ship_allowed": answer.is_open,
        "blockers": [*failed, *others],
        "loop_details": {
            f"loop_{loop.loop}": {
                "passed": loop.passed,
                "issues": [
                    {
                        k: v
                        for k, v in issue_document(found).items()
                        if k in ("severity", "message", "file", "line")
                    }
                    for found in loop.findings
                ],
            }
            for loop in answer.loops
        },
    }
