"""Whose text is whose: what people type around, beside and inside an agent's changes."""

from __future__ import annotations

import pytest

from tests.support.project import POEM, Make, Project, replaced


def test_a01_what_is_typed_on_lines_no_agent_touched_is_all_that_stays(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 9\nline 10\n", "")
    p.edit("a.md", "line 15\n", "line 15\nnew\nnewer\n")
    typed = {"line 1\n": "line one\n", "line 12\n": "line 12\nmine\n", "line 20\n": "", "line 17": "line 17!"}
    expected = POEM
    for old, new in typed.items():
        p.sub("a.md", old, new)
        expected = replaced(expected, old, new)
        p.hunks()
    for hunk in p.hunks():
        p.reject(hunk["id"])
    assert p.text("a.md") == expected


def test_a02_of_two_words_in_one_line_only_the_agents_goes_back(project: Make) -> None:
    p = project({"a.md": "one two three four five\nnext\n"})
    p.prompt()
    p.edit("a.md", "one", "ONE")
    p.sub("a.md", "five", "FIVE")
    (hunk,) = p.hunks()
    p.reject(hunk["id"])
    assert p.text("a.md") == "one two three four FIVE\nnext\n"


def test_a02_so_it_is_when_the_person_was_first(project: Make) -> None:
    p = project({"a.md": "one two three four five\nnext\n"})
    p.prompt()
    p.write("b.md", "the agent is at work\n")
    p.sub("a.md", "five", "FIVE")
    p.edit("a.md", "one", "ONE")
    p.sub("a.md", "three", "THREE")
    p.reject("a.md")
    assert p.text("a.md") == "one two THREE four FIVE\nnext\n"


BLOCK = "top\nagent 1\nagent 2\nagent 3\nend\n"


def with_block(project: Make) -> Project:
    """An agent has put three lines between `top` and `end`."""
    p = project({"a.md": "top\nend\n"})
    p.prompt()
    p.edit("a.md", "top\n", "top\nagent 1\nagent 2\nagent 3\n")
    return p


def test_a03_what_a_person_typed_into_a_block_stays_in_order_when_the_block_goes(project: Make) -> None:
    p = with_block(project)
    p.sub("a.md", "agent 1\n", "agent 1\nmine 1\n")
    p.sub("a.md", "agent 2\n", "agent 2\nmine 2\nmine 3\n")
    p.sub("a.md", "mine 1\n", "mine 1\nmine 1a\n")
    done = p.reject(p.hunk("agent"))
    assert p.text("a.md") == "top\nmine 1\nmine 1a\nmine 2\nmine 3\nend\n"
    said = "".join(kept["text"] for kept in done["kept"])
    assert all(word in said for word in ("mine 1", "mine 1a", "mine 2", "mine 3"))
    assert [kept["line"] for kept in done["kept"]] == sorted(kept["line"] for kept in done["kept"])
    assert "agent" not in said


def test_a03_words_typed_into_an_agents_line_keep_the_line(project: Make) -> None:  # rule D1
    p = with_block(project)
    p.sub("a.md", "agent 2", "agent (I say) 2")
    p.reject(dependents="keep")
    assert p.text("a.md") == "top\nagent (I say) 2\nend\n"


def test_a04_after_accepting_a_block_what_was_typed_into_it_is_still_the_persons(project: Make) -> None:
    p = with_block(project)
    p.sub("a.md", "agent 2\n", "agent 2\nmine\n")
    before = p.read("a.md")
    block = p.hunk("agent")
    p.accept(block)
    assert p.read("a.md") == before
    owners = {hunk["new"]: hunk["actor"]["kind"] for hunk in p.hunks(status="accepted")}
    assert owners["mine\n"] in ("person", "external")
    # The proof: the block can still be taken back without it.
    p.reject(block)
    assert p.text("a.md") == "top\nmine\nend\n"


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("top\nmine\nagent 1\nagent 2\nagent 3\nend\n", "top\nmine\nend\n"),
        ("top\nagent 1\nagent 2\nagent 3\nmine\nend\n", "top\nmine\nend\n"),
        ("top\nabove\nagent 1\nagent 2\nagent 3\nbelow\nend\n", "top\nabove\nbelow\nend\n"),
        ("topped\nagent 1\nagent 2\nagent 3\nend\n", "topped\nend\n"),
        ("top\nagent 1\nagent 2\nagent 3\nthe end\n", "top\nthe end\n"),
    ],
    ids=["before", "after", "both", "end of the line before", "start of the line after"],
)
def test_a06_typing_at_the_edge_of_an_insertion_is_the_persons(project: Make, typed: str, left: str) -> None:
    p = with_block(project)
    p.put("a.md", typed)
    p.reject(p.hunk("agent"))
    assert p.text("a.md") == left


@pytest.mark.parametrize("typed", ["(x) ", "x "], ids=["a group", "a word"])
def test_a06_so_it_is_at_the_edges_of_a_word(project: Make, typed: str) -> None:
    for seen, left in (
        (f"one {typed}agent two\n", f"one {typed}two\n"),
        (f"one agent {typed}two\n", f"one {typed}two\n"),
    ):
        p = project({"a.md": "one two\n"})
        p.prompt()
        p.edit("a.md", "one two", "one agent two")
        p.put("a.md", seen)
        p.reject()
        assert p.text("a.md") == left


def test_a07_edits_just_above_and_below_deleted_lines_stay_when_these_return(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 7\nline 8\nline 9\n", "")
    p.sub("a.md", "line 6\n", "line 6 by hand\n")
    p.sub("a.md", "line 10\n", "line 10 by hand\n")
    p.reject()
    assert p.text("a.md") == POEM.replace("line 6\n", "line 6 by hand\n").replace(
        "line 10\n", "line 10 by hand\n"
    )


def test_a07_so_it_is_when_the_neighbours_were_rewritten_whole(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 7\nline 8\n", "")
    p.sub("a.md", "line 6\nline 9\n", "sechs\nneun\n")
    p.reject()
    assert p.text("a.md") == POEM.replace("line 6\n", "sechs\n").replace("line 9\n", "neun\n")


def test_a08_restored_lines_stand_before_what_was_typed_at_the_seam(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\nline 4\n", "")
    p.sub("a.md", "line 2\n", "line 2\nmine\n")
    typed = p.read("a.md")
    expected = POEM.replace("line 4\n", "line 4\nmine\n")
    for _ in range(4):
        p.reject()
        assert p.text("a.md") == expected
        p.undo()
        assert p.read("a.md") == typed


def test_a08_the_order_holds_when_it_happens_at_one_seam_again_and_again(project: Make) -> None:
    p = project({"a.md": "one\ntwo\nthree\nfour\n"})
    p.prompt()
    p.edit("a.md", "two\n", "")
    p.sub("a.md", "one\n", "one\nmine 1\n")
    p.edit("a.md", "three\n", "")
    p.sub("a.md", "mine 1\n", "mine 1\nmine 2\n")
    p.reject()
    assert p.text("a.md") == "one\ntwo\nmine 1\nthree\nmine 2\nfour\n"


def test_a09_typing_the_original_over_a_hunk_resolves_it_and_writes_nothing(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    (first, second) = p.hunks()
    p.sub("a.md", "THREE\n", "line 3\n")
    times = p.times("a.md")
    assert [hunk["id"] for hunk in p.hunks()] == [second["id"]]
    (by_hand,) = p.log("decision")
    assert (by_hand["verdict"], by_hand["hunks"], by_hand["written"]) == ("by-hand", [first["id"]], [])
    assert p.times("a.md") == times
    p.reject()
    assert p.text("a.md") == POEM


def test_a09_so_it_is_among_other_edits_saved_at_once(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.put("a.md", POEM.replace("line 9\n", "NINE\n").replace("line 15\n", "fifteen, by hand\n"))
    assert [hunk["new"] for hunk in p.hunks()] == ["NINE\n"]
    assert [entry["verdict"] for entry in p.log("decision")] == ["by-hand"]
    p.reject()
    assert p.text("a.md") == POEM.replace("line 15\n", "fifteen, by hand\n")


def test_a09_so_it_is_for_one_line_of_a_hunk(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\nline 4\n", "alpha\nbravo\n")
    p.hunks()
    p.sub("a.md", "alpha\n", "line 3\n")
    assert [(hunk["old"], hunk["new"]) for hunk in p.hunks()] == [("line 4\n", "bravo\n")]
    p.reject()
    assert p.text("a.md") == POEM


def test_a10_a_rejected_text_that_stands_there_again_is_the_agents_and_pending(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (hunk,) = p.hunks()
    after = p.read("a.md")
    p.reject(hunk["id"])
    p.put("a.md", after)  # an editor's undo
    (again,) = p.hunks()
    assert (again["id"], again["status"], again["actor"]["kind"]) == (hunk["id"], "pending", "agent")
    assert p.gate() == ["undecided"]
    p.reject(hunk["id"])
    assert p.text("a.md") == POEM


def test_a10_so_it_is_when_it_is_typed_again_in_a_file_that_went_on(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (hunk,) = p.hunks()
    p.reject(hunk["id"])
    p.sub("a.md", "line 15\n", "fifteen, by hand\n")
    assert p.hunks() == []
    p.sub("a.md", "line 3\n", "THREE\n")
    assert [(one["id"], one["actor"]["kind"]) for one in p.hunks()] == [(hunk["id"], "agent")]
    p.reject()
    assert p.text("a.md") == POEM.replace("line 15\n", "fifteen, by hand\n")


def test_a11_an_editors_undo_and_redo_bring_the_hunk_back_as_the_agents(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (hunk,) = p.hunks()
    after = p.read("a.md")
    for _ in range(3):
        p.put("a.md", POEM)
        assert p.hunks() == []
        p.put("a.md", after)
        assert p.hunks() == [hunk]


def test_a11_an_editor_that_undoes_several_steps_gets_each_of_them_back(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    one = p.read("a.md"), p.hunks()
    p.sub("a.md", "line 12\n", "twelve, by hand\n")
    two = p.read("a.md"), p.hunks()
    p.edit("a.md", "line 9\n", "NINE\n")
    three = p.read("a.md"), p.hunks()
    for content, hunks in (two, one, (POEM.encode(), []), one, two, three):
        p.put("a.md", content)
        assert p.hunks() == hunks
    p.reject()
    assert p.text("a.md") == POEM.replace("line 12\n", "twelve, by hand\n")


def test_a12_a_moved_block_keeps_its_author_and_never_leaves_two_copies(project: Make) -> None:
    for at in ("middle\n", "end\n"):
        p = project({"a.md": "top\nmiddle\nend\n"})
        p.prompt()
        p.edit("a.md", "middle\n", "agent 1\nagent 2\nmiddle\n")
        p.hunks()
        moved = "top\nmiddle\nend\n".replace(at, f"{at}agent 1\nagent 2\n")
        p.put("a.md", moved)
        (hunk,) = p.hunks()
        assert (hunk["actor"]["kind"], hunk["new"]) == ("agent", "agent 1\nagent 2\n")
        p.reject(hunk["id"])
        assert p.text("a.md") == "top\nmiddle\nend\n"
        p.undo()
        assert p.text("a.md") == moved
        p.accept()
        assert p.text("a.md") == moved


def test_a12_a_moved_block_that_replaced_something_lets_it_return_to_its_own_place(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\nline 4\n", "alpha\nbravo\n")
    p.hunks()
    p.put("a.md", POEM.replace("line 3\nline 4\n", "") + "alpha\nbravo\n")
    assert {hunk["actor"]["kind"] for hunk in p.hunks()} == {"agent"}
    p.reject()
    assert p.text("a.md") == POEM


@pytest.mark.parametrize(
    "wrapped",
    [
        "top\n    agent 1\n    agent 2\n    agent 3\nend\n",
        "top\nif ready:\n    agent 1\n    agent 2\n    agent 3\nend\n",
        "top\n\tagent 1\n\tagent 2\n\tagent 3\nend\n",
    ],
)
def test_a13_an_indented_block_can_be_rejected_and_its_indentation_goes_with_it(  # rule D2
    project: Make, wrapped: str
) -> None:
    p = with_block(project)
    (hunk,) = p.hunks()
    p.put("a.md", wrapped)
    (after,) = p.hunks()
    assert (after["id"], "agent 1\n" in after["new"]) == (hunk["id"], True)
    p.reject(hunk["id"])
    assert p.text("a.md") == "".join(line for line in wrapped.splitlines(True) if "agent" not in line)
    p.undo()
    assert p.text("a.md") == wrapped


def test_a15_of_two_equal_insertions_exactly_the_second_goes(project: Make) -> None:
    p = project({"a.md": "one\ntwo\nthree\n"})
    p.prompt()
    p.edit("a.md", "one\n", "one\nsame\n")
    p.edit("a.md", "two\n", "two\nsame\n")
    first, second = p.hunks()
    p.reject(second["id"])
    assert p.text("a.md") == "one\nsame\ntwo\nthree\n"
    assert [hunk["id"] for hunk in p.hunks()] == [first["id"]]


def test_a15_so_it_is_when_they_stand_side_by_side(project: Make) -> None:
    p = project({"a.md": "one\ntwo\n"})
    p.prompt()
    p.edit("a.md", "one\n", "one\nsame\n")
    p.edit("a.md", "same\n", "same\nsame\n")
    first, second = p.hunks()
    p.reject(second["id"])
    assert p.text("a.md") == "one\nsame\ntwo\n"
    assert [hunk["id"] for hunk in p.hunks()] == [first["id"]]


def test_a16_five_hundred_lines_above_a_hunk_change_nothing_but_its_place(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 9\n", "NINE\n")
    (before,) = p.hunks()
    p.put("a.md", "".join(f"above {number}\n" for number in range(500)) + p.text("a.md"))
    (after,) = p.hunks()
    places = ("old_start", "new_start")
    assert [after[place] - before[place] for place in places] == [500, 500]
    assert {**after, **{place: before[place] for place in places}} == before


def test_a17_an_outdated_handle_is_refused_with_those_that_took_its_place(project: Make) -> None:
    p = project({"a.md": "top\nend\n"})
    p.prompt()
    p.edit("a.md", "top\n", "top\nnew 1\nnew 2\nnew 3\n")
    (whole,) = p.hunks()
    p.accept("a.md:3-3")
    parts = [hunk["id"] for hunk in p.hunks(status="all") if hunk["call"]]
    for verdict in ("reject", "accept"):
        (need,) = p.asked(verdict, whole["id"])
        assert need["hunk"] == whole["id"]
        assert sorted(need["now"]) == sorted(parts)
        # One that is current beside one that is not: still nothing is done.
        p.asked(verdict, p.hunks()[0]["id"], whole["id"])
    p.undo()
    assert [hunk["id"] for hunk in p.hunks()] == [whole["id"]]
    for part in parts:
        (need,) = p.asked("reject", part)
        assert need["now"] == [whole["id"]]


def test_a18_what_changed_between_two_calls_is_nobodys_but_the_outsides(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.sub("a.md", "line 12\n", "a program's\n")
    p.edit("a.md", "line 9\n", "NINE\n")
    owners = {hunk["new"]: (hunk["actor"]["kind"], hunk["call"]) for hunk in p.hunks(status="all")}
    assert owners == {
        "THREE\n": ("agent", "c1"),
        "NINE\n": ("agent", "c2"),
        "a program's\n": ("external", None),
    }
    assert {hunk["new"] for hunk in p.hunks()} == {"THREE\n", "NINE\n"}


def test_a11_an_editors_undo_of_formatting_is_no_answer_about_the_hunk(project: Make) -> None:  # rule D2
    p = project({"a.md": "top\nend\n"})
    p.prompt()
    p.write("a.md", "top\nf(a,b)\nend\n")
    (hunk,) = p.hunks()
    p.put("a.md", "top\nf(a, b)\nend\n")
    assert [one["new"] for one in p.hunks()] == ["f(a, b)\n"]
    p.put("a.md", "top\nf(a,b)\nend\n")
    assert p.hunks() == [hunk]
    assert [made["hunks"] for made in p.log("decision")] == [[]]
    p.reject()
    assert p.text("a.md") == "top\nend\n"


def test_d2_what_the_config_says_of_formatted_files_changes_nothing(project: Make) -> None:
    for said in ("", '[capture]\nformatted = ["*.md"]\n'):
        p = project({"a.md": "top\nend\n"})
        config = p.root / ".blueline" / "config.toml"
        config.write_text(said)
        p.prompt()
        p.write("a.md", "top\nf(a,b)\nend\n")
        p.stop()
        p.put("a.md", "top\nf(a, b)\nend\n")
        assert [one["actor"]["name"] for one in p.hunks()] == ["claude-code"]
        p.reject()
        assert p.text("a.md") == "top\nend\n"


LAST = {
    "its end": ("a\nx = 1", "a\nx = 1\n"),
    "its end and words": ("a\nx = 1", "a\nx = 1 + 2\n"),
    "its end and another word": ("a\nx = 1", "a\nx = 2\n"),
    "its end and a line": ("a\nx = 1", "a\nx = 1\ny = 2\n"),
    "its end, CRLF": ("a\r\nx = 1", "a\r\nx = 2\r\n"),
}


@pytest.mark.parametrize("case", LAST)
def test_a_line_typed_below_a_last_line_that_got_its_end_from_an_agent_stays_a_line(
    project: Make, case: str
) -> None:  # D0, D1
    before, agents = LAST[case]
    end = "\r\n" if "\r" in before else "\n"
    p = project({"a.py": before})
    p.write("a.py", agents)
    p.put("a.py", f"{agents}mine{end}")
    (hunk,) = p.hunks()
    assert {*hunk["old"].splitlines()} <= {*before.splitlines(), "mine"}
    decided = p.reject()
    assert [kept["text"] for kept in decided["kept"]] in ([], ["mine"])
    assert p.text("a.py").removesuffix(end) == f"{before}{end}mine"
    p.undo()
    assert p.text("a.py") == f"{agents}mine{end}"
    p.accept()
    assert p.text("a.py") == f"{agents}mine{end}"
