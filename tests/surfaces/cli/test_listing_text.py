"""What people see of status, list, diff, show and log."""

from __future__ import annotations

from typing import cast

import pytest

from blueline.contract.overview import StatusDocument
from blueline.surfaces.cli.listing_text import state
from blueline.surfaces.cli.terminal import Screen, columns
from tests.support.command import Run
from tests.support.fake_desk import (
    RECORDED,
    UNRECORDED,
    FakeDesk,
    call,
    decision,
    file,
    hunk,
    listing,
    subagent,
    turn,
)
from tests.surfaces.cli.printed import check


class TestList:
    def test_one_line_for_each_hunk_below_its_file(self, run: Run) -> None:
        found = listing(
            hunk(path="README.md", kind="create", old="", new="# Title\n", old_lines=0, new_lines=1),
            hunk(id="h77aa01b0", new_start=3),
            hunk(
                id="h88bb02c0",
                new_start=120,
                new_lines=2,
                old_lines=0,
                old="",
                new="    if quick:\n        run()\n",
                turn="t2",
                builds_on=["h77aa01b0"],
            ),
            hunk(path="src/b.py", new_lines=0, old="gone = 1\n", new="", held=True, modified=True),
        )
        check(
            run(FakeDesk(list=found), "list"),
            """
            4 hunks in 3 files, by 1 call in 2 turns

            README.md
              h4f2a9c10       create  +1     t1  + # Title

            src/a.py
              h77aa01b0    3  modify  +1 -1  t1  hello world → there
              h88bb02c0  120  modify  +2     t2  (on h77aa01b0) + if quick:

            src/b.py
              h4f2a9c10    3  modify  -1     t1  (held, edited since) - gone = 1

            next: blueline show h4f2a9c10, then blueline accept or reject it
            """,
        )

    def test_what_changed_first_is_shown_with_a_little_before_it(self, run: Run) -> None:
        found = listing(
            hunk(old="    return compute(first, second)\n", new="    return compute(first, third)\n"),
            hunk(old="call(one, two)\n", new="call(one, two, three)\n"),
            hunk(old="    x = 1\n", new="  x = 1\n"),
            hunk(old="def  get_debug_flag(): pass\n", new="def get_debug_flag(): pass\n"),
            hunk(old="y = x + 1\nz = 3\n", new="y = x - 1\nz = 4\n"),
            hunk(old="entirely different\n", new="nothing in common\n"),
            hunk(old="same\n", new="same\n"),
            hunk(kind="rename", old="", new="", **{"from": "src/old.py"}),
            hunk(kind="binary", old=None, new=None),
            hunk(old="a\nb\n", new="a\nb\nc\n", endings=True, complete=False),
        )
        rows = run(FakeDesk(list=found), "list").out.splitlines()[3:-2]
        assert [row.partition("t1")[2].strip() for row in rows] == [
            "…compute(first, second → third",
            "call(one, two + , three",
            "blanks before x = 1",
            "def blanks before get_debug_flag",
            "y = x + → -  …",
            "entirely different → nothing in common",
            "same",
            "from src/old.py",
            "",
            "(line ends, before unknown) + c",
        ]

    def test_where_no_word_changed_the_blank_lines_are_counted(self, run: Run) -> None:
        found = listing(
            hunk(old="\n", new=""),
            hunk(old="", new="\n \n"),
            hunk(old="\n", new="  \n"),
            hunk(old="", new=""),
        )
        rows = run(FakeDesk(list=found), "list").out.splitlines()[3:-2]
        said = ["- 1 blank line", "+ 2 blank lines", "blanks only", ""]
        assert [row.partition("t1")[2].strip() for row in rows] == said

    def test_a_change_far_right_in_a_long_line_is_what_is_shown(self, run: Run) -> None:
        old, new = (f"{'a=1;' * 3000}{word}();{'b=2;' * 3000}\n" for word in ("before", "after"))
        out = run(FakeDesk(list=listing(hunk(old=old, new=new))), "list").out
        assert "t1  a=1;a=1;a=1;a=1;before → after\n" in out

    def test_what_is_left_of_a_hunk_stands_below_the_others(self, run: Run) -> None:
        rows = [hunk(id="h4f2a9c10.1a1252", new_start=8), hunk(id="h77777777", new_start=10)]
        lines = run(FakeDesk(list=listing(*rows)), "list").out.splitlines()
        first, second = (line for line in lines if line.startswith("  h"))
        assert first.index("modify") == second.index("modify")

    def test_no_line_is_wider_than_the_terminal(self, run: Run) -> None:
        found = listing(
            hunk(old="word " * 90 + "\n", new="drow " * 90 + "\n"),
            hunk(old="", new="世界" * 50 + "\n"),
        )
        rows = run(FakeDesk(list=found), "list").out.splitlines()
        assert [columns(row) for row in rows[3:5]] == [80, 80]

    def test_statuses_are_named_where_they_differ(self, run: Run) -> None:
        found = listing(hunk(), hunk(status="rejected"))
        out = run(FakeDesk(list=found), "list", "--status", "all").out
        assert "h4f2a9c10  pending   3  modify" in out
        assert "h4f2a9c10  rejected  3  modify" in out

    def test_another_mode_than_review_is_said(self, run: Run) -> None:
        out = run(FakeDesk(list=listing(hunk(), mode="hold")), "list").out
        assert out.startswith("1 hunk in 1 file, by 1 call in 1 turn   mode: hold\n")

    def test_by_turn(self, run: Run) -> None:
        running = turn(id="t2", prompt="", ended=None, status="mixed")
        check(
            run(FakeDesk(list={**listing(), "turns": [turn(), running]}), "list", "--by", "turn"),
            """
            t1  pending  1 pending  claude-code  2026-01-01 00:00
                make it friendlier …
            t2  mixed  1 pending  claude-code  2026-01-01 00:00  still running
                (no prompt was seen)

            next: blueline show t1, then blueline accept or reject it
            """,
        )

    def test_m04_subagents_stand_below_their_turn(self, run: Run) -> None:
        parts = [subagent(), subagent(id="a2", ended=None, description="the rest")]
        out = run(FakeDesk(list={**listing(), "turns": [turn(subagents=parts)]}), "list", "--by", "turn").out
        assert "    a1  pending  1 pending  general-purpose: the greeting\n" in out
        assert "    a2  pending  1 pending  general-purpose: the rest  still running\n" in out

    def test_m04_what_a_subagent_did_names_it(self, run: Run) -> None:
        hunks = listing(hunk(subagent="a1"))
        assert "  t1 a1  hello" in run(FakeDesk(list=hunks), "list").out
        of = {**listing(), "calls": [call(subagent="a1")]}
        assert "of t1 a1, 1 pending\n" in run(FakeDesk(list=of), "list", "--by", "call").out
        assert "a1\n" in run(FakeDesk(list=hunks), "list", "--ids").out

    def test_by_call(self, run: Run) -> None:
        lost = call(id="c10", tool="Write", outcome="failed", counts={})
        check(
            run(FakeDesk(list={**listing(), "calls": [call(), lost]}), "list", "--by", "call"),
            """
            c2   pending   Edit src/a.py  of t1, 1 pending
            c10  pending   Write src/a.py (failed)  of t1, no hunks

            next: blueline show c2, then blueline accept or reject it
            """,
        )

    def test_by_file(self, run: Run) -> None:
        files = [file(), file(path="a name\nwith lines", status="rejected")]
        check(
            run(FakeDesk(list={**listing(), "files": files}), "list", "--by", "file"),
            """
            mixed     src/a.py            1 pending, 1 accepted
            rejected  a name\\nwith lines  1 pending, 1 accepted

            next: blueline show src/a.py, then blueline accept or reject it
            """,
        )

    def test_ids_alone_for_completion(self, run: Run) -> None:
        found = listing(hunk(), hunk(id="h77", turn="t2"), hunk(id="h88", call=None, turn=None))
        done = run(FakeDesk(list=found), "list", "--ids")
        assert done == (0, "h4f2a9c10\nh77\nh88\nc2\nt1\nt2\n", "")

    @pytest.mark.parametrize(
        ("status", "mode", "said"),
        [
            ("pending", "review", "Nothing to decide: no change by an agent is waiting for an answer."),
            ("pending", "direct", "Nothing to decide. The mode is direct: what agents do is not recorded."),
            ("all", "review", "No agent has changed anything in this project yet."),
            ("rejected", "review", "Nothing is rejected."),
        ],
    )
    def test_an_empty_list_explains_itself(self, run: Run, status: str, mode: str, said: str) -> None:
        done = run(FakeDesk(list=listing(mode=mode)), "list", "--status", status)
        first, second = done.out.splitlines()
        assert first == said
        assert second.startswith("next: ")


class TestStatus:
    def test_with_something_to_decide(self, run: Run) -> None:
        document = {
            "mode": "hold",
            "recording": RECORDED,
            "counts": {"hunks": 2, "files": 1, "calls": 1, "turns": 1},
            "turns_running": 1,
            "gate": {
                "open": False,
                "reasons": [{"code": "undecided", "message": "2 changes are undecided", "hint": "decide"}],
                "override": None,
            },
            "root": "/work",
            "warnings": [],
        }
        check(
            run(FakeDesk(status=document), "status"),
            """
            /work
              mode     hold (edits become proposals; nothing is written until you accept it)
              pending  2 hunks in 1 file, by 1 call in 1 turn
              running  1 turn: more edits may follow
              gate     closed
                       2 changes are undecided
            next: blueline walk goes through them, blueline diff shows what changed
            """,
        )
        narrow = [*state(cast(StatusDocument, document), Screen(width=60))]
        assert narrow[1:3] == [
            "  mode     hold (edits become proposals; nothing is written",
            "           until you accept it)",
        ]

    def test_with_nothing_to_decide(self, run: Run) -> None:
        document = {
            "mode": "review",
            "recording": RECORDED,
            "counts": {"hunks": 0, "files": 0, "calls": 0, "turns": 0},
            "turns_running": 0,
            "gate": {"open": True, "reasons": [], "override": None},
            "root": "/work",
            "warnings": [],
        }
        check(
            run(FakeDesk(status=document), "status"),
            """
            /work
              mode     review (edits land at once, and are reviewed after)
              pending  nothing: every change is decided
              gate     open
            next: let an agent work, then: blueline list
            """,
        )

    def test_where_nobody_watches_nothing_is_said_to_be_decided(self, run: Run) -> None:
        """Rule D6."""
        document = {
            **listing(recording=UNRECORDED),
            "turns_running": 0,
            "reviews": False,
            "gate": {"open": False, "reasons": [], "override": None},
            "root": "/work",
            "warnings": [],
        }
        check(
            run(FakeDesk(status=document), "status"),
            """
            /work
              mode     review (edits land at once, and are reviewed after)
              not recorded here: nobody watches
              pending  nothing that is known of
            next: blueline init
            """,
        )
        check(
            run(FakeDesk(list=listing(recording=UNRECORDED)), "list"),
            """
            Not recorded here: nobody watches.
            next: blueline init
            """,
        )
        narrowed = run(FakeDesk(list=listing(recording=UNRECORDED)), "list", "src", "--color=always").out
        assert "nobody watches." in narrowed
        out = run(FakeDesk(list=listing(hunk(), recording=UNRECORDED)), "list").out
        assert "Not recorded here: nobody watches.\nnext: blueline init\n" in out


class TestLog:
    def test_newest_first_as_it_comes(self, run: Run) -> None:
        entries = [
            {**decision(id="d9", verdict="by-hand", written=[]), "kind": "decision"},
            {**decision(id="d8", verdict="undo", of="d7", written=[*"abcd"]), "kind": "decision"},
            {**decision(stands=False, reason="not asked for"), "kind": "decision"},
            {**call(ended=None, outcome=""), "kind": "call", "at": "2026-01-01T00:01:00Z"},
            {**turn(), "kind": "turn", "at": "2026-01-01T00:00:00Z"},
        ]
        check(
            run(FakeDesk(log={"entries": entries, "tally": []}), "log", "--oneline"),
            """
            2026-01-01 00:02  d9  taken back by hand, in the file itself: 1 hunk in src/a.py
            2026-01-01 00:02  d8  undo of d7: 1 hunk in src/a.py, wrote a, b, c and 1 more
            2026-01-01 00:02  d7  reject 1 hunk in src/a.py (undone), because: not asked for
            2026-01-01 00:01  c2  Edit src/a.py (still running)
            2026-01-01 00:00  t1  claude-code: make it friendlier …

            next: blueline show ID tells more, blueline undo ID undoes a decision
            """,
        )

    def test_an_empty_one_explains_itself(self, run: Run) -> None:
        out = run(FakeDesk(log={"entries": [], "tally": []}), "log").out
        assert out.startswith("Nothing has happened here yet.\nnext: ")
