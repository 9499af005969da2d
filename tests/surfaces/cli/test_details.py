"""One thing with all that is known of it, as it is printed."""

from __future__ import annotations

from tests.support.command import Run
from tests.support.fake_desk import FakeDesk, call, decision, file, hunk, subagent, turn
from tests.surfaces.cli.printed import check


class TestShow:
    def test_a_hunk(self, run: Run) -> None:
        document = {
            **hunk(built_on_by=["h77"], modified=True, subagent="a1"),
            "kind": "hunk",
            "change": "modify",
            "prompt": "make it friendlier",
            "about": {"record": 12, "subagent": {"id": "a1", "type": "general"}},
            "decisions": [],
        }
        check(
            run(FakeDesk(show=document), "show", "h4f2a9c10"),
            """
            hunk h4f2a9c10  pending  src/a.py:3
              what         modify +1 -1
              by           claude-code with Edit
              in           call c2, turn t1
              sub-agent    a1
              prompt       make it friendlier
              at           2026-01-01 00:00
              note         edited since; what others typed in it stays, unless you say so
              built on by  h77

            -hello world
            +hello there

            next: blueline accept h4f2a9c10 keeps it, reject h4f2a9c10 takes it back
            """,
        )

    def test_a_hunk_that_is_not_text(self, run: Run) -> None:
        document = {
            **hunk(old=None, new=None, turn=None, call=None, tool=None, status="accepted"),
            "kind": "hunk",
            "change": "binary",
            "prompt": None,
            "about": {},
            "decisions": ["d1"],
        }
        out = run(FakeDesk(show=document), "show", "h4f2a9c10").out
        assert "(not text)\n" in out
        assert out.endswith("next: blueline log shows the decision, blueline undo takes one back\n")

    def test_m04_a_subagent(self, run: Run) -> None:
        check(
            run(FakeDesk(show={**subagent(ended=None), "kind": "subagent"}), "show", "a1"),
            """
            sub-agent a1  pending
              turn   t1
              type   general-purpose
              for    the greeting
              began  2026-01-01 00:00
              ended  still running
              hunks  1 pending: h4f2a9c10
            next: blueline accept a1 keeps it, reject a1 takes it back
            """,
        )

    def test_m04_a_turn_names_its_subagents(self, run: Run) -> None:
        two = subagent(id="a2", type="", description="", counts={})
        shown = {**turn(subagents=[subagent(), two]), "kind": "turn"}
        out = run(FakeDesk(show=shown), "show", "t1").out
        assert "  sub-agent     a1  general-purpose: the greeting, 1 pending\n" in out
        assert "  sub-agent     a2  sub-agent, no hunks\n" in out

    def test_a_call(self, run: Run) -> None:
        check(
            run(FakeDesk(show={**call(about={"user_modified": True}), "kind": "call"}), "show", "c2"),
            """
            call c2  pending
              tool           Edit
              path           src/a.py
              turn           t1
              began          2026-01-01 00:00
              ended          2026-01-01 00:01
              outcome        done
              hunks          1 pending: h4f2a9c10
              user modified  yes
            next: blueline accept c2 keeps it, reject c2 takes it back
            """,
        )

    def test_a_turn_with_its_whole_prompt(self, run: Run) -> None:
        check(
            run(FakeDesk(show={**turn(ended=None), "kind": "turn"}), "show", "t1"),
            """
            turn t1  pending
              agent         claude-code
              conversation  conv-1
              began         2026-01-01 00:00
              ended         still running
              hunks         1 pending: h4f2a9c10

              make it friendlier
              please

            next: blueline accept t1 keeps it, reject t1 takes it back
            """,
        )

    def test_a_file(self, run: Run) -> None:
        check(
            run(FakeDesk(show={**file(), "kind": "file"}), "show", "src/a.py"),
            """
            src/a.py  mixed
              on disk      yes
              mode         644
              hunks        1 pending, 1 accepted: h4f2a9c10, h77
              known since  2026-01-01 00:00
              changed      2026-01-01 00:00 by claude-code in c2
            next: blueline accept src/a.py keeps it, reject src/a.py takes it back
            """,
        )

    def test_a_decision(self, run: Run) -> None:
        check(
            run(
                FakeDesk(show={**decision(reason="no"), "kind": "decision", "overtaken": False}), "show", "d7"
            ),
            """
            decision d7  reject, stands
              at      2026-01-01 00:02
              by      ada
              reason  no
              hunks   h4f2a9c10
              in      src/a.py
              wrote   src/a.py
            next: blueline undo d7 undoes it
            """,
        )
