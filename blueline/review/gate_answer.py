"""What opens the gate, given the facts. Nothing is looked up here, and nothing is decided anywhere else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from blueline.model.loop import (
    LOOPS,
    NAMES,
    Finding,
    GateReason,
    Loop,
    LoopOutcome,
    LoopResult,
    Override,
    Policy,
    Review,
)

MOST_NAMED = 10

State = Literal["passed", "failed", "missing", "partial", "unreported", "skipped"]

PASSING: tuple[State, ...] = ("passed", "skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that the answer depends on."""

    tree: str | None
    """None when it could not be found out."""
    head: str
    policy: Policy
    extra: str = ""
    review: Review | None = None
    """The one for exactly this tree and config, if there is one."""
    latest: Review | None = None
    """The last one of all, for whatever tree."""
    changed: Sequence[str] = ()
    """Files that are not as the latest review had them."""
    is_config_other: bool = False
    """The latest review was under another config."""
    cannot_tell: tuple[str, str] = ("", "")
    """Why it could not be found out what would ship, and what to do about that."""
    unreadable: Sequence[str] = ()
    """What evidence is damaged or cannot be read."""
    others: Sequence[GateReason] = ()
    """What the ledger has to say: undecided, incomplete, damaged."""
    overrides: Sequence[Override] = ()
    now: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopAnswer:
    """What one loop says about this tree."""

    loop: int
    state: State
    passed: bool
    findings: tuple[Finding, ...] = ()
    at: str = ""
    by: str = ""
    needs: tuple[str, ...] = ()
    """What is missing: commands, report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Open or closed, and why."""

    is_open: bool
    reasons: Sequence[GateReason]
    """Why it is closed; with an override, what it passes over."""
    loops: Sequence[LoopAnswer]
    override: Override | None = None
    steps: Sequence[tuple[str, bool, str]] = field(default_factory=tuple)
    """Each requirement, whether it is met, and how that is known."""


def answered(facts: Facts) -> Answer:
    """May this tree ship?"""
    loops = [loop_answer(facts.policy.loops[n], _result(facts.review, n)) for n in LOOPS]
    reasons = [*_evidence(facts), *_reviewed(facts, loops), *facts.others]
    override = override_in_force(facts.overrides, facts.tree, facts.now) if reasons else None
    return Answer(
        is_open=not reasons or override is not None,
        reasons=tuple(reasons),
        loops=tuple(loops),
        override=override,
        steps=tuple(_steps(facts, loops)),
    )


def _result(review: Review | None, number: int) -> LoopResult:
    return review.loops.get(number, LoopResult()) if review is not None else LoopResult()


def loop_answer(loop: Loop, result: LoopResult) -> LoopAnswer:
    """What one loop says. No report stands for commands that are configured, and a bad one counts."""
    known = [one for one in (result.run, result.report) if one is not None]
    findings = tuple(found for one in known for found in one.findings)
    last = max(known, key=lambda one: one.at, default=None)
    at, by = (last.at, last.by) if last is not None else ("", "")
    needs = tuple(_needs(loop, result))
    state: State
    if any(not one.passed for one in known):
        state = "failed"
    elif loop.skip:
        state = "passed" if any(one.covers for one in known) else "skipped"
    elif "commands" in needs:
        state = "missing"
    elif needs:
        state = "unreported"
    elif not all(one.covers for one in _asked(loop, result)):
        state = "partial"
    else:
        state = "passed"
    return LoopAnswer(
        loop=loop.number, state=state, passed=state in PASSING, findings=findings, at=at, by=by, needs=needs
    )


def _needs(loop: Loop, result: LoopResult) -> Iterator[str]:
    if loop.commands and result.run is None:
        yield "commands"
    if loop.needs_report and result.report is None:
        yield "report"


def _asked(loop: Loop, result: LoopResult) -> list[LoopOutcome]:
    """The outcomes on which a loop's answer rests."""
    found = [result.run if loop.commands else None, result.report if loop.needs_report else None]
    return [one for one in found if one is not None]


def _evidence(facts: Facts) -> Iterator[GateReason]:
    for name in facts.unreadable:
        yield GateReason(
            code="corrupt-state",
            message=f"the review state cannot be read: {name}",
            hint="look at that file, or remove it and run: blueline review",
            about=(name,),
        )
    what, to_do = facts.cannot_tell
    if what:
        message = f"what would ship cannot be read: {what}"
        yield GateReason(code="corrupt-state", message=message, hint=to_do or "see: git status")
    elif facts.tree is None and not facts.unreadable:
        yield GateReason(
            code="corrupt-state",
            message="what would ship cannot be read",
            hint="see whether git works here: git status",
        )


def _reviewed(facts: Facts, loops: Sequence[LoopAnswer]) -> Iterator[GateReason]:
    if facts.review is None:
        yield _stale(facts, facts.latest) if facts.latest is not None else _no_review(facts.policy)
        return
    if all(loop.state == "skipped" for loop in loops):
        yield _no_review(facts.policy)
    for loop in loops:
        if loop.state == "failed":
            yield _failed(loop)
        elif not loop.passed:
            yield GateReason(
                code="no-review",
                message=f"loop {loop.loop} ({NAMES[loop.loop]}) {_WANTS[loop.state]}",
                hint=f"run: blueline review --loops {loop.loop}"
                if "commands" in loop.needs or loop.state == "partial"
                else f"let an agent run /review, or: blueline loop record {loop.loop} --passed",
                loop=loop.loop,
            )


_WANTS: Mapping[State, str] = {
    "missing": "has not been run for this tree",
    "unreported": "has no report for this tree",
    "partial": "has looked at some of the files only",
}


def _no_review(policy: Policy) -> GateReason:
    is_skipped = _is_all_skipped(policy)
    message = "every loop is skipped, and that is no review" if is_skipped else "no review has been run"
    return GateReason(code="no-review", message=message, hint=_review_hint(policy))


def _is_all_skipped(policy: Policy) -> bool:
    """Whether the config asks for no loop at all. Somebody has to have looked all the same."""
    return all(policy.loops[n].skip for n in LOOPS)


def _review_hint(policy: Policy) -> str:
    if _is_all_skipped(policy):
        return "look at it, then: blueline loop record 1 --passed"
    return "run: blueline review (in Claude Code: /review)"


def _stale(facts: Facts, latest: Review) -> GateReason:
    if facts.is_config_other:
        what = "the loops were configured differently"
    elif facts.changed:
        what = f"{_some(facts.changed)} changed since"
    elif latest.extra != facts.extra:
        what = "files that git ignores and the config ships changed since"
    else:
        what = "the tree is another one"
    then, now = (head[:12] or "none" for head in (latest.head, facts.head))
    # A commit's name says nothing about files that are not in it.
    about = (
        f"the last review was of other bytes at this commit, {now}"
        if then == now
        else f"the review is for commit {then}, current is {now}"
    )
    return GateReason(
        code="stale-review",
        message=f"{about}: {what}",
        hint=_review_hint(facts.policy),
        about=tuple(facts.changed),
    )


def _failed(loop: LoopAnswer) -> GateReason:
    errors = [found for found in loop.findings if found.severity == "error"]
    blockers = [blocker(found) for found in errors]
    more = f" and {len(blockers) - 1} more" if len(blockers) > 1 else ""
    return GateReason(
        code="loop-failed",
        message=f"loop {loop.loop} ({NAMES[loop.loop]}) failed: {(blockers or ['no details'])[0]}{more}",
        hint="put that right, then run: blueline review (in Claude Code: /review)",
        about=tuple(blockers),
        loop=loop.loop,
    )


def blocker(found: Finding) -> str:
    """A finding on one line."""
    place = (
        f"{found.file}:{found.line}: "
        if found.file and found.line
        else f"{found.file}: "
        if found.file
        else ""
    )
    return f"{place}{' '.join(found.message.split())}"


def override_in_force(overrides: Sequence[Override], tree: str | None, now: str) -> Override | None:
    """The override that counts for a tree at a time; the last of several."""
    valid = [one for one in overrides if one.tree == tree and one.reason and one.at <= now < one.expires]
    return valid[-1] if valid else None


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown


def _steps(facts: Facts, loops: Sequence[LoopAnswer]) -> Iterator[tuple[str, bool, str]]:
    """Every requirement, met or not, in the order in which it is asked."""
    unread = [*facts.unreadable, *filter(None, facts.cannot_tell[:1])]
    yield "the evidence can be read", not unread, ", ".join(unread) or "all of it"
    if facts.review is not None:
        same = (
            f"reviewed at {facts.review.at}, tree {facts.review.tree[:12]}, config {facts.review.config[:12]}"
        )
    elif facts.latest is not None:
        same = (
            f"the last review was of tree {facts.latest.tree[:12]}, this is {(facts.tree or 'unknown')[:12]}"
        )
    else:
        same = "there is no review"
    yield (
        "a review of exactly this tree and config",
        facts.review is not None,
        same,
    )
    for loop in loops:
        how = loop.state + (f" at {loop.at} by {loop.by}" if loop.at else "")
        if skip := facts.policy.loops[loop.loop].skip:
            how += f": {skip}"
        yield f"loop {loop.loop} passed ({NAMES[loop.loop]})", loop.passed, how
    for code, what in OTHERS.items():
        found = [reason.message for reason in facts.others if reason.code == code]
        yield what, not found, "; ".join(found) or "nothing found"


OTHERS = {
    "not-recording": "what agents do here is recorded",
    "undecided": "every change by an agent is decided",
    "agent-decided": "every accept is a person's",
    "commit-decided": "nothing is accepted by a commit alone",
    "must-fix": "no note says that something must be fixed",
    "incomplete": "nothing could not be looked at",
    "corrupt-state": "the journal and what it names are complete",
}


def disagreeing(
    staged: Mapping[str, tuple[int, str] | None], reviewed: Mapping[str, tuple[int, str]]
) -> Sequence[str]:
    """Of files about to be committed (None for those that go), those that are not as reviewed."""
    return [path for path, state in sorted(staged.items()) if reviewed.get(path) != state]
