"""What people see of accept, reject, undo, redo, mode, check and purge."""

from __future__ import annotations

from blueline.surfaces.cli import outcomes
from blueline.surfaces.cli.terminal import Screen
from tests.support.command import Run, text
from tests.support.fake_desk import FakeDesk, decided, hunk, listing, refused
from tests.surfaces.cli.printed import check


class TestDecisions:
    def test_what_was_done_and_how_to_undo_it(self, run: Run) -> None:
        results = [
            {"hunk": "h1", "path": "src/a.py", "outcome": "applied", "reason": "", "modified": False},
            {"hunk": "h2", "path": "src/a.py", "outcome": "already", "reason": "", "modified": False},
            {"hunk": "h3", "path": "b.py", "outcome": "applied", "reason": "", "modified": False},
            {"hunk": "h4", "path": "b.py", "outcome": "skipped", "reason": "it is gone", "modified": False},
        ]
        kept = [
            {
                "path": "b.py",
                "line": 4,
                "text": "typed by\nhand",
                "actor": {"kind": "person"},
                "blank": False,
            },
            {
                "path": "b.py",
                "line": 9,
                "text": "\n",
                "actor": {"kind": "agent"},
                "blank": True,
                "hunk": "h9",
            },
        ]
        answer = decided(results=results, written=["src/a.py", "b.py"], kept=kept, linked=["h5"])
        check(
            run(FakeDesk(decide=answer), "reject", "src", "b.py"),
            """
            Rejected 2 hunks (decision d7).
              src/a.py  h1
              src/a.py  h2 was decided so already
              b.py      h3
              b.py      h4 it is gone
              wrote 2 files
              kept  b.py:4, typed by you: typed by …
              kept  b.py:9, by an agent in h9: blank lines
              look at  h5: the same words changed in other files
            next: blueline list shows what is left, blueline undo d7 undoes this
            """,
        )

    def test_a_hint_that_does_not_fit_is_broken_between_words(self) -> None:
        narrow = Screen(width=60, watched=True)
        shown = "\n".join(outcomes.brief(decided(linked=[f"h{n}0000000" for n in range(9)]), narrow))
        assert shown.endswith(" and 6 more:\n           the same words changed in other files")
        assert max(map(len, shown.splitlines())) <= 60

    def test_accepting_writes_nothing(self, run: Run) -> None:
        check(
            run(FakeDesk(decide=decided(verdict="accept", written=[])), "accept", "--all"),
            """
            Accepted 1 hunk (decision d7).
              src/a.py  h4f2a9c10
              no file has to be written
            next: blueline list shows what is left, blueline undo d7 undoes this
            """,
        )

    def test_other_files_than_those_decided_on_are_named(self, run: Run) -> None:
        out = run(FakeDesk(decide=decided(written=["old.py", "new.py"])), "reject", "h1").out
        assert "\n  wrote  old.py, new.py\n" in out

    def test_a_dry_run_says_so(self, run: Run) -> None:
        check(
            run(FakeDesk(decide=decided(decision=None, dry_run=True)), "reject", "h1", "--dry-run"),
            """
            Would reject 1 hunk; nothing was written.
              src/a.py  h4f2a9c10
              would write 1 file
            next: the same without --dry-run does it
            """,
        )

    def test_a_dry_run_shows_what_would_change(self, run: Run) -> None:
        diff = "diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-new\n+old\n"
        out = run(
            FakeDesk(decide=decided(decision=None, dry_run=True, diff=diff)), "reject", "h1", "--dry-run"
        ).out
        assert "would write 1 file\n\n" + diff + "\nnext: " in out

    def test_nothing_left_to_decide(self, run: Run) -> None:
        check(
            run(FakeDesk(decide=decided(decision=None, results=[], written=[])), "reject", "--all"),
            """
            Nothing changed: there was nothing left to decide.
            next: blueline log shows every decision with its id
            """,
        )

    def test_put_off_while_the_agent_writes(self, run: Run) -> None:
        queued = [{"hunk": "h1", "path": "a.py", "outcome": "queued", "reason": "", "modified": False}]
        check(
            run(FakeDesk(decide=decided(results=queued, written=[])), "reject", "h1"),
            """
            Queued (decision d7): it is carried out as soon as the agent's call has ended.
              a.py  h1 waits until the agent has finished with the file
            next: blueline list shows what is left, blueline undo d7 undoes this
            """,
        )

    def test_very_many_files_are_counted(self, run: Run) -> None:
        results = [
            {"hunk": f"h{n}", "path": f"{n:02}.py", "outcome": "applied", "reason": "", "modified": False}
            for n in range(30)
        ]
        answer = decided(results=results, written=[result["path"] for result in results])
        out = run(FakeDesk(decide=answer), "reject", "--all").out
        assert "\n  19.py  h19\n  and 10 more files\n  wrote 30 files\n" in out

    def test_undo_and_redo(self, run: Run) -> None:
        undone = decided(decision="d8", verdict="undo", of="d7")
        redone = decided(decision="d9", verdict="redo", of="d7")
        out = run(FakeDesk(undo=undone), "undo").out
        assert out.startswith("Undid d7: 1 hunk (decision d8).\n")
        assert out.endswith("next: blueline redo redoes it\n")
        assert run(FakeDesk(redo=redone), "redo").out.startswith("Redid d7: 1 hunk (decision d9).\n")

    def test_nothing_to_undo(self, run: Run) -> None:
        answer = decided(decision=None, verdict="undo", results=[], written=[])
        check(
            run(FakeDesk(undo=answer), "undo"),
            """
            There is nothing to undo.
            next: blueline log shows every decision with its id
            """,
        )


class TestQuestions:
    def test_what_builds_on_it_and_the_two_commands_to_type(self, run: Run) -> None:
        answer = refused({"hunk": "h1", "path": "src/a.py", "built_on_by": ["h2", "h3"]})
        known = listing(hunk(id="h1"), hunk(id="h2", new_start=9, turn="t2"), hunk(id="h3", kind="create"))
        done = run(FakeDesk(decide=answer, list=known), "-C", ".", "reject", "h1", "--reason", "it's bad")
        assert (done.code, done.out) == (4, "")
        assert done.err == text(
            """
            blueline: nothing was written: other changes build on this
              h1  src/a.py:3, Edit in t1 is built on by
                h2  src/a.py:9, Edit in t2
                h3  src/a.py, Edit in t1

            to take them back too:     blueline reject --reason 'it'"'"'s bad' h1 --with-dependents
            to keep them as they are:  blueline reject --reason 'it'"'"'s bad' h1 --keep-dependents
            """
        )

    def test_an_id_that_is_no_longer_current(self, run: Run) -> None:
        answer = refused({"hunk": "h1", "now": ["h1.a", "h1.b"]}, error="h1 was split", hint="use these")
        done = run(FakeDesk(decide=answer, list=listing(hunk(id="h1.a"))), "accept", "h1")
        assert done.code == 4
        assert done.err == text(
            """
            blueline: nothing was written: h1 was split
              h1 is no longer current; in its place there are
                h1.a  src/a.py:3, Edit in t1
                h1.b

            hint: use these
            """
        )

    def test_a_file_that_has_moved_on(self, run: Run) -> None:
        answer = refused({"path": "a\x1b.md", "why": "moved-on"}, error="a\x1b.md has moved on", hint="look")
        done = run(FakeDesk(undo=answer, list=listing()), "undo")
        assert done.code == 4
        assert done.err == text(
            """
            blueline: nothing was written: a\\x1b.md has moved on
              a\\x1b.md has moved on since it was looked at

            hint: look
            """
        )
