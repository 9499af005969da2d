"""Turns, calls, and the history of decisions."""

from __future__ import annotations

import pytest

from blueline.desk.selectors import UnknownSelector
from tests.support.project import POEM, Make, Project


@pytest.fixture
def two_calls(project: Make) -> Project:
    """One turn: a call that changes three places of one file, and calls on two others."""
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    p.write("a.md", POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "").replace("line 15", "FIFTEEN"))
    p.edit("a.md", "line 6\n", "SIX\n")
    p.edit("b.md", "line 3\n", "THREE\n")
    p.write("c.md", "new\n")
    return p


def test_h01_a_call_goes_back_with_all_its_pieces_and_nothing_else(two_calls: Project) -> None:
    p = two_calls
    others = [hunk["id"] for hunk in p.hunks() if hunk["call"] != "c1"]
    done = p.reject("c1")
    assert len(done["results"]) == 3
    assert p.text("a.md") == POEM.replace("line 6\n", "SIX\n")
    assert (p.text("b.md"), p.text("c.md")) == (POEM.replace("line 3\n", "THREE\n"), "new\n")
    assert sorted(hunk["id"] for hunk in p.hunks()) == sorted(others)
    (turn,) = p.turns()
    assert (turn["status"], turn["counts"]) == ("mixed", {"pending": 3, "accepted": 0, "rejected": 3})
    assert {call["id"]: call["status"] for call in p.calls()} == {
        "c1": "rejected",
        "c2": "pending",
        "c3": "pending",
        "c4": "pending",
    }


def test_h02_a_turn_that_is_taken_up_again_keeps_what_was_typed_meanwhile(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("b.md", "line 9\n", "line 9\nnew\n")
    pending = p.hunks()
    p.reject(p.turn("please"))
    p.sub("a.md", "line 12\n", "twelve, by hand\n")
    p.sub("a.md", "line 4\n", "four, by hand\n")
    p.sub("b.md", "line 9\n", "nine, by hand\n")
    p.undo()
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace(
        "line 12\n", "twelve, by hand\n"
    ).replace("line 4\n", "four, by hand\n")
    assert p.text("b.md") == POEM.replace("line 9\n", "nine, by hand\nnew\n")
    assert [hunk["id"] for hunk in p.hunks()] == [hunk["id"] for hunk in pending]


def test_h03_undoing_an_accept_makes_pieces_pending_again_and_writes_nothing(two_calls: Project) -> None:
    p = two_calls
    pending = p.hunks()
    times = {path: p.times(path) for path in ("a.md", "b.md", "c.md")}
    done = p.accept()
    assert (p.hunks(), done["written"]) == ([], [])
    undone = p.undo()
    assert (p.hunks(), undone["written"]) == (pending, [])
    assert {path: p.times(path) for path in times} == times


def test_h04_fifty_times_undo_and_redo_alternate_exactly(two_calls: Project) -> None:
    p = two_calls
    before, pending = p.on_disk(), p.hunks()
    p.reject()
    after = p.on_disk()
    assert after != before
    for _ in range(50):
        p.undo()
        assert (p.on_disk(), p.hunks()) == (before, pending)
        p.redo()
        assert (p.on_disk(), p.hunks()) == (after, [])


def test_h05_undoing_the_third_of_seven_leaves_the_other_six(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    words = ["ONE", "FOUR", "SEVEN", "TEN", "THIRTEEN", "SIXTEEN", "NINETEEN"]
    for number, word in zip(range(1, 20, 3), words, strict=True):
        p.edit("a.md", f"line {number}\n", f"{word}\n")
    ids = {hunk["new"].strip(): hunk["id"] for hunk in p.hunks()}
    decisions = [
        p.decide("reject" if number % 2 else "accept", [ids[word]])["decision"]
        for number, word in enumerate(words, 1)
    ]
    states = {hunk["id"]: hunk["status"] for hunk in p.hunks(status="all")}
    p.undo(decisions[2])
    expected = POEM
    for number, word in zip(range(1, 20, 3), words, strict=True):
        if word in ("SEVEN", *words[1::2]):
            expected = expected.replace(f"line {number}\n", f"{word}\n")
    assert p.text("a.md") == expected
    now = {hunk["id"]: hunk["status"] for hunk in p.hunks(status="all")}
    assert now == {**states, ids["SEVEN"]: "pending"}
    stands = {entry["id"]: entry["stands"] for entry in p.log("decision")}
    assert [stands[decision] for decision in decisions] == [True, True, False, True, True, True, True]


def test_h06_an_accepted_turn_stays_under_a_rejected_one(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "three\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.stop()
    after = p.text("a.md")
    p.accept(p.turn("first"))
    p.prompt("second")
    p.edit("a.md", "three\n", "drei\n")
    p.write("a.md", p.text("a.md").replace("line 15\n", "").replace("NINE", "nine"))
    p.stop()
    p.reject(p.turn("second"))
    assert p.text("a.md") == after


def test_h07_every_rejected_piece_can_be_seen_and_applied_later(project: Make) -> None:
    p = project({"a.md": POEM, "d.md": "to be deleted\n"})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 9\n", "line 9\nnew\n")
    p.edit("a.md", "line 15\n", "")
    p.write("c.md", "created\n")
    p.remove("d.md")
    after = p.on_disk()
    theirs = {hunk["id"]: hunk["new"] or hunk["old"] for hunk in p.hunks()}
    p.reject()
    p.lose_index()  # and all that a process might have known
    assert {hunk["id"] for hunk in p.hunks(status="rejected")} == set(theirs)
    for hunk, text in theirs.items():
        assert text in p.show(hunk).values()
    for hunk in theirs:
        (result,) = p.accept(hunk)["results"]
        assert result["outcome"] == "applied"
    assert p.on_disk() == after
    assert p.hunks(status="rejected") == []


def test_h07_what_was_rejected_can_be_seen_when_the_lines_around_it_are_others(project: Make) -> None:
    p = project({"a.md": "one\ntwo\nthree\n"})
    p.prompt()
    p.edit("a.md", "two\n", "the agent's words\n")
    (hunk,) = p.hunks()
    p.reject()
    p.put("a.md", "completely\ndifferent\n")
    assert [one["id"] for one in p.hunks(status="rejected")] == [hunk["id"]]
    assert "the agent's words" in str(p.show(hunk["id"]))


def test_h08_a_turn_without_edits_is_rejected_as_nothing(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.stop()
    p.prompt("only talk")
    p.stop()
    times, pending = p.times("a.md"), p.hunks()
    for verdict in ("reject", "accept"):
        answer = p.decide(verdict, [p.turn("only talk")])
        assert (answer["decision"], answer["results"], answer["written"]) == (None, [], [])
        assert answer["needs"] == []
    assert (p.times("a.md"), p.hunks(), p.log("decision")) == (times, pending, [])


def test_h09_a_new_turn_leaves_older_decisions_and_their_history(project: Make) -> None:
    p = project({"a.md": POEM})
    for number in (1, 2, 3):
        p.prompt(f"turn {number}")
        p.edit("a.md", f"line {number * 3}\n", f"LINE {number * 3}!\n")
        p.stop()
    p.reject(p.turn("turn 1"), reason="no")
    p.reject(p.turn("turn 2"))
    old = p.log()
    p.prompt("turn 4")
    p.edit("a.md", "line 12\n", "TWELVE\n")
    p.stop()
    now = p.log()
    assert [entry for entry in now if entry in old] == old
    assert {turn["prompt"]: turn["status"] for turn in p.turns()} == {
        "turn 1": "rejected",
        "turn 2": "rejected",
        "turn 3": "pending",
        "turn 4": "pending",
    }
    first = next(entry for entry in now if entry.get("reason") == "no")
    p.undo(first["id"])
    assert p.text("a.md") == POEM.replace("line 3\n", "LINE 3!\n").replace("line 9\n", "LINE 9!\n").replace(
        "line 12\n", "TWELVE\n"
    )


def test_h10_asking_an_earlier_prompt_again_asks_nothing_of_files(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("make it so")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.stop()
    p.prompt("and so")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.stop()
    on_disk, pending = p.on_disk(), p.hunks()
    p.prompt("make it otherwise")  # typed over the first, in the same conversation
    assert (p.on_disk(), p.hunks()) == (on_disk, pending)
    p.edit("a.md", "line 15\n", "FIFTEEN\n")
    p.reject(p.turn("make it otherwise"))
    assert (p.on_disk(), p.hunks()) == (on_disk, pending)


def test_h11_rejecting_while_the_agent_runs_is_done_at_once_or_visibly_queued(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("b.md", "line 3\n", "THREE\n")
    running = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    assert p.reject("b.md")["results"][0]["outcome"] == "applied"
    assert p.text("b.md") == POEM
    done = p.reject("a.md")
    assert [(result["outcome"], bool(result["reason"])) for result in done["results"]] == [("queued", True)]
    assert (done["written"], p.text("a.md")) == ([], POEM.replace("line 3\n", "THREE\n"))
    assert p.log("decision")[0]["verdict"] == "queued"
    p.sub("a.md", "line 9\n", "NINE\n")  # the tool does its work
    p.end(running)
    assert [hunk["new"] for hunk in p.hunks()] == ["NINE\n"]
    assert p.text("a.md") == POEM.replace("line 9\n", "NINE\n")
    assert [entry["verdict"] for entry in p.log("decision")][:2] == ["reject", "queued"]


def test_h11_with_an_agent_of_which_nothing_is_heard_nothing_is_done_by_itself(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    p.reject("a.md")
    before = p.read("a.md")
    for _ in range(3):
        p.lose_index()
        assert (p.read("a.md"), p.log("decision")[0]["verdict"]) == (before, "queued")
        assert len(p.hunks()) == 1
    p.prompt("are you there?")
    assert p.hunks() == []
    assert p.text("a.md") == POEM


def test_h11_a_selection_without_anything_in_it_is_not_queued(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    with pytest.raises(UnknownSelector):  # D8
        p.reject("a.md:12-14")
    assert p.log("decision") == []


def test_h11_a_queued_decision_can_be_taken_back_before_its_time(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    running = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    queued = p.reject("a.md")["decision"]
    undone = p.undo(queued)
    assert (undone["verdict"], undone["of"], undone["written"]) == ("undo", queued, [])
    p.sub("a.md", "line 9\n", "NINE\n")
    p.end(running)
    assert [hunk["new"] for hunk in p.hunks()] == ["THREE\n", "NINE\n"]


def test_h11_who_accepts_what_a_queued_rejection_is_about_has_the_last_word(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 15\n", "FIFTEEN\n")
    running = p.begin_bash("sed -i s/line.9/NINE/ a.md")
    p.sub("a.md", "line 9\n", "NINE\n")
    kept = p.hunk("THREE\n")
    assert {result["outcome"] for result in p.reject("a.md")["results"]} == {"queued"}
    assert [result["outcome"] for result in p.accept(kept)["results"]] == ["applied"]
    p.end(running)
    assert [hunk["new"] for hunk in p.hunks(status="accepted")] == ["THREE\n"]
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "NINE\n")


def test_h11_a_queued_rejection_of_some_lines_is_carried_out_at_the_calls_end(
    project: Make,
) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "alpha\nbravo\ncharlie\n")
    running = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    assert [result["outcome"] for result in p.reject("a.md:4")["results"]] == ["queued"]
    p.sub("a.md", "line 9\n", "NINE\n")
    p.lose_index()
    p.end(running)
    assert [hunk["new"] for hunk in p.hunks(status="rejected")] == ["bravo\n"]
    assert "alpha\ncharlie\n" in p.text("a.md")


def test_h11_some_lines_accepted_after_a_queued_rejection_of_all_stay(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "alpha\nbravo\ncharlie\n")
    running = p.begin("Edit", "a.md", old_string="line 9\n", new_string="NINE\n")
    p.reject("a.md")
    p.accept("a.md:4")
    p.sub("a.md", "line 9\n", "NINE\n")
    p.end(running)
    assert [hunk["new"] for hunk in p.hunks(status="accepted")] == ["bravo\n"]
    assert p.text("a.md").startswith("line 1\nline 2\n")
    assert "alpha" not in p.text("a.md")
    assert "bravo\n" in p.text("a.md")


def test_h11_what_is_left_of_a_hunk_that_was_split_meanwhile_is_carried_out(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "alpha\nbravo\ncharlie\n")
    running = p.begin_bash("sed -i s/line.9/NINE/ a.md")
    p.sub("a.md", "line 9\n", "NINE\n")
    assert {result["outcome"] for result in p.reject("a.md")["results"]} == {"queued"}
    assert [result["outcome"] for result in p.accept("a.md:4")["results"]] == ["applied"]
    p.end(running)
    assert [hunk["new"] for hunk in p.hunks(status="accepted")] == ["bravo\n"]
    text = p.text("a.md")
    assert ("alpha" in text, "bravo\n" in text, "charlie" in text) == (False, True, False)


@pytest.mark.parametrize("tool", ["Edit", "Bash"])
def test_h11_who_goes_back_to_the_first_answer_gets_it_at_the_calls_end(project: Make, tool: str) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    hunk = p.hunk("THREE\n")
    p.accept(hunk)
    running = p.begin("Edit", "a.md", new_string="NINE\n") if tool == "Edit" else p.begin_bash("sed")
    p.sub("a.md", "line 9\n", "NINE\n")
    assert [result["outcome"] for result in p.reject(hunk)["results"]] == ["queued"]
    assert [result["outcome"] for result in p.accept(hunk)["results"]] == ["queued"]
    p.end(running)
    assert [one["new"] for one in p.hunks(status="accepted")] == ["THREE\n"]
    assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "NINE\n")


def test_h11_what_others_built_on_meanwhile_is_not_done_and_said(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "alpha\nbravo\ncharlie\n")
    running = p.begin("Edit", "a.md", old_string="bravo\n", new_string="bravo\ndelta\n")
    p.reject(p.turn("first"))
    p.sub("a.md", "bravo\n", "bravo\ndelta\n")
    p.end(running)
    text = p.text("a.md")
    assert len(p.hunks()) == 2
    assert any("not carried out" in warning for warning in p.warnings)
    assert p.text("a.md") == text


def test_h12_every_answer_says_what_became_of_each_hunk(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("b.md", "line 3\n", "THREE\n")
    first, second = (hunk["id"] for hunk in p.hunks())

    def outcomes(answer: dict[str, list[dict[str, str]]]) -> dict[str, str]:
        return {result["hunk"]: result["outcome"] for result in answer["results"]}

    assert outcomes(p.reject(first)) == {first: "applied"}
    again = p.reject(first)
    assert (outcomes(again), again["decision"], again["written"]) == ({first: "already"}, None, [])
    both = p.reject(first, second)
    assert (outcomes(both), both["written"]) == ({first: "already", second: "applied"}, ["b.md"])
    back = p.accept(first, second)
    assert outcomes(back) == {first: "applied", second: "applied"}
    assert sorted(back["written"]) == ["a.md", "b.md"]
    kept = p.accept(first)
    assert (outcomes(kept), kept["decision"], kept["written"]) == ({first: "already"}, None, [])


def test_h12_an_undo_that_changes_nothing_does_not_claim_to(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (hunk,) = p.hunks()
    earlier = p.accept(hunk["id"])["decision"]
    p.reject(hunk["id"])
    done = p.undo(earlier)
    assert (p.text("a.md"), done["written"]) == (POEM, [])
    assert "applied" not in [result["outcome"] for result in done["results"]]
    assert all(result["reason"] for result in done["results"])


def test_h12_nothing_to_undo_or_redo_is_nothing(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    for answer in (p.undo(), p.redo()):
        assert (answer["decision"], answer["results"], answer["written"]) == (None, [], [])
    assert p.log("decision") == []


def test_h13_an_edit_inside_a_pending_piece_is_reported_as_modified(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "line 3\nnew 1\nnew 2\nnew 3\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.edit("a.md", "line 15\n", "the agent's fifteen\n")
    assert [hunk["modified"] for hunk in p.hunks()] == [False, False, False]
    p.sub("a.md", "new 2\n", "new 2\nmine\n")
    p.sub("a.md", "agent's ", "")
    p.sub("a.md", "line 12\n", "twelve, by hand\n")
    assert [hunk["modified"] for hunk in p.hunks()] == [True, False, True]
    done = p.accept()
    assert [(result["outcome"], result["modified"]) for result in done["results"]] == [
        ("applied", True),
        ("applied", False),
        ("applied", True),
    ]


def test_a_line_that_kept_its_end_is_no_invention_when_a_decision_is_undone(project: Make) -> None:  # D0, A2
    p = project({"a.py": "# ------\n    pass\n"})
    p.prompt("first")
    added = [
        "   2 \u200d { foo(a, b)",
        "x \u200d 2",
        "if a:",
        "foo(a, b)",
        "  end value 2 1 \u00e9 None",
        "    { foo",
    ]
    first = "\n".join(["# ------", *added, "    pass\n"])
    p.write("a.py", first)
    p.prompt("second")
    second = first.replace("# ------\n", "end").replace("if a:", "if value") + "end"
    p.edit("a.py", first, second)
    turns = [p.turn("first"), p.turn("second")]
    p.reject(turns[0], dependents="with")
    before = p.text("a.py")
    p.reject(turns[1], dependents="keep")
    assert p.text("a.py") != before
    p.undo()
    assert p.text("a.py") == before
