"""What somebody is shown who has to answer an agent."""

from __future__ import annotations

import pytest

from blueline.chat.call_recorder import Diff
from blueline.chat.proposed_diff import LONGEST_COMPARED, LONGEST_DIFF, proposed

POEM = "".join(f"line {number}\n" for number in range(1, 101))
CHANGED = POEM.replace("line 50\n", "FIFTY\n")
HUNK = """\
@@ -47,7 +47,7 @@ line 46
 line 47
 line 48
 line 49
-line 50
+FIFTY
 line 51
 line 52
 line 53
"""


@pytest.mark.parametrize(
    "diff",
    [
        Diff(path="a", old=POEM, new=CHANGED),
        Diff(path="a", old="line 50\n", new="FIFTY\n"),
        Diff(path="a", old="49\nline 50", new="49\nFIFTY"),
        Diff(path="a", old=None, new=CHANGED, is_whole=True),
    ],
    ids=["the whole file", "whole lines", "a part of lines", "only what it is to hold"],
)
def test_however_an_agent_tells_it_the_lines_that_change_are_shown_with_their_place(diff: Diff) -> None:
    assert proposed("a", diff, POEM) == {"path": "a", "long": False, "diff": HUNK, "line": 50}


def test_a_new_file() -> None:
    found = proposed("a", Diff(path="a", old=None, new="one\ntwo\n"), None)
    assert (found["diff"], found["line"]) == ("@@ -0,0 +1,2 @@\n+one\n+two\n", 1)


@pytest.mark.parametrize("old", ["line 1", "not there"])
def test_a_part_that_stands_nowhere_or_twice_is_shown_without_a_place(old: str) -> None:
    found = proposed("a", Diff(path="a", old=old, new="ONE"), POEM)
    assert f"-{old}\n" in found["diff"]
    assert found["line"] is None


def test_the_first_line_that_changes_may_be_the_first_of_all() -> None:
    assert proposed("a", Diff(path="a", old="line 1\n", new=""), "line 1\nx\n")["line"] == 1


def test_what_nobody_would_read_is_not_sent() -> None:
    many = "".join(f"{number}\n" for number in range(LONGEST_DIFF))
    assert proposed("a", Diff(path="a", old=None, new=many), None)["long"]
    assert proposed("a", Diff(path="a", old=None, new="x" * LONGEST_COMPARED + "y"), None)["long"]
