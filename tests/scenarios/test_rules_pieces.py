"""The fine points of the weave: what a piece is, and what becomes of it (rules A)."""

from __future__ import annotations

import shutil
from functools import partial

import pytest

from tests.support.project import POEM, Make, Project


def test_rule_a9_what_shows_nowhere_is_not_listed_but_taken_along(project: Make) -> None:
    p = project({"a.md": "top\nend\n"})
    p.prompt("first")
    p.write("temporary.md", "for a moment\n")
    p.remove("temporary.md")
    assert (p.hunks(), p.gate()) == ([], [])
    p.edit("a.md", "top\n", "top\nfirst thought\n")
    p.prompt("second")
    p.edit("a.md", "first thought\n", "quite another idea\n")
    (hunk,) = p.hunks()
    assert (hunk["new"], p.gate()) == ("quite another idea\n", ["undecided"])
    for selectors in ((), ("a.md",)):
        p.reject(*selectors)
        assert (p.text("a.md"), p.exists("temporary.md")) == ("top\nend\n", False)
        p.undo()
    p.reject(p.turn("second"), p.turn("first"))
    assert p.text("a.md") == "top\nend\n"
    p.undo()
    # Alone, the rewrite uncovers what it covered.
    p.reject(hunk["id"])
    assert p.text("a.md") == "top\nfirst thought\nend\n"
    assert [one["new"] for one in p.hunks()] == ["first thought\n"]


def test_rule_a10_what_an_agent_did_and_undid_is_no_question(project: Make) -> None:  # D4
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.prompt("second")
    p.write("a.md", POEM)
    assert p.hunks() == []
    p.reject(p.turn("second"))
    assert (p.text("a.md"), p.hunks()) == (POEM, [])


def test_rule_a10_only_what_differs_moves_when_a_content_comes_back(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    both = p.read("a.md")
    p.accept(p.hunk("THREE"))
    p.reject(p.hunk("NINE"))
    p.put("a.md", both)
    assert [hunk["new"] for hunk in p.hunks()] == ["NINE\n"]
    states = {hunk["new"]: hunk["status"] for hunk in p.hunks(status="all")}
    assert states == {"THREE\n": "accepted", "NINE\n": "pending"}


def test_rule_a10_a_hunk_put_back_by_hand_adds_nothing(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\nline 4\n", "")
    p.edit("a.md", "line 9\n", "line 9\nnew\n")
    p.sub("a.md", "line 12\n", "twelve, by hand\n")
    p.hunks()
    p.sub("a.md", "line 2\n", "line 2\nline 3\nline 4\n")
    assert [hunk["new"] for hunk in p.hunks()] == ["new\n"]
    p.reject()
    assert p.text("a.md") == POEM.replace("line 12\n", "twelve, by hand\n")


def test_rule_a11_of_several_settings_the_last_that_was_not_rejected_counts(project: Make) -> None:
    p = project({"run.sh": "#!/bin/sh\n"})
    (p.root / "run.sh").chmod(0o600)
    for mode in (0o640, 0o750, 0o755):
        p.prompt(f"{mode:o}")
        p.tool("Write", "run.sh", partial((p.root / "run.sh").chmod, mode))
    (need,) = p.asked("reject", p.turn("750"))
    assert len(need["built_on_by"]) == 1
    p.reject(p.turn("750"), dependents="keep")
    assert p.mode("run.sh") == 0o755
    p.reject(p.turn("755"))
    assert p.mode("run.sh") == 0o640
    p.accept(p.turn("640"))
    assert (p.mode("run.sh"), p.hunks()) == (0o640, [])


def test_rule_a12_a_created_file_with_a_persons_text_stays_with_exactly_that(project: Make) -> None:
    p = project()
    p.prompt()
    p.write("made/new.md", "one\ntwo\n")
    p.put("made/new.md", "one\nmine 1\ntwo\nmine 2")
    mode = p.mode("made/new.md")
    done = p.reject()
    assert (p.text("made/new.md"), p.mode("made/new.md")) == ("mine 1\nmine 2", mode)
    assert sorted(kept["text"] for kept in done["kept"]) == ["mine 1", "mine 2"]
    p.undo()
    assert p.text("made/new.md") == "one\nmine 1\ntwo\nmine 2"


@pytest.fixture
def kept(project: Make) -> Project:
    """A file that was made anew; that was rejected, and it is there for the sake of what a person typed."""
    p = project({"a.md": "before\n"})
    p.prompt("anew")
    p.remove("a.md")
    p.write("a.md", "one\n")
    p.put("a.md", "one\nmine\n")
    p.reject()
    assert p.text("a.md") == "mine\n"
    p.prompt("emptied")
    return p


def test_rule_a12_what_stays_for_a_persons_text_can_be_emptied(kept: Project) -> None:
    kept.write("a.md", "")
    (hunk,) = kept.hunks()
    assert (hunk["kind"], hunk["old"], hunk["new"]) == ("modify", "mine\n", "")
    done = kept.reject()
    assert (kept.text("a.md"), done["kept"]) == ("mine\n", [])
    kept.undo()
    assert kept.text("a.md") == ""
    kept.accept()
    assert (kept.text("a.md"), kept.hunks()) == ("", [])


def test_rule_a12_also_by_the_person(kept: Project) -> None:
    kept.put("a.md", "")
    assert (kept.hunks(), kept.text("a.md")) == ([], "")
    kept.write("a.md", "two\n")
    kept.reject()
    assert (kept.text("a.md"), kept.hunks()) == ("", [])


def test_rule_a12_also_by_a_proposal(kept: Project) -> None:
    kept.set_mode("hold")
    kept.write("a.md", "")
    assert kept.text("a.md") == "mine\n"
    kept.accept()
    assert (kept.text("a.md"), kept.hunks()) == ("", [])


def test_rule_d4_a_file_that_was_emptied_and_filled_again_is_not_asked_about(kept: Project) -> None:
    kept.write("a.md", "")
    kept.write("a.md", "mine\n")
    assert kept.hunks() == []


def test_rule_a13_a_persons_new_file_is_no_conflict_with_rejecting_the_deletion(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.remove("a.md")
    p.hunks()
    p.put("a.md", "mine\n")
    p.reject()
    assert p.text("a.md") == "mine\n"
    assert p.hunks() == []


def test_rule_a13_what_is_parked_with_a_deleted_file_is_decided_with_all_the_rest(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("b.md", "line 3\n", "THREE\n")
    content = p.read("a.md")
    (p.root / "a.md").unlink()
    p.accept()
    p.put("a.md", content)
    assert p.hunks() == []
    assert {hunk["path"]: hunk["status"] for hunk in p.hunks(status="all") if hunk["call"]} == {
        "a.md": "accepted",
        "b.md": "accepted",
    }


def test_rule_a14_everything_in_a_new_file_builds_on_its_creation(project: Make) -> None:
    p = project()
    p.prompt("first")
    p.write("new.md", "one\n")
    p.prompt("second")
    p.edit("new.md", "one\n", "one\ntwo\n")
    (need,) = p.asked("reject", p.turn("first"))
    assert len(need["built_on_by"]) == 1
    p.reject(p.turn("first"), dependents="with")
    assert not p.exists("new.md")
    p.undo()
    mode = p.mode("new.md")
    p.reject(p.turn("first"), dependents="keep")
    assert (p.text("new.md"), p.mode("new.md")) == ("two\n", mode)
    p.undo()
    p.accept(p.turn("second"))
    assert p.hunks() == []


def test_rule_a14_a_deletion_builds_on_all_that_is_undecided_in_the_file(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.prompt("second")
    p.remove("a.md")
    (need,) = p.asked("reject", p.turn("first"))
    assert len(need["built_on_by"]) == 1
    p.reject(p.turn("second"))
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n")
    p.undo()
    p.reject(p.turn("first"), dependents="with")
    assert p.text("a.md") == POEM
    p.undo()
    p.accept(p.turn("second"))
    assert (p.hunks(), p.exists("a.md")) == ([], False)


def test_rule_a15_a_file_moved_by_copying_is_followed(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (hunk,) = p.hunks()
    shutil.copy(p.root / "a.md", p.root / "b.md")
    (p.root / "a.md").unlink()
    assert [(one["id"], one["path"]) for one in p.hunks()] == [(hunk["id"], "b.md")]
    p.reject()
    assert (p.text("b.md"), p.exists("a.md")) == (POEM, False)


def test_rule_a15_a_file_moved_and_edited_before_anybody_looked_is_followed(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (hunk,) = p.hunks()
    (p.root / "a.md").rename(p.root / "b.md")
    p.sub("b.md", "line 12\n", "twelve, by hand\n")
    assert [(one["id"], one["path"]) for one in p.hunks()] == [(hunk["id"], "b.md")]
    p.reject()
    assert p.text("b.md") == POEM.replace("line 12\n", "twelve, by hand\n")


def test_rule_a15_a_file_that_has_little_in_common_is_another(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.hunks()
    (p.root / "a.md").unlink()
    p.put("b.md", "line 1\nsomething\nelse\naltogether\n")
    assert p.hunks() == []
    p.reject()
    assert (p.exists("a.md"), p.text("b.md")) == (False, "line 1\nsomething\nelse\naltogether\n")


@pytest.mark.parametrize(
    ("old", "agents", "persons"),
    [
        ("ä", "ö", "ü"),
        ("日", "曰", "白"),
        ("😀", "😁", "😂"),
        ("e\u0301", "e\u0300", "e\u0302"),
        ("a", "ä", "á"),
    ],
)
def test_rule_a16_no_piece_cuts_a_character(project: Make, old: str, agents: str, persons: str) -> None:
    p = project({"a.md": f"{old}x{old}\nnext\n"})
    p.prompt()
    p.write("a.md", f"{agents}x{old}\nnext\n")
    p.put("a.md", f"{persons}x{old}\nnext\n")
    p.reject(dependents="with")  # D1
    assert p.text("a.md") == f"{old}x{old}\nnext\n"
