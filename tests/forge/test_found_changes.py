"""What can be offered: from the ledger, a range, or the work tree."""

from __future__ import annotations

from tests.forge.ground import run_git
from tests.forge.pending_place import Place


def test_a_range_and_the_work_tree_can_be_offered(place: Place) -> None:
    place.project.put("docs/new.md", "hello\n")
    paths = [
        one["path"] for one in place.json("suggest", "--issue", "5", "--worktree", "--dry-run")["suggestions"]
    ]
    assert paths == [".blueline/config.toml", "a.py", "docs/new.md"]
    run_git(place.root, "add", "docs/new.md")
    run_git(place.root, "commit", "-q", "-m", "greet somebody")
    done = place.json("suggest", "--issue", "5", "--range", "HEAD~1..HEAD")
    assert [(one["path"], one["rationale"]) for one in done["suggestions"]] == [
        ("docs/new.md", "greet somebody")
    ]
    assert place.project.text("docs/new.md") == "hello\n"


def test_an_unpushed_edit_of_a_person_does_not_hinder(place: Place) -> None:
    lines = "".join(f"{n}\n" for n in range(20))
    run_git(place.root, "checkout", "-q", "main")
    place.project.put("long.txt", lines)
    run_git(place.root, "add", "long.txt")
    run_git(place.root, "commit", "-q", "-m", "long")
    run_git(place.root, "push", "-q", "origin", "main")
    place.project.put("long.txt", lines.replace("2\n", "two\n", 1))
    place.project.edit("long.txt", "17\n", "seventeen\n")
    done = place.json("suggest", "--issue", "5", "long.txt")
    (one,) = done["suggestions"]
    assert one["old"] == lines
    assert one["new"] == lines.replace("17\n", "seventeen\n")
    place.event("/apply 1")
    assert place.content("long.txt") == lines.replace("17\n", "seventeen\n")


def test_a_file_that_an_agent_made_is_offered_whole_with_what_others_wrote_in_it(place: Place) -> None:
    place.project.write("fresh.py", "one = 1\nthree = 3\n")
    place.project.hunks()
    place.project.put("fresh.py", "one = 1\ntwo = 2  # mine\nthree = 3\n")
    done = place.json("suggest", "--issue", "5", "fresh.py", "--dry-run")
    (one,) = done["suggestions"]
    assert (one["action"], one["new"]) == ("create", "one = 1\ntwo = 2  # mine\nthree = 3\n")


def test_a_file_of_a_person_that_was_never_pushed_is_not_given_away(place: Place) -> None:
    place.project.put("diary.txt", "dear diary\nmy secret\n")
    place.project.edit("diary.txt", "dear", "Dear")
    done = place.json("suggest", "--issue", "5")
    assert [one["path"] for one in done["left"]] == ["diary.txt"]
    assert "my secret" not in "".join(place.github.bodies())


def test_secrets_are_offered_to_nobody(place: Place) -> None:
    place.project.write(".env", "PASSWORD=hunter2\n")
    done = place.json("suggest", "--issue", "5")
    assert [one["path"] for one in done["left"]] == [".env"]
    assert [one["path"] for one in done["suggestions"]] == ["a.py"]
    assert "hunter2" not in "".join(place.github.bodies())
    assert len(place.project.hunks(".env")) == 1
