"""The fine points of decisions, selections and modes (rules B and C)."""

from __future__ import annotations

import json
import os

import pytest

from blueline.desk.selectors import UnknownSelector
from blueline.errors import BluelineError
from tests.support.project import POEM, Document, Make, Project, replaced


def chain(project: Make) -> Project:
    """Three turns, each of which rewrites what the one before wrote."""
    p = project({"a.md": POEM})
    for prompt, old, new in (
        ("first", "line 3\n", "alpha alpha\n"),
        ("second", "alpha alpha\n", "bravo bravo\n"),
        ("third", "bravo bravo\n", "charlie charlie\n"),
    ):
        p.prompt(prompt)
        p.edit("a.md", old, new)
        p.stop()
    return p


def test_rule_b1_accepting_takes_along_whole_hunks_down_to_the_ground(project: Make) -> None:
    p = chain(project)
    before = p.read("a.md")
    done = p.accept(p.turn("third"))
    assert (p.hunks(), p.read("a.md")) == ([], before)
    assert len(done["results"]) == 3
    assert [bool(result["reason"]) for result in done["results"]].count(True) == 2


def test_rule_b1_what_was_rejected_is_left_alone(project: Make) -> None:
    p = project({"a.md": "top\nend\n"})
    p.prompt("first")
    p.edit("a.md", "top\n", "top\none\ntwo\nthree\n")
    p.prompt("second")
    p.edit("a.md", "two\n", "two\ninside\n")
    p.reject(p.turn("first"), dependents="keep")
    p.accept(p.turn("second"))
    assert p.text("a.md") == "top\ninside\nend\n"
    assert {turn["prompt"]: turn["status"] for turn in p.turns()} == {
        "first": "rejected",
        "second": "accepted",
    }


def test_rule_b2_keeping_dependents_leaves_them_as_they_are_and_names_them(project: Make) -> None:
    p = chain(project)
    done = p.reject(p.turn("first"), dependents="keep")
    assert [result["outcome"] for result in done["results"]] == ["applied"]
    assert "charlie charlie" in p.text("a.md")
    turns = [p.show(kept["hunk"])["turn"] for kept in done["kept"]]
    assert sorted(turns) == [p.turn("second"), p.turn("third")]
    assert "charlie charlie" in [kept["text"] for kept in done["kept"]]
    statuses = {turn["prompt"]: turn["status"] for turn in p.turns()}
    assert (statuses["first"], statuses["third"]) == ("rejected", "pending")
    p.undo()
    p.reject(p.turn("second"), dependents="keep")
    p.undo()
    p.reject(p.turn("third"))
    done = p.reject(p.turn("first"), dependents="keep")
    assert [kept["text"] for kept in done["kept"]] == ["bravo bravo"]


def test_rule_b2_what_is_in_the_lines_of_a_kept_dependent_passes_to_it(project: Make) -> None:
    p = project({"a.py": "timeout = 30\n"})
    for prompt, text in (("first", "timeout = 60\n"), ("second", "timeout = 45\n")):
        p.prompt(prompt)
        p.write("a.py", text)
        p.stop()
    before = p.hunks(status="all")
    first, second = (hunk["id"] for hunk in before)
    done = p.reject(first, dependents="keep")
    assert p.text("a.py") == "timeout = 45\n"
    (hunk,) = p.hunks()
    assert (hunk["id"], hunk["old"], hunk["new"]) == (second, "timeout = 30\n", "timeout = 45\n")
    assert (hunk["builds_on"], hunk["built_on_by"]) == ([], [])
    rejected = next(one for one in p.hunks(status="all") if one["id"] == first)
    assert (rejected["status"], rejected["new"]) == ("rejected", "timeout = 60\n")
    assert {turn["prompt"]: turn["status"] for turn in p.turns()} == {
        "first": "rejected",
        "second": "pending",
    }
    # Nothing of it is its own any more: whoever names it is told whose it is.
    (need,) = p.asked("accept", first)
    assert (need["hunk"], need["now"]) == (first, [second])
    p.reject(second)
    assert (p.text("a.py"), p.hunks()) == ("timeout = 30\n", [])
    p.undo()
    p.undo(done["decision"])
    assert (p.text("a.py"), p.hunks(status="all")) == ("timeout = 45\n", before)
    again = p.redo()
    assert [(one["hunk"], one["outcome"]) for one in again["results"]] == [(first, "applied")]


def test_rule_b2_what_passed_survives_a_lost_index_and_is_formatted_with_its_hunk(project: Make) -> None:
    p = project({"a.py": "x\n"})
    for prompt, text in (("first", "x\nrun(a)\n"), ("second", "x\nrun(a, b)\n")):
        p.prompt(prompt)
        p.write("a.py", text)
        p.stop()
    p.reject(p.turn("first"), dependents="keep")
    known = p.hunks(status="all")
    p.index.unlink()
    assert p.hunks(status="all") == known
    p.put("a.py", "x\nrun( a, b )\n")
    (hunk,) = p.hunks()
    assert (hunk["turn"], hunk["old"], hunk["new"]) == (p.turn("second"), "", "run( a, b )\n")
    p.reject(p.turn("second"))
    assert (p.text("a.py"), p.hunks()) == ("x\n", [])


@pytest.fixture
def interleaved(project: Make) -> Project:
    """One agent's four lines (2 to 3 and 5 to 6), with another's between them (4)."""
    p = project({"a.md": "top\nend\n"})
    p.prompt("first")
    p.edit("a.md", "top\n", "top\none\ntwo\nthree\nfour\n")
    p.conversation = "conversation-2"
    p.prompt("second")
    p.edit("a.md", "two\n", "two\nbetween\n")
    return p


@pytest.mark.parametrize("lines", ["2-2", "2-3", "5-6", "4-4"])
def test_rule_b3_lines_beside_anothers_text_are_not_asked_about(interleaved: Project, lines: str) -> None:
    first, _, last = lines.partition("-")
    before = interleaved.text("a.md").splitlines(True)
    interleaved.reject(f"a.md:{lines}")
    assert interleaved.text("a.md") == "".join(before[: int(first) - 1] + before[int(last) :])


@pytest.mark.parametrize("lines", ["2-5", "3-5"])
def test_rule_b3_lines_around_anothers_text_are_taken_with_it_when_it_is_selected_too(
    interleaved: Project, lines: str
) -> None:
    interleaved.reject(f"a.md:{lines}")
    assert "between" not in interleaved.text("a.md")


def test_rule_b3_lines_on_both_sides_of_anothers_text_are_asked_about(interleaved: Project) -> None:
    p = interleaved
    (need,) = p.asked("reject", "a.md:3-3", "a.md:5-5")
    theirs = next(hunk["id"] for hunk in p.hunks() if hunk["turn"] == p.turn("second"))
    assert need["built_on_by"] == [theirs]


def test_rule_b3_a_line_that_another_rewrote_in_part_is_asked_about(project: Make) -> None:
    p = project({"a.md": "top\nend\n"})
    p.prompt("first")
    p.edit("a.md", "top\n", "top\none of these\ntwo of these\n")
    p.prompt("second")
    p.edit("a.md", "two of", "zwei of")
    p.asked("reject", p.turn("first"))
    p.reject("a.md:2-2")
    assert p.text("a.md") == "top\nzwei of these\nend\n"


def test_rule_b4_groups_mean_what_is_pending_and_a_hunk_means_itself(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.write("a.md", POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "NINE\n"))
    nine = p.hunk("NINE")
    p.reject(nine)
    for group in ("c1", "t1", "a.md", "."):
        p.accept(group)
        assert (p.text("a.md"), p.hunks()) == (POEM.replace("line 3\n", "THREE\n"), [])
        p.undo()
    p.accept(nine)
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "NINE\n")


def test_rule_b5_a_bare_deletion_stands_on_the_line_before_it(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 5\nline 6\n", "")
    after = p.text("a.md")
    for missed in ("a.md:3-3", "a.md:5-5"):
        with pytest.raises(UnknownSelector):  # D8
            p.reject(missed)
    (hunk,) = p.hunks()
    assert hunk["new_start"] == 4
    p.reject("a.md:4-4")
    assert p.text("a.md") == POEM
    p.undo()
    assert p.text("a.md") == after


def test_rule_b5_at_the_top_it_stands_on_the_first_line(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 1\n", "")
    p.reject("a.md:1-1")
    assert p.text("a.md") == POEM


def test_rule_b5_a_deletion_goes_with_the_first_line_of_what_replaced_it(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 5\n", "fünf\nund mehr\n")
    p.reject("a.md:6-6")
    assert p.text("a.md") == replaced(POEM, "line 5\n", "fünf\n")
    p.undo()
    p.reject("a.md:5-5")
    assert "line 5\n" in p.text("a.md")
    assert "fünf" not in p.text("a.md")
    assert "und mehr\n" in p.text("a.md")


def test_rule_b6_a_piece_has_the_answer_of_the_latest_decision_that_stands(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (hunk,) = p.hunks()
    decisions = [
        p.accept(hunk["id"])["decision"],
        p.reject(hunk["id"])["decision"],
        p.accept(hunk["id"])["decision"],
    ]
    p.undo(decisions[1])
    assert p.hunks(status="accepted")[0]["id"] == hunk["id"]
    p.undo(decisions[2])
    assert p.hunks(status="accepted")[0]["id"] == hunk["id"]
    p.undo(decisions[0])
    assert p.hunks() == [hunk]
    p.redo()
    p.redo()
    p.redo()
    assert p.hunks(status="accepted")[0]["id"] == hunk["id"]
    p.undo(decisions[2])
    assert (p.hunks(status="rejected")[0]["id"], p.text("a.md")) == (hunk["id"], POEM)


def test_rule_b7_redo_survives_new_decisions_and_cannot_override_them(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    three, nine = (hunk["id"] for hunk in p.hunks())
    rejected = p.reject(three, nine)["decision"]
    undone = p.undo()
    assert (undone["verdict"], undone["of"]) == ("undo", rejected)
    p.accept(nine)
    redone = p.redo()
    assert (redone["verdict"], redone["of"]) == ("redo", rejected)
    assert len({rejected, undone["decision"], redone["decision"]}) == 3
    assert p.text("a.md") == POEM.replace("line 9\n", "NINE\n")
    states = {hunk["id"]: hunk["status"] for hunk in p.hunks(status="all")}
    assert states == {three: "rejected", nine: "accepted"}
    assert p.redo()["decision"] is None


def test_rule_b8_nothing_of_a_selection_is_written_when_something_has_to_be_chosen(project: Make) -> None:
    p = chain(project)
    p.write("b.md", "new\n")
    p.asked("reject", p.turn("first"), "b.md")
    assert p.exists("b.md")
    done = p.command("reject", p.turn("first"), "b.md", "--json")
    assert done.returncode == 4
    assert p.exists("b.md")


def test_rule_b8_a_dry_run_gives_the_same_answer_and_does_nothing(project: Make) -> None:
    p = chain(project)
    p.write("b.md", "new\n")
    standing, known = p.on_disk(), p.known()
    dry = p.reject(dry_run=True)
    assert (p.on_disk(), p.known()) == (standing, known)
    assert (dry["decision"], dry["dry_run"], sorted(dry["written"])) == (None, True, ["a.md", "b.md"])
    assert dry.pop("diff").count("diff --git") == 2
    real = p.reject()
    assert {**dry, "decision": real["decision"], "dry_run": False} == {**real, "dry_run": False}


def test_rule_b9_nothing_is_undone_in_a_file_that_an_agent_is_writing_to(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.reject()
    running = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    with p.desk() as desk:
        answer = desk.undo(None)
    assert (answer["decision"], answer["written"], p.text("a.md")) == (None, [], POEM)
    assert [(need["path"], need["why"]) for need in answer["needs"]] == [("a.md", "busy")]
    p.sub("a.md", "line 9\n", "NINE\n")
    p.end(running)
    p.undo()
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "NINE\n")


def test_rule_b10_a_selector_is_an_id_else_a_path_from_here(project: Make) -> None:
    p = project({"c1": "one\n", "deep/a.md": POEM, "a.md": POEM, "x:3-4": POEM, "x": POEM})
    p.prompt()
    for path in ("deep/a.md", "a.md", "x:3-4", "x"):
        p.edit(path, "line 3\n", "THREE\n")
    p.edit("c1", "one", "ONE")
    with p.desk("deep") as desk:
        done = desk.decide("reject", ["a.md"], dry_run=True)
        assert done["written"] == ["deep/a.md"]
        assert desk.decide("reject", ["../a.md"], dry_run=True)["written"] == ["a.md"]
        assert desk.decide("reject", ["..", "a.md"], dry_run=True)["written"] != []
    assert [result["path"] for result in p.reject("c1", dry_run=True)["results"]] == ["deep/a.md"]
    assert p.reject("./c1", dry_run=True)["written"] == ["c1"]
    assert p.reject("x:3-4", dry_run=True)["written"] == ["x:3-4"]
    assert p.reject("./x:3-3", dry_run=True)["written"] == ["x"]
    assert p.reject("deep", dry_run=True)["written"] == ["deep/a.md"]
    standing = p.on_disk()
    for wrong in ("c77", "nowhere", "nowhere:1-2", "a.md#cell"):
        with pytest.raises(BluelineError) as refused:
            p.reject("a.md", wrong)
        assert refused.value.exit_code == 1
    assert p.on_disk() == standing


def test_rule_b11_lists_go_by_path_then_line_then_age(project: Make) -> None:
    p = project({"b.md": POEM, "a.md": POEM})
    p.prompt()
    p.edit("b.md", "line 9\n", "NINE\n")
    p.edit("a.md", "line 15\n", "FIFTEEN\n")
    p.edit("a.md", "line 3", "line THREE")
    p.edit("a.md", "line THREE\n", "LINE THREE\n")
    p.edit("b.md", "line 3\n", "THREE\n")
    order = [(hunk["path"], hunk["new_start"], int(hunk["call"][1:])) for hunk in p.hunks()]
    assert order == sorted(order)
    assert len(order) == 5


def test_rule_b11_pending_edits_are_one_record_for_a_call_oldest_first(project: Make) -> None:
    p = project({"b.md": "old\n", "a.md": POEM})
    p.prompt()
    p.write("b.md", "new\n")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.write("a.md", p.text("a.md").replace("line 9\n", "NINE\n").replace("line 15\n", "FIFTEEN\n"))
    p.edit("a.md", "line 18\n", "EIGHTEEN\n")
    p.accept(p.hunk("EIGHTEEN"))
    with p.desk() as desk:
        records = json.loads(desk.export("pending-edits"))
    assert [(one["tool"], os.path.basename(one["file_path"])) for one in records] == [
        ("Write", "b.md"),
        ("Edit", "a.md"),
        ("Write", "a.md"),
    ]
    assert {one["status"] for one in records} == {"pending"}


def test_rule_b12_a_choice_is_one_document_with_error_and_hint(project: Make) -> None:
    p = chain(project)
    done = p.command("reject", p.turn("first"), "--json")
    document: Document = json.loads(done.stdout)
    assert done.returncode == 4
    assert {"decision", "verdict", "results", "written", "kept", "needs", "error", "hint"} <= set(document)
    assert (document["decision"], document["verdict"]) == (None, "reject")
    unknown = p.command("reject", "hdeadbeef", "--json")
    assert (unknown.returncode, set(json.loads(unknown.stdout))) == (1, {"error", "hint"})


def test_rule_c1_a_failed_call_has_ended_and_counts(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    call = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    p.sub("a.md", "line 3\n", "THREE\n")
    p.end(call, failed=True)
    (hunk,) = p.hunks()
    assert (hunk["new"], hunk["actor"]["kind"]) == ("THREE\n", "agent")
    assert p.calls()[0]["outcome"] == "failed"


def test_rule_c1_while_a_call_is_open_its_file_is_not_taken_in(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    p.edit("b.md", "line 9\n", "NINE\n")
    call = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    p.hunks()
    p.sub("a.md", "line 3\n", "THREE\n")
    p.sub("b.md", "line 3\n", "three, by hand\n")
    assert {hunk["path"] for hunk in p.hunks(status="all")} == {"b.md"}
    p.end(call)
    assert {(hunk["path"], hunk["actor"]["kind"]) for hunk in p.hunks()} == {
        ("a.md", "agent"),
        ("b.md", "agent"),
    }


@pytest.mark.parametrize("closing", ["stop", "prompt", "end of the conversation"])
def test_rule_c1_a_call_is_closed_with_its_turn_and_what_follows_is_external(
    project: Make, closing: str
) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    if closing == "stop":
        p.stop()
    elif closing == "prompt":
        p.prompt("second")
    else:
        p.record(p.event("SessionEnd", reason="exit"))
    p.sub("a.md", "line 9\n", "nine, by hand\n")
    assert p.hunks() == []
    (hunk,) = p.hunks(status="all")
    assert hunk["actor"]["kind"] == "external"
    assert p.calls()[0]["outcome"] == "lost"


def test_rule_c1_another_conversation_closes_nothing(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    call = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    p.conversation = "conversation-2"
    p.prompt("second")
    p.stop()
    assert p.calls()[0]["ended"] is None
    p.sub("a.md", "line 3\n", "THREE\n")
    p.end(call)
    assert p.hunks()[0]["turn"] == p.turn("first")


def test_rule_c2_init_writes_the_settings_of_this_machine_only(project: Make) -> None:
    p = project({".claude/settings.json": '{"model": "m"}'})
    done = p.command("init", "--agent", "claude-code")
    assert done.returncode == 0, done.stderr
    assert p.text(".claude/settings.json") == '{"model": "m"}'
    assert "recorder" in p.text(".claude/settings.local.json")


def test_rule_c3_of_two_proposals_on_one_text_the_second_is_a_conflict(project: Make) -> None:
    p = project({"a.md": POEM})
    p.set_mode("hold")
    p.prompt()
    p.edit("a.md", "line 3\n", "drei\n")
    p.edit("a.md", "line 3\n", "trois\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    assert p.text("a.md") == POEM
    drei, trois, nine = (hunk["id"] for hunk in sorted(p.hunks(), key=lambda hunk: int(hunk["call"][1:])))
    p.accept(drei)
    assert p.text("a.md") == POEM.replace("line 3\n", "drei\n")
    (need,) = p.asked("accept", trois)
    assert (need["path"], need["why"]) == ("a.md", "moved-on")
    p.asked("accept", trois, nine)
    p.reject(trois)
    p.accept(nine)
    assert p.text("a.md") == POEM.replace("line 3\n", "drei\n").replace("line 9\n", "NINE\n")
    p.undo()
    assert p.text("a.md") == POEM.replace("line 3\n", "drei\n")
    assert [hunk["held"] for hunk in p.hunks()] == [True]


def test_rule_c3_two_proposals_on_one_text_are_not_accepted_together(project: Make) -> None:
    p = project({"a.md": POEM})
    p.set_mode("hold")
    p.prompt()
    for new in ("drei\n", "drei\n", "trois\n"):
        p.edit("a.md", "line 3\n", new)
    p.edit("a.md", "line 9\n", "NINE\n")
    first, second, third, nine = (
        hunk["id"] for hunk in sorted(p.hunks(), key=lambda hunk: int(hunk["call"][1:]))
    )
    assert [need["hunk"] for need in p.asked("accept")] == [second, third]
    assert p.text("a.md") == POEM
    p.reject(second, third)
    p.accept()
    assert p.text("a.md") == POEM.replace("line 3\n", "drei\n").replace("line 9\n", "NINE\n")
    assert {first, nine} == {hunk["id"] for hunk in p.hunks(status="accepted")}


def test_rule_c3_proposals_can_be_made_of_new_files_and_rejected_without_a_trace(project: Make) -> None:
    p = project({"a.md": POEM})
    standing = p.on_disk()
    p.set_mode("hold")
    p.prompt()
    p.write("deep/new.md", "new\n")
    p.write("a.md", POEM.replace("line 3\n", "THREE\n"))
    assert p.on_disk() == standing
    assert [(hunk["kind"], hunk["held"]) for hunk in p.hunks()] == [("modify", True), ("create", True)]
    done = p.reject("a.md")
    assert (done["written"], p.on_disk()) == ([], standing)
    p.accept()
    assert p.text("deep/new.md") == "new\n"
    p.undo()
    assert not p.exists("deep")


def test_rule_c3_a_call_without_a_prompt_opens_a_turn_with_an_empty_one(project: Make) -> None:
    p = project({"a.md": POEM})
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    (turn,) = p.turns()
    assert (turn["prompt"], turn["counts"]["pending"]) == ("", 2)
    p.stop()
    p.prompt("now")
    p.edit("a.md", "line 15\n", "FIFTEEN\n")
    assert [turn["prompt"] for turn in p.turns()] == ["", "now"]
