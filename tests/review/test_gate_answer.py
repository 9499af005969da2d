"""What opens the gate, given the facts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.model.loop import (
    LOOPS,
    Finding,
    GateReason,
    Loop,
    LoopCommand,
    LoopOutcome,
    LoopResult,
    Override,
    Policy,
    Review,
)
from blueline.review.gate_answer import Facts, answered, blocker, disagreeing, loop_answer, override_in_force

PASSED = LoopOutcome(passed=True, at="1", by="ada")
FAILED = LoopOutcome(
    passed=False, at="1", by="ada", findings=(Finding(severity="error", message="bad", file="a.py", line=3),)
)
COMMANDS = (LoopCommand(run="make"),)


def policy(**more: Any) -> Policy:
    return Policy(loops={n: Loop(number=n, commands=COMMANDS, **more) for n in LOOPS}, digest="c")


def review(**loops: LoopResult) -> Review:
    found = {n: LoopResult(run=PASSED) for n in LOOPS} | {int(name[1:]): one for name, one in loops.items()}
    return Review(tree="t", head="h", config="c", extra="", at="1", manifest="m", loops=found)


def facts(**more: Any) -> Facts:
    given: dict[str, Any] = {"tree": "t", "head": "h", "policy": policy(), "review": review(), "now": "5"}
    return Facts(**{**given, **more})


def codes(of: Facts) -> list[str]:
    return [reason.code for reason in answered(of).reasons]


def test_four_loops_for_this_tree_open_it() -> None:
    found = answered(facts())
    assert (found.is_open, found.reasons) == (True, ())
    assert all(met for _, met, _ in found.steps)


@pytest.mark.parametrize("number", LOOPS)
@pytest.mark.parametrize(
    ("result", "code"),
    [
        (LoopResult(), "no-review"),
        (LoopResult(report=PASSED), "no-review"),
        (LoopResult(run=FAILED), "loop-failed"),
        (LoopResult(run=PASSED, report=FAILED), "loop-failed"),
        (LoopResult(run=replace(PASSED, covers=False)), "no-review"),
    ],
)
def test_one_loop_that_has_not_passed_closes_it(number: int, result: LoopResult, code: str) -> None:
    found = answered(facts(review=review(**{f"_{number}": result})))
    assert [(reason.code, reason.loop) for reason in found.reasons] == [(code, number)]
    assert not found.is_open


@pytest.mark.parametrize(
    ("loop", "result", "state"),
    [
        (Loop(number=1), LoopResult(), "unreported"),
        (Loop(number=1), LoopResult(report=PASSED), "passed"),
        (Loop(number=1), LoopResult(run=PASSED), "unreported"),
        (Loop(number=1, commands=COMMANDS, report=True), LoopResult(run=PASSED), "unreported"),
        (Loop(number=1, commands=COMMANDS, report=True), LoopResult(report=PASSED), "missing"),
        (Loop(number=1, commands=COMMANDS, report=True), LoopResult(run=PASSED, report=PASSED), "passed"),
        (Loop(number=1, commands=COMMANDS, skip="why"), LoopResult(), "skipped"),
        (Loop(number=1, skip="why"), LoopResult(report=FAILED), "failed"),
        (Loop(number=1, skip="why"), LoopResult(report=PASSED), "passed"),
        (Loop(number=1, skip="why"), LoopResult(report=replace(PASSED, covers=False)), "skipped"),
    ],
)
def test_what_a_loop_asks_for(loop: Loop, result: LoopResult, state: str) -> None:
    assert loop_answer(loop, result).state == state


def test_a_review_of_something_else_is_stale_and_none_is_none() -> None:
    assert codes(facts(review=None)) == ["no-review"]
    found = answered(facts(review=None, latest=review(), changed=["a", "b", "c", "d"]))
    (reason,) = found.reasons
    assert (reason.code, "a, b, c and 1 more changed since" in reason.message) == ("stale-review", True)


def test_loops_that_are_all_skipped_are_no_review() -> None:
    skipped = policy(skip="prose only")
    nothing = replace(review(), loops={})
    for known in (None, nothing):
        found = answered(facts(policy=skipped, review=known))
        assert [reason.code for reason in found.reasons] == ["no-review"]
        assert ("every loop is skipped" in found.reasons[0].message, found.is_open) == (True, False)
    looked = replace(review(), loops={3: LoopResult(report=PASSED)})
    assert answered(facts(policy=skipped, review=looked)).is_open


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"changed": ["a"]}, "the last review was of other bytes at this commit, h: a changed since"),
        ({"changed": ["a"], "head": "i"}, "the review is for commit h, current is i: a changed since"),
        ({"extra": "dist"}, "at this commit, h: files that git ignores and the config ships changed since"),
        ({"is_config_other": True}, "at this commit, h: the loops were configured differently"),
        ({}, "the last review was of other bytes at this commit, h: the tree is another one"),
    ],
)
def test_a_stale_review_says_what_differs(more: dict[str, Any], says: str) -> None:
    (reason,) = answered(facts(review=None, latest=review(), **more)).reasons
    assert reason.message.endswith(says)


def test_evidence_that_cannot_be_read_closes_it_whatever_else_is_so() -> None:
    assert codes(facts(unreadable=["reviews"])) == ["corrupt-state"]
    assert codes(facts(tree=None)) == ["corrupt-state"]


def test_what_the_ledger_says_closes_it() -> None:
    reason = GateReason(code="undecided", message="2 changes", hint="decide")
    assert codes(facts(others=[reason])) == ["undecided"]


def override(**more: str) -> Override:
    given = {"by": "ada", "reason": "down", "at": "1", "expires": "9", "tree": "t"}
    return Override(number=1, **{**given, **more})


@pytest.mark.parametrize(
    ("more", "counts"),
    [
        ({}, True),
        ({"tree": "u"}, False),
        ({"expires": "5"}, False),
        ({"at": "6"}, False),
        ({"reason": ""}, False),
    ],
)
def test_an_override_counts_for_one_tree_and_a_while(more: dict[str, str], counts: bool) -> None:
    found = answered(facts(review=None, overrides=[override(**more)]))
    assert (found.is_open, found.override is not None) == (counts, counts)
    # It passes over the reasons, and does not take them away.
    assert [reason.code for reason in found.reasons] == ["no-review"]
    assert override_in_force([override(**more)], None, "5") is None


outcomes = st.one_of(
    st.none(),
    st.builds(LoopOutcome, passed=st.booleans(), at=st.just("1"), by=st.just("x"), covers=st.booleans()),
)
results = st.builds(LoopResult, run=outcomes, report=outcomes)
loops = st.builds(
    Loop,
    number=st.just(1),
    commands=st.sampled_from([(), COMMANDS]),
    report=st.booleans(),
    skip=st.sampled_from(["", "why"]),
)


@given(loops, results)
def test_no_loop_passes_without_what_it_asks_for(loop: Loop, result: LoopResult) -> None:
    if not loop_answer(loop, result).passed:
        return
    assert all(one is None or one.passed for one in (result.run, result.report))
    if loop.skip:
        return
    if loop.commands:
        assert result.run is not None
        assert result.run.covers
    if loop.needs_report:
        assert result.report is not None


def test_files_that_are_committed_have_the_bytes_that_were_reviewed() -> None:
    reviewed = {"a": (0o100644, "1"), "b": (0o100644, "2")}
    assert disagreeing({"a": (0o100644, "1"), "gone": None}, reviewed) == []
    assert disagreeing({"a": (0o100755, "1"), "b": None, "c": (0o100644, "3")}, reviewed) == ["a", "b", "c"]


REVIEW = "run: blueline review (in Claude Code: /review)"


@pytest.mark.parametrize(
    ("result", "message", "hint"),
    [
        (
            LoopResult(),
            "loop 2 (standards) has not been run for this tree",
            "run: blueline review --loops 2",
        ),
        (
            LoopResult(run=replace(PASSED, covers=False), report=PASSED),
            "loop 2 (standards) has looked at some of the files only",
            "run: blueline review --loops 2",
        ),
        (
            LoopResult(run=PASSED),
            "loop 2 (standards) has no report for this tree",
            "let an agent run /review, or: blueline loop record 2 --passed",
        ),
        (
            LoopResult(
                run=FAILED, report=replace(FAILED, findings=(Finding(severity="error", message="b"),))
            ),
            "loop 2 (standards) failed: a.py:3: bad and 1 more",
            f"put that right, then {REVIEW}",
        ),
        (
            LoopResult(run=replace(FAILED, findings=(Finding(severity="warning", message="w"),))),
            "loop 2 (standards) failed: no details",
            f"put that right, then {REVIEW}",
        ),
    ],
)
def test_each_reason_says_what_it_is_and_what_to_do(result: LoopResult, message: str, hint: str) -> None:
    asked = Policy(loops={**policy().loops, 2: Loop(number=2, commands=COMMANDS, report=True)}, digest="c")
    found = answered(facts(policy=asked, review=review(_2=result)))
    (reason,) = found.reasons
    assert (reason.message, reason.hint, reason.loop) == (message, hint, 2)
    assert [loop.loop for loop in found.loops] == [1, 2, 3, 4]


def test_reasons_without_a_review_say_what_to_do() -> None:
    for known, message, hint in (
        (facts(review=None), "no review has been run", REVIEW),
        (
            facts(review=None, policy=policy(skip="x")),
            "every loop is skipped, and that is no review",
            "look at it, then: blueline loop record 1 --passed",
        ),
        (
            facts(unreadable=["reviews"]),
            "the review state cannot be read: reviews",
            "look at that file, or remove it and run: blueline review",
        ),
        (facts(tree=None), "what would ship cannot be read", "see whether git works here: git status"),
    ):
        (reason,) = answered(known).reasons
        assert (reason.message, reason.hint) == (message, hint)


@pytest.mark.parametrize(
    ("finding", "line"),
    [
        (Finding(severity="error", message="a\n  b", file="x.py", line=3), "x.py:3: a b"),
        (Finding(severity="error", message="a", file="x.py"), "x.py: a"),
        (Finding(severity="error", message="a", line=3), "a"),
    ],
)
def test_a_finding_is_one_line(finding: Finding, line: str) -> None:
    assert blocker(finding) == line


def test_an_override_counts_from_its_moment_on_and_not_at_its_end() -> None:
    assert override_in_force([override(at="5")], "t", "5") is not None
    assert override_in_force([override(expires="5")], "t", "5") is None
    last = replace(override(), number=2)
    assert override_in_force([override(), last], "t", "5") == last


def test_every_requirement_is_shown_with_how_it_is_known() -> None:
    old = replace(review(), tree="old tree, long")
    for known, step in (
        (facts(), ("a review of exactly this tree and config", True, "reviewed at 1, tree t, config c")),
        (
            facts(review=None, latest=old),
            (
                "a review of exactly this tree and config",
                False,
                "the last review was of tree old tree, lo, this is t",
            ),
        ),
        (facts(review=None), ("a review of exactly this tree and config", False, "there is no review")),
        (facts(), ("loop 1 passed (builds and basic checks)", True, "passed at 1 by ada")),
        (
            facts(policy=policy(skip="slow"), review=replace(review(), loops={})),
            ("loop 1 passed (builds and basic checks)", True, "skipped: slow"),
        ),
        (facts(), ("the evidence can be read", True, "all of it")),
        (facts(unreadable=["a", "b"]), ("the evidence can be read", False, "a, b")),
        (facts(), ("every change by an agent is decided", True, "nothing found")),
        (
            facts(others=[GateReason(code="undecided", message=m, hint="") for m in ("one", "two")]),
            ("every change by an agent is decided", False, "one; two"),
        ),
    ):
        assert step in answered(known).steps


def test_three_names_are_said_and_the_rest_counted() -> None:
    for names, said in (
        (["a", "b", "c"], ": a, b, c changed since"),
        (["a"] * 5, ": a, a, a and 2 more changed"),
    ):
        (reason,) = answered(facts(review=None, latest=review(), changed=names)).reasons
        assert said in reason.message


def test_evidence_that_cannot_be_read_is_named_with_what_to_do() -> None:
    (unread,) = (one for one in answered(facts(unreadable=("x.json",))).reasons if one.about)
    assert unread == GateReason(
        code="corrupt-state",
        message="the review state cannot be read: x.json",
        hint="look at that file, or remove it and run: blueline review",
        about=("x.json",),
    )
    for told, hint in (("mend it", "mend it"), ("", "see: git status")):
        reason = answered(facts(cannot_tell=("no objects", told))).reasons[0]
        assert reason == GateReason(
            code="corrupt-state", message="what would ship cannot be read: no objects", hint=hint
        )
    reason = answered(facts(tree=None)).reasons[0]
    assert reason == GateReason(
        code="corrupt-state",
        message="what would ship cannot be read",
        hint="see whether git works here: git status",
    )
    # What is known to be unreadable is not said twice.
    both = answered(facts(tree=None, unreadable=("x.json",))).reasons
    assert [one.message for one in both if one.code == "corrupt-state"] == [unread.message]


@pytest.mark.parametrize(
    ("latest", "here", "about"),
    [
        ("a" * 40, "b" * 40, f"the review is for commit {'a' * 12}, current is {'b' * 12}"),
        ("", "b" * 40, f"the review is for commit none, current is {'b' * 12}"),
        ("a" * 40, "", f"the review is for commit {'a' * 12}, current is none"),
        ("a" * 40, "a" * 40, f"the last review was of other bytes at this commit, {'a' * 12}"),
    ],
)
def test_a_stale_review_names_both_commits_and_the_files(latest: str, here: str, about: str) -> None:
    (reason,) = answered(
        facts(review=None, latest=replace(review(), head=latest), head=here, changed=("a.py", "b.py"))
    ).reasons
    assert (reason.code, reason.about) == ("stale-review", ("a.py", "b.py"))
    assert reason.message == f"{about}: a.py, b.py changed since"
    assert "blueline review" in reason.hint


def test_a_failed_loop_names_what_blocks_it_and_nothing_milder() -> None:
    mild = Finding(severity="warning", message="hm")
    worse = [Finding(severity="error", message=text) for text in ("first", "second", "third")]
    outcome = replace(FAILED, findings=(mild, *worse))
    (reason,) = answered(facts(review=review(_2=LoopResult(run=outcome)))).reasons
    assert (reason.about, reason.loop) == (("first", "second", "third"), 2)
    assert reason.message.endswith("failed: first and 2 more")
    outcome = replace(FAILED, findings=tuple(worse[:2]))
    (two,) = answered(facts(review=review(_2=LoopResult(run=outcome)))).reasons
    assert two.message.endswith("failed: first and 1 more")
    outcome = replace(FAILED, findings=tuple(worse[:1]))
    (one,) = answered(facts(review=review(_2=LoopResult(run=outcome)))).reasons
    assert one.message.endswith("failed: first")
    (bare,) = answered(facts(review=review(_2=LoopResult(run=replace(FAILED, findings=(mild,)))))).reasons
    assert bare.message.endswith("failed: no details")
    assert bare.hint == "put that right, then run: blueline review (in Claude Code: /review)"


def test_steps_say_what_cannot_be_read_and_which_trees_were_meant() -> None:
    steps = answered(facts(unreadable=("x.json",), cannot_tell=("no objects", "mend it"))).steps
    assert steps[0] == ("the evidence can be read", False, "x.json, no objects")
    was = replace(review(), tree="1" * 40, config="2" * 40, at="then")
    assert answered(facts(review=was)).steps[1] == (
        "a review of exactly this tree and config",
        True,
        f"reviewed at then, tree {'1' * 12}, config {'2' * 12}",
    )
    for tree, name in (("3" * 40, "3" * 12), (None, "unknown")):
        step = answered(facts(review=None, latest=was, tree=tree)).steps[1]
        assert step[1:] == (False, f"the last review was of tree {'1' * 12}, this is {name}")
    assert answered(facts(review=None)).steps[1][1:] == (False, "there is no review")


def test_what_a_loop_still_needs_is_said() -> None:
    loop = Loop(number=1, commands=COMMANDS, report=True)
    assert loop_answer(loop, LoopResult()).needs == ("commands", "report")
    assert loop_answer(loop, LoopResult(run=PASSED)).needs == ("report",)
    answer = loop_answer(
        loop, LoopResult(run=replace(PASSED, at="1", by="ada"), report=replace(PASSED, at="2", by="bob"))
    )
    assert (answer.needs, answer.at, answer.by, answer.findings) == ((), "2", "bob", ())
    assert loop_answer(loop, LoopResult()).by == ""
