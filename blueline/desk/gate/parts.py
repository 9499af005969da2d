"""What is a part of something that was reviewed: what is staged, or a commit among others that are pushed.

Neither has to be a tree that was reviewed as a whole. Each file that it changes has to have the bytes that a
review had, one review for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from blueline.desk.gate.evidence import Evidence, ReviewRecord, Unreadable
from blueline.model.loop import LOOPS, LoopOutcome, LoopResult, Policy, Review
from blueline.review.gate_answer import Facts, disagreeing


class Part(NamedTuple):
    """Files that come with a commit."""

    tree: str
    head: str
    changed: Mapping[str, tuple[int, str] | None]
    """Mode and object of each file that it changes; None for one that goes."""
    policies: Sequence[Policy]
    """Loops under which it may have been reviewed."""
    extra: str | None
    """What git ignores and ships; None where nobody can know what it was."""


def placed(facts: Facts, part: Part, record: ReviewRecord, evidence: Evidence) -> Facts:
    """The facts about a part: with the review that it is a part of, or what the latest one does not have."""
    facts = replace(facts, tree=part.tree, head=part.head, extra=part.extra or "")
    if not part.changed:
        return replace(facts, review=_nothing_to_review(part, facts.policy))
    known = {policy.digest: policy for policy in part.policies}
    for review in reversed(record.reviews):
        policy = known.get(review.config)
        if policy is None or part.extra not in (None, review.extra):
            continue
        try:
            changed = disagreeing(part.changed, evidence.files(review.manifest))
        except Unreadable as error:
            return replace(facts, unreadable=[*facts.unreadable, str(error.path)])
        if not changed:
            return replace(facts, review=review, policy=policy)
        if review is facts.latest:
            facts = replace(facts, changed=changed)
    return replace(facts, is_config_other=facts.latest is not None and facts.latest.config not in known)


def _nothing_to_review(part: Part, policy: Policy) -> Review:
    """A commit that changes no file: every loop has passed on it, there being nothing to run on."""
    passed = LoopOutcome(passed=True, at="", by="nobody: no file is changed")
    loops = {n: LoopResult(run=passed, report=passed) for n in LOOPS}
    return Review(
        tree=part.tree,
        head=part.head,
        config=policy.digest,
        extra=part.extra or "",
        at="",
        manifest="",
        loops=loops,
    )
