"""Ship: through the gate or not at all, and what lands is what was approved."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.gate.yard import Yard


def hook(yard: Yard, name: str, script: str) -> Path:
    place = yard.root / ".git" / "hooks" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return place


def test_nothing_is_done_when_it_is_closed(yard: Yard) -> None:
    yard.put("a.md", "two\n")
    before = yard.git("rev-parse", "HEAD"), yard.git("status", "--porcelain"), yard.there()
    said = yard.run("ship", "--json")
    assert (said.code, said.document["open"]) == (10, False)
    assert said.document["reasons"][0]["code"] == "no-review"
    assert said.document["error"]
    said = yard.run("ship")
    assert (said.code, "Nothing was shipped" in said.out) == (10, True)
    assert (yard.git("rev-parse", "HEAD"), yard.git("status", "--porcelain"), yard.there()) == before


def test_it_commits_and_pushes_what_was_approved(yard: Yard) -> None:
    yard.put("a.md", "two\n")
    yard.put("new/b.md", "new\n")
    yard.open()
    tree = yard.gate()["tree"]
    said = yard.run("ship", "--json", "--message", "Two files")
    assert said.code == 0, said
    done = said.document
    assert (done["pushed"], done["verified"], done["tree"]) == (True, True, tree)
    assert yard.there() == done["commit"] == yard.git("rev-parse", "HEAD").strip()
    assert yard.git("log", "-1", "--format=%s").strip() == "Two files"
    assert yard.git("status", "--porcelain") == ""
    # A second time there is nothing left to do, and nothing is done.
    again = yard.run("ship", "--json").document
    assert (again["commit"], again["committed"], again["pushed"]) == (done["commit"], False, False)
    for words in ((), ("--dry-run",)):
        said = yard.run("ship", *words)
        assert (said.code, "Nothing to ship: origin/main has all of it" in said.out) == (0, True)


def test_a_dry_run_does_nothing(yard: Yard) -> None:
    yard.put("a.md", "two\n")
    yard.open()
    before = yard.git("rev-parse", "HEAD"), yard.git("status", "--porcelain"), yard.there()
    said = yard.run("ship", "--dry-run", "--json")
    assert (said.code, said.document["dry_run"], said.document["commits"]) == (0, True, True)
    assert (yard.git("rev-parse", "HEAD"), yard.git("status", "--porcelain"), yard.there()) == before


def test_a_git_hook_that_changes_the_commit_keeps_it_from_being_pushed(yard: Yard) -> None:
    yard.put("a.md", "two\n")
    yard.open()
    hook(yard, "pre-commit", "echo sneaky >> a.md; git add a.md")
    before = yard.there()
    said = yard.run("ship", "--json")
    assert said.code == 1
    assert "not what was approved" in said.document["error"] or "does not hold" in said.document["error"]
    assert yard.there() == before


def test_a_change_between_gate_and_commit_is_noticed(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    from blueline.gate import ship

    yard.put("a.md", "two\n")
    yard.open()
    real = ship.prepared

    def prepared(*given: Any) -> Any:
        plan = real(*given)
        yard.put("a.md", "three\n")
        return plan

    monkeypatch.setattr(ship, "prepared", prepared)
    before = yard.git("rev-parse", "HEAD"), yard.there()
    said = yard.run("ship", "--json")
    assert (said.code, "nothing was committed" in said.document["error"]) == (1, True)
    assert (yard.git("rev-parse", "HEAD"), yard.there()) == before
    assert yard.git("diff", "--cached", "--name-only") == ""


def test_a_remote_that_refuses_is_told(yard: Yard) -> None:
    yard.put("a.md", "two\n")
    yard.open()
    refusing = yard.remote / "hooks" / "pre-receive"
    refusing.parent.mkdir(exist_ok=True)
    refusing.write_text("#!/bin/sh\necho not on a Friday >&2\nexit 1\n")
    refusing.chmod(0o755)
    said = yard.run("ship", "--json")
    assert (said.code, "not on a Friday" in said.document["error"]) == (1, True)
    assert ("\n" in said.document["error"], "\\n" in yard.run("ship").err) == (False, False)


def test_a_remote_that_makes_something_else_of_it_is_noticed(yard: Yard) -> None:
    yard.put("a.md", "two\n")
    yard.open()
    before = yard.there()
    changing = yard.remote / "hooks" / "post-receive"
    changing.parent.mkdir(exist_ok=True)
    changing.write_text(f"#!/bin/sh\ngit update-ref refs/heads/main {before}\n")
    changing.chmod(0o755)
    said = yard.run("ship", "--json")
    assert said.code == 1
    assert "was approved" in said.document["error"]


def test_without_a_remote_it_only_commits(yard: Yard) -> None:
    yard.git("remote", "remove", "origin")
    yard.put("a.md", "two\n")
    yard.open()
    said = yard.run("ship", "--json")
    assert (said.code, said.document["pushed"]) == (0, False)
    assert "no remote" in " ".join(said.document["notes"])


def test_settings_of_this_machine_are_not_shipped(yard: Yard) -> None:
    yard.run("init", "--agent", "claude-code")
    assert yard.project.exists(".claude/settings.local.json")
    yard.open()
    yard.put(".claude/settings.local.json", yard.project.text(".claude/settings.local.json") + "\n")
    assert yard.gate()["open"]
    assert yard.run("ship", "--json").code == 0
    assert ".claude/settings.local.json" not in yard.git("ls-tree", "-r", "--name-only", "HEAD")
    # Where it is tracked, it is content like any other.
    yard.git("add", "-f", ".claude/settings.local.json")
    assert yard.codes() == ["stale-review"]


def test_z37_odd_names_are_reviewed_and_shipped_as_they_are(yard: Yard) -> None:
    names = [b"caf\xe9.txt", b"new\nline", b"-dash", b":(top)colon", b"sp ace", "p\u0430yments".encode()]
    for name in names:
        with open(os.path.join(os.fsencode(yard.root), name), "wb") as file:
            file.write(name)
    yard.open()
    for name in names:
        place = os.path.join(os.fsencode(yard.root), name)
        with open(place, "ab") as file:
            file.write(b"!")
        assert yard.codes() == ["stale-review"]
        assert yard.run("gate").code == 10
        with open(place, "wb") as file:
            file.write(name)
    done = yard.run("ship", "--json")
    assert done.code == 0, done
    listed = subprocess.run(
        ["git", "ls-tree", "-z", "--name-only", "HEAD"], cwd=yard.root, capture_output=True, check=True
    )
    assert {*names} <= {*listed.stdout.split(b"\0")}
    assert yard.gate("--commit", "HEAD")["open"]


def test_the_first_commit_of_a_repository(yard: Yard) -> None:
    yard.project.shell("rm -rf .git && git init -q -b main")
    yard.git("remote", "add", "origin", str(yard.remote))
    yard.git("checkout", "-q", "--orphan", "fresh")
    yard.open()
    done = yard.run("ship", "--json", "--message", "first", "--no-pr")
    assert done.code == 0, done
    assert yard.there("refs/heads/fresh") == done.document["commit"]


def test_without_a_branch_nothing_is_shipped(yard: Yard) -> None:
    yard.git("checkout", "-q", "--detach")
    yard.put("a.md", "two\n")
    yard.open()
    said = yard.run("ship", "--json")
    assert (said.code, "no branch" in said.document["error"]) == (1, True)


def test_a_merge_that_is_not_finished_is_not_shipped(yard: Yard) -> None:
    yard.git("checkout", "-q", "-b", "other")
    yard.put("a.md", "theirs\n")
    yard.commit("theirs")
    yard.git("checkout", "-q", "main")
    yard.put("a.md", "ours\n")
    yard.commit("ours")
    yard.project.shell("git merge -q other || true")
    yard.trust()
    yard.review()
    (reason,) = yard.gate()["reasons"]
    assert (reason["code"], reason["about"]) == ("incomplete", ["a.md"])
    assert yard.run("ship", "--json").code == 10
    yard.put("a.md", "both\n")
    yard.git("add", "a.md")
    yard.review()
    assert yard.run("ship", "--json").code == 0
    assert len(yard.git("log", "-1", "--format=%P").split()) == 2
