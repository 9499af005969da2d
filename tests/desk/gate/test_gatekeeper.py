"""What opens the gate and what closes it, from the outside."""

from __future__ import annotations

from tests.gate.yard import Yard


def test_without_a_review_it_is_closed(yard: Yard) -> None:
    found = yard.gate()
    assert [one["code"] for one in found["reasons"]] == ["no-review"]
    assert "blueline review" in found["reasons"][0]["hint"]
    assert (found["tree"], found["head"]) == (
        yard.git("rev-parse", "HEAD^{tree}").strip(),
        yard.git("rev-parse", "HEAD").strip(),
    )
    assert [loop["passed"] for loop in found["loops"]] == [False] * 4


def test_four_loops_that_passed_open_it(yard: Yard) -> None:
    yard.open()
    found = yard.gate()
    assert [loop["passed"] for loop in found["loops"]] == [True] * 4
    assert yard.run("gate").out.startswith("open")
    assert yard.run("status", "--json").document["gate"]["open"]


def test_qg1_one_byte_after_approval_closes_it_and_the_same_bytes_open_it_again(yard: Yard) -> None:
    yard.open()
    yard.put("a.md", "onf\n")
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["about"]) == ("stale-review", ["a.md"])
    yard.put("a.md", "one\n")
    assert yard.gate()["open"]


def test_a_rejected_change_makes_the_review_stale(yard: Yard) -> None:
    yard.project.prompt()
    yard.project.edit("a.md", "one", "ONE")
    yard.trust()
    yard.review()
    yard.project.reject()
    assert yard.codes() == ["stale-review"]


def test_a_failed_loop_is_named_with_its_blockers(yard: Yard) -> None:
    yard.put("BROKEN-2", "")
    yard.trust()
    said = yard.review()
    assert said.code == 1
    reasons = yard.gate()["reasons"]
    assert [(one["code"], one["loop"]) for one in reasons] == [
        ("loop-failed", 2),
        ("no-review", 3),
        ("no-review", 4),
    ]
    assert "it gave 1" in reasons[0]["about"][0]
    # A loop starts only if the one before it passed.
    assert said.document["ran"] == [1, 2]


def test_the_reasons_of_a_stale_review_name_both_commits(yard: Yard) -> None:
    yard.open()
    old = yard.git("rev-parse", "HEAD")[:12]
    yard.put("a.md", "two\n")
    yard.commit("more")
    (reason,) = yard.gate()["reasons"]
    assert f"commit {old}" in reason["message"]
    assert f"current is {yard.git('rev-parse', 'HEAD')[:12]}" in reason["message"]
