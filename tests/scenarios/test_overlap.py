"""Changes that meet: one call on another's text, one agent on another's, an agent on a person's."""

from __future__ import annotations

import pytest

from tests.support.project import POEM, Make, Project


@pytest.fixture
def rewritten(project: Make) -> Project:
    """The second turn has rewritten what the first one wrote."""
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "first version\n")
    p.stop()
    p.prompt("second")
    p.edit("a.md", "first version\n", "second version\n")
    p.stop()
    return p


def test_d01_rejecting_the_rewrite_gives_the_earlier_text_back_as_pending(rewritten: Project) -> None:
    p = rewritten
    p.reject(p.turn("second"))
    assert p.text("a.md") == POEM.replace("line 3\n", "first version\n")
    (hunk,) = p.hunks()
    assert (hunk["old"], hunk["new"], hunk["turn"]) == ("line 3\n", "first version\n", p.turn("first"))
    p.reject()
    assert p.text("a.md") == POEM


def test_d02_rejecting_only_what_was_rewritten_lists_who_builds_on_it(rewritten: Project) -> None:
    p = rewritten
    owners = {hunk["id"]: hunk["turn"] for hunk in p.hunks(status="all")}
    (need,) = p.asked("reject", p.turn("first"))
    assert owners[need["hunk"]] == p.turn("first")
    assert [owners[hunk] for hunk in need["built_on_by"]] == [p.turn("second")]
    assert p.text("a.md") == POEM.replace("line 3\n", "second version\n")


def test_d02_with_those_who_build_on_it_the_original_is_back(rewritten: Project) -> None:
    p = rewritten
    done = p.reject(p.turn("first"), dependents="with")
    assert {result["outcome"] for result in done["results"]} == {"applied"}
    assert len(done["results"]) == 2
    assert (p.text("a.md"), p.hunks()) == (POEM, [])


def test_d02_keeping_those_who_build_on_it_leaves_their_text(rewritten: Project) -> None:
    p = rewritten
    p.reject(p.turn("first"), dependents="keep")
    # The line that the rewrite stands in stays as it is, and is the rewrite's from now on (B2).
    assert p.text("a.md") == POEM.replace("line 3\n", "second version\n")
    (hunk,) = p.hunks()
    assert (hunk["turn"], hunk["old"], hunk["new"]) == (p.turn("second"), "line 3\n", "second version\n")
    p.reject(p.turn("second"))
    assert p.text("a.md") == POEM


def test_d02_what_was_kept_is_named(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "line 3\nalpha\nbravo\ncharlie\n")
    p.prompt("second")
    p.edit("a.md", "bravo\n", "bravo\ndelta\n")
    done = p.reject(p.turn("first"), dependents="keep")
    assert [(kept["text"], kept["line"], kept["actor"]["kind"]) for kept in done["kept"]] == [
        ("delta", 4, "agent")
    ]
    assert p.text("a.md") == POEM.replace("line 3\n", "line 3\ndelta\n")


def test_d03_of_two_turns_apart_in_one_file_the_other_stays_exact(project: Make) -> None:
    """Property 6."""
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 18\n", "")
    p.stop()
    p.prompt("second")
    p.edit("a.md", "line 4\n", "FOUR\n")
    p.edit("a.md", "line 19\n", "line 19\nand more\n")
    p.stop()
    second = [hunk for hunk in p.hunks() if hunk["turn"] == p.turn("second")]
    p.reject(p.turn("first"))
    assert p.text("a.md") == POEM.replace("line 4\n", "FOUR\n").replace("line 19\n", "line 19\nand more\n")
    assert [(hunk["id"], hunk["new"]) for hunk in p.hunks()] == [(hunk["id"], hunk["new"]) for hunk in second]


@pytest.fixture
def inside(project: Make) -> Project:
    """Agent A has inserted a block, agent B has changed it from inside."""
    p = project({"a.md": "top\nend\n"})
    p.prompt("A")
    p.edit("a.md", "top\n", "top\none of A\ntwo of A\nthree of A\n")
    p.conversation = "conversation-2"
    p.prompt("B")
    p.edit("a.md", "two of A\n", "two of A\none of B\n")
    p.edit("a.md", "three of A", "three of A and B")
    return p


def test_d04_what_another_agent_wrote_inside_is_asked_about(inside: Project) -> None:
    p = inside
    (need,) = p.asked("reject", p.turn("A"))
    theirs = [hunk["id"] for hunk in p.hunks() if hunk["turn"] == p.turn("B")]
    assert sorted(need["built_on_by"]) == sorted(theirs)


def test_d04_the_order_of_rejecting_both_does_not_matter(inside: Project) -> None:
    p = inside
    a, b = p.turn("A"), p.turn("B")
    p.reject(b)
    assert p.text("a.md") == "top\none of A\ntwo of A\nthree of A\nend\n"
    p.reject(a)
    assert p.text("a.md") == "top\nend\n"
    states = {hunk["id"]: hunk["status"] for hunk in p.hunks(status="all")}
    p.undo()
    p.undo()
    p.reject(a, dependents="keep")
    # A line that both made stays as it is, and is B's from now on (B2).
    assert p.text("a.md") == "top\none of B\nthree of A and B\nend\n"
    assert {hunk["turn"] for hunk in p.hunks()} == {b}
    p.reject(b)
    assert p.text("a.md") == "top\nend\n"
    assert set(states.values()) == {hunk["status"] for hunk in p.hunks(status="all")} == {"rejected"}


def test_d05_a_persons_text_that_an_agent_deleted_comes_back(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.stop()
    p.sub("a.md", "line 3\n", "line 3\nmine 1\nmine 2\n")
    p.prompt("second")
    p.edit("a.md", "mine 1\nmine 2\n", "")
    p.stop()
    p.reject(p.turn("second"))
    assert p.text("a.md") == POEM.replace("line 3\n", "line 3\nmine 1\nmine 2\n").replace(
        "line 9\n", "NINE\n"
    )


def test_d05_so_it_is_when_it_was_rewritten_and_when_it_was_half_a_line(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.sub("a.md", "line 3\n", "line 3, as I said\n")
    p.prompt("second")
    p.edit("a.md", "line 3, as I said\nline 4\n", "something else\n")
    p.reject(p.turn("second"))
    assert p.text("a.md") == POEM.replace("line 3\n", "line 3, as I said\n").replace("line 9\n", "NINE\n")


def test_d09_rejecting_a_renamed_function_in_one_file_names_the_others(project: Make) -> None:
    p = project(
        {
            "a.py": "def load(path):\n    return path\n",
            "b.py": "from a import load\n",
            "c.py": "'x'\nload\n",
            "d.py": "number = 1\n",
            "e.py": "load\n",
        }
    )
    p.prompt()
    p.edit("a.py", "def load(path)", "def read(path)")
    p.edit("b.py", "import load", "import read")
    p.edit("c.py", "'x'\nload\n", "'y'\nread\n")
    p.edit("d.py", "number = 1", "number = 2")
    # Another word, which only begins as that one does.
    p.edit("e.py", "load", "reader")
    ids = {hunk["path"]: hunk["id"] for hunk in p.hunks()}
    done = p.reject("b.py")
    assert p.text("b.py") == "from a import load\n"
    assert sorted(done["linked"]) == sorted([ids["a.py"], ids["c.py"]])
    assert p.reject("d.py")["linked"] == []
    # The whole turn leaves nothing behind to warn of.
    assert p.reject(p.turn("please"))["linked"] == []
