"""What opens the gate and what closes it, from the outside."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.gate.yard import Make, Yard


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


@pytest.mark.parametrize(
    "change",
    [
        "chmod +x a.md",
        "rm a.md",
        "touch new",
        "mv a.md b.md",
        "ln -sf a.md link",
        "printf 'one' > a.md",
        "printf 'one\\r\\n' > a.md",
        "git rm -q --cached a.md && echo a.md >> .gitignore",
    ],
)
def test_any_change_of_what_would_ship_closes_it(yard: Yard, change: str) -> None:
    yard.open()
    yard.project.shell(change)
    assert yard.codes() == ["stale-review"]


def test_a_change_of_what_git_ignores_does_not_ship(yard: Yard) -> None:
    yard.open()
    yard.put("out/built", "anything")
    assert yard.gate()["open"]


def test_qg4_a_rebase_with_identical_bytes_does_not_close_it(yard: Yard) -> None:
    yard.put("b.md", "two\n")
    yard.commit("second")
    yard.open()
    before = yard.git("rev-parse", "HEAD")
    yard.git("checkout", "-q", "-b", "other", "HEAD~1")
    yard.commit("a commit without content")
    yard.git("checkout", "-q", "main")
    yard.git("rebase", "-q", "other")
    assert yard.git("rev-parse", "HEAD") != before
    assert yard.gate()["open"]


def test_qg4_a_rebase_onto_other_bytes_closes_it(yard: Yard) -> None:
    yard.put("b.md", "two\n")
    yard.commit("second")
    yard.open()
    yard.git("checkout", "-q", "-b", "other", "HEAD~1")
    yard.put("c.md", "from elsewhere\n")
    yard.commit("third")
    yard.git("checkout", "-q", "main")
    yard.git("rebase", "-q", "other")
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["about"]) == ("stale-review", ["c.md"])


def test_qg5_bytes_that_nobody_claims_are_listed(yard: Yard) -> None:
    yard.open()
    yard.project.shell("printf 'generated\\n' > gen.py && printf 'formatted\\n' > a.md")
    (reason,) = yard.gate()["reasons"]
    assert reason["about"] == ["a.md", "gen.py"]


def test_qg6_amend_squash_cherry_pick_and_merge_give_the_same_answer(yard: Yard) -> None:
    yard.put("b.md", "two\n")
    yard.open()
    yard.commit("second")
    assert yard.gate()["open"]
    yard.git("commit", "-q", "--amend", "--no-verify", "-m", "another message")
    assert yard.gate()["open"]
    tip = yard.git("rev-parse", "HEAD").strip()
    yard.git("reset", "-q", "--hard", "HEAD~1")
    assert yard.codes() == ["stale-review"]
    yard.git("cherry-pick", tip)
    assert yard.gate()["open"]
    yard.git("reset", "-q", "--hard", "HEAD~1")
    yard.git("merge", "-q", "--no-ff", "-m", "merged", tip)
    assert yard.gate()["open"]
    assert yard.gate("--commit", tip)["open"]


def test_qg16_a_submodule_pointer_is_content(yard: Yard, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    subprocess.run(["git", "init", "-q", str(inner)], check=True)
    commit = ["git", "-C", str(inner), "commit", "-q", "--allow-empty", "-m"]
    subprocess.run([*commit, "one"], check=True)
    yard.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    yard.commit("with a submodule")
    yard.open()
    subprocess.run(
        ["git", "-C", str(yard.root / "sub"), "commit", "-q", "--allow-empty", "-m", "x"], check=True
    )
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["about"]) == ("stale-review", ["sub"])


@pytest.mark.parametrize("path", ["package-lock.json", "vendor/x.c", "big.bin"])
def test_qg16_lock_files_and_vendored_folders_are_content(yard: Yard, path: str) -> None:
    yard.put(path, "version https://git-lfs.github.com/spec/v1\noid sha256:00\n")
    yard.commit("more")
    yard.open()
    yard.put(path, "version https://git-lfs.github.com/spec/v1\noid sha256:01\n")
    (reason,) = yard.gate()["reasons"]
    assert reason["about"] == [path]


def test_qg19_what_is_ignored_and_shipped_counts_where_the_config_says_so(make: Make) -> None:
    yard = make(
        '[review]\nshipped = ["out"]\n' + "".join(f'[review.loops.{n}]\ncommands=["true"]\n' for n in "1234")
    )
    yard.put("out/image", "one")
    yard.open()
    yard.put("out/image", "two")
    assert yard.codes() == ["stale-review"]


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


def test_the_reasons_of_a_stale_review_name_both_commits(yard: Yard) -> None:
    yard.open()
    old = yard.git("rev-parse", "HEAD")[:12]
    yard.put("a.md", "two\n")
    yard.commit("more")
    (reason,) = yard.gate()["reasons"]
    assert f"commit {old}" in reason["message"]
    assert f"current is {yard.git('rev-parse', 'HEAD')[:12]}" in reason["message"]


def test_explain_says_how_everything_is_known(yard: Yard) -> None:
    yard.open()
    said = yard.run("gate", "--explain")
    assert said.code == 0
    assert said.out.count("\n  yes  ") == len(yard.gate()["steps"])


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


def test_a_project_outside_of_git_has_a_tree_of_its_own(make: Make) -> None:
    yard = make("")
    yard.project.shell("rm -rf .git")
    for n in "1234":
        assert yard.run("loop", "record", n, "--passed").code == 0
    assert yard.gate()["open"]
    yard.put("a.md", "two\n")
    assert yard.codes() == ["stale-review"]


def test_the_state_for_other_programs_has_the_schema_they_know(yard: Yard) -> None:
    yard.put("BROKEN-3", "")
    yard.trust()
    yard.review()
    found = json.loads((yard.state / "loop-state.json").read_text())
    assert found["head_commit"] == yard.git("rev-parse", "HEAD").strip()
    assert [found[f"loop_{n}_passed"] for n in "1234"] == [True, True, False, False]
    assert found["ship_allowed"] is False
    assert found["blockers"]
    (issue,) = found["loop_details"]["loop_3"]["issues"]
    assert issue["severity"] == "error"
    assert set(found) == {
        "head_commit", "timestamp", "ship_allowed", "blockers", "loop_details",
        *(f"loop_{n}_passed" for n in "1234"),
    }  # fmt: skip
    (yard.root / "BROKEN-3").unlink()
    yard.review()
    found = json.loads((yard.state / "loop-state.json").read_text())
    assert (found["ship_allowed"], found["blockers"]) == (True, [])


@pytest.mark.parametrize("mark", ["assume-unchanged", "skip-worktree"])
def test_files_that_git_was_told_not_to_look_at_are_looked_at(yard: Yard, mark: str) -> None:
    yard.git("update-index", f"--{mark}", "a.md")
    yard.open()
    # What would be tested is on disk, and what would be shipped is not.
    yard.put("a.md", "good enough for the tests\n")
    assert yard.review().code == 0
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["about"]) == ("incomplete", ["a.md"])
    (yard.root / "a.md").unlink()
    assert "incomplete" not in yard.codes()


def test_a_project_in_a_folder_of_a_repository(yard: Yard, tmp_path: Path) -> None:
    # The repository begins above the project; what ships is all of it.
    outer = yard.root.parent
    yard.project.shell("rm -rf .git && rm -rf ../remote.git && git init -q -b main ..")
    (outer / ".gitignore").write_text("home/\n")
    (outer / "other.txt").write_text("beside the project\n")
    subprocess.run(["git", "add", "-A"], cwd=outer, check=True)
    subprocess.run(["git", "commit", "-qm", "all"], cwd=outer, check=True)
    yard.open()
    assert yard.gate("--commit", "HEAD")["open"]
    yard.project.prompt()
    yard.project.edit("a.md", "one", "ONE")
    assert yard.gate("--commit", "HEAD")["open"]
    subprocess.run(["git", "commit", "-qam", "undecided"], cwd=outer, check=True)
    assert "undecided" in yard.codes("--commit", "HEAD")
    yard.project.accept()
    assert yard.review("--scope", "a.md").code == 0
    (outer / "other.txt").write_text("changed\n")
    (reason,) = yard.gate()["reasons"]
    assert reason["about"] == ["other.txt"]
    assert yard.review().code == 0
    done = yard.run("ship", "--json", "--message", "all of it")
    assert done.code == 0, done
    assert (
        subprocess.run(["git", "status", "--short"], cwd=outer, capture_output=True, check=True).stdout == b""
    )
