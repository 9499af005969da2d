"""What the gate looks at: files, commits, the config, and what is undecided in them."""

from __future__ import annotations

from tests.gate.yard import Yard


def test_qg5_bytes_that_nobody_claims_are_listed(yard: Yard) -> None:
    yard.open()
    yard.project.shell("printf 'generated\\n' > gen.py && printf 'formatted\\n' > a.md")
    (reason,) = yard.gate()["reasons"]
    assert reason["about"] == ["a.md", "gen.py"]


def test_undecided_changes_close_it_and_are_named(yard: Yard) -> None:
    yard.project.prompt()
    yard.project.edit("a.md", "one", "ONE")
    yard.trust()
    yard.review()
    (reason,) = yard.gate()["reasons"]
    (hunk,) = yard.project.hunks()
    assert (reason["code"], reason["about"]) == ("undecided", [hunk["id"]])
    yard.project.accept()
    assert yard.gate()["open"]


def test_another_config_closes_it(yard: Yard) -> None:
    yard.open()
    yard.configure("[review.loops.1]\ncommands = ['true']\n")
    yard.git("commit", "-q", "--no-verify", "-am", "other loops")
    (reason,) = yard.gate()["reasons"]
    assert reason["code"] == "stale-review"
    assert "configured differently" in reason["message"]


def test_a_config_that_cannot_be_used_closes_it(yard: Yard) -> None:
    yard.open()
    yard.configure("[review.loops.9]\n")
    assert "corrupt-state" in yard.codes()


def test_qg14_what_is_pushed_is_asked_about_and_not_what_is_here(yard: Yard) -> None:
    yard.put("b.md", "two\n")
    yard.open()
    yard.commit("second")
    good = yard.git("rev-parse", "HEAD").strip()
    yard.put("b.md", "changed after the approval\n")
    assert yard.codes() == ["stale-review"]
    assert yard.gate("--commit", good)["open"]
    yard.commit("third")
    assert yard.codes("--commit", "HEAD") == ["stale-review"]


def test_undecided_changes_that_are_not_in_a_commit_do_not_close_it(yard: Yard) -> None:
    yard.open()
    yard.project.prompt()
    yard.project.edit("a.md", "one", "ONE")
    assert "undecided" in yard.codes()
    assert yard.gate("--commit", "HEAD")["open"]
    yard.commit("the agent's change, undecided")
    assert "undecided" in yard.codes("--commit", "HEAD")
