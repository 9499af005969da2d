"""What people see of accept, reject, undo, redo, mode, check and purge."""

from __future__ import annotations

import io
import sys

import pytest

from tests.support.command import Run, text
from tests.support.fake_desk import Document, FakeDesk, decided, hunk, listing, refused

WELL: Document = {"ok": True, "problems": [], "repaired": [], "counts": {"records": 9, "blobs": 3}}
PURGED: Document = {"purged": ["secret.env"], "bytes": 1234, "dry_run": False}


def check(done: tuple[int, str, str], expect: str, *, code: int = 0) -> None:
    assert (done[0], done[2]) == (code, "")
    assert done[1] == text(expect)


class TestDecisions:
    def test_what_was_done_and_how_to_undo_it(self, run: Run) -> None:
        results = [
            {"hunk": "h1", "path": "src/a.py", "outcome": "applied", "reason": ""},
            {"hunk": "h2", "path": "src/a.py", "outcome": "already", "reason": ""},
            {"hunk": "h3", "path": "b.py", "outcome": "applied", "reason": ""},
            {"hunk": "h4", "path": "b.py", "outcome": "skipped", "reason": "it is gone"},
        ]
        kept = [
            {"path": "b.py", "line": 4, "text": "typed by\nhand", "actor": {"kind": "person"}},
            {"path": "b.py", "line": 9, "text": "\n", "actor": {"kind": "agent", "name": "x"}, "hunk": "h9"},
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
              kept  b.py:9, by x in h9: blank lines
              look at  h5: the same words changed in other files
            next: blueline list shows what is left, blueline undo d7 takes this back
            """,
        )

    def test_accepting_writes_nothing(self, run: Run) -> None:
        check(
            run(FakeDesk(decide=decided(verdict="accept", written=[])), "accept", "--all"),
            """
            Accepted 1 hunk (decision d7).
              src/a.py  h4f2a9c10
              no file has to be written
            next: blueline list shows what is left, blueline undo d7 takes this back
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

    def test_nothing_left_to_decide(self, run: Run) -> None:
        check(
            run(FakeDesk(decide=decided(decision=None, results=[], written=[])), "reject", "--all"),
            """
            Nothing changed: there was nothing left to decide.
            next: blueline log shows every decision with its id
            """,
        )

    def test_put_off_while_the_agent_writes(self, run: Run) -> None:
        queued = [{"hunk": "h1", "path": "a.py", "outcome": "queued", "reason": ""}]
        check(
            run(FakeDesk(decide=decided(results=queued, written=[])), "reject", "h1"),
            """
            Queued (decision d7): it is carried out as soon as the agent's call has ended.
              a.py  h1 waits until the agent has finished with the file
            next: blueline list shows what is left, blueline undo d7 takes this back
            """,
        )

    def test_very_many_files_are_counted(self, run: Run) -> None:
        results = [
            {"hunk": f"h{n}", "path": f"{n:02}.py", "outcome": "applied", "reason": ""} for n in range(30)
        ]
        answer = decided(results=results, written=[result["path"] for result in results])
        out = run(FakeDesk(decide=answer), "reject", "--all").out
        assert "\n  19.py  h19\n  and 10 more files\n  wrote 30 files\n" in out

    def test_undo_and_redo(self, run: Run) -> None:
        undone = decided(decision="d8", verdict="undo", of="d7")
        redone = decided(decision="d9", verdict="redo", of="d7")
        out = run(FakeDesk(undo=undone), "undo").out
        assert out.startswith("Took d7 back: 1 hunk (decision d8).\n")
        assert out.endswith("next: blueline redo makes it stand again\n")
        assert run(FakeDesk(redo=redone), "redo").out.startswith(
            "Made d7 stand again: 1 hunk (decision d9).\n"
        )

    def test_nothing_to_undo(self, run: Run) -> None:
        answer = decided(decision=None, verdict="undo", results=[], written=[])
        check(
            run(FakeDesk(undo=answer), "undo"),
            """
            There is nothing to undo.
            next: blueline log shows every decision with its id
            """,
        )

    def test_the_desk_is_told_everything_that_was_typed(self, run: Run) -> None:
        desk = FakeDesk(decide=decided(), undo=decided())
        run(desk, "reject", "h1", "a.md", "--keep-dependents", "--reason", "why not", "--dry-run")
        run(desk, "accept", "--all")
        run(desk, "reject", "t1", "--with-dependents")
        run(desk, "undo", "d3")
        common = {"everything": False, "dependents": "ask", "reason": "", "dry_run": False}
        assert desk.asked == [
            (
                "decide",
                ("reject", ["h1", "a.md"]),
                {**common, "dependents": "keep", "reason": "why not", "dry_run": True},
            ),
            ("decide", ("accept", []), {**common, "everything": True}),
            ("decide", ("reject", ["t1"]), {**common, "dependents": "with"}),
            ("undo", ("d3",), {}),
        ]


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

    def test_the_commands_to_type_are_for_the_same_project_and_files(self, run: Run) -> None:
        answer = refused({"hunk": "h1", "built_on_by": ["h2"]})
        done = run(
            FakeDesk(decide=answer, list=listing()), "-C", "/", "reject", "--", "-a", "two words", "\x1b["
        )
        assert "  blueline -C / reject --with-dependents -- -a 'two words' $'\\033['\n" in done.err

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


class TestMode:
    def test_it_is_shown_and_set(self, run: Run) -> None:
        desk = FakeDesk(set_mode={"mode": "hold"})
        check(
            run(desk, "mode"),
            """
            mode: review (edits land at once, and are reviewed after)
            next: blueline mode hold or blueline mode direct
            """,
        )
        check(
            run(desk, "mode", "hold"),
            """
            mode: hold (edits become proposals; nothing is written until you accept it)
            next: blueline mode review or blueline mode direct
            """,
        )
        assert desk.asked == [("set_mode", ("hold",), {})]


class TestCheck:
    def test_all_is_well(self, run: Run) -> None:
        check(
            run(FakeDesk(check=WELL), "check"),
            """
            All is well: 9 records, 3 blobs.
            next: blueline status
            """,
        )

    def test_problems_end_in_code_1(self, run: Run) -> None:
        problems = [
            {"what": "12 bytes that are no record", "where": "journal, byte 40", "harmless": False},
            {"what": "left over", "where": "blobs", "harmless": True},
        ]
        check(
            run(FakeDesk(check={**WELL, "ok": False, "problems": problems}), "check"),
            """
            1 problem found in 9 records, 3 blobs.
              problem   12 bytes that are no record  journal, byte 40
              harmless  left over  blobs
            next: blueline check --repair puts right what it can
            """,
            code=1,
        )

    def test_what_was_repaired(self, run: Run) -> None:
        desk = FakeDesk(check={**WELL, "repaired": ["the index was made anew"]})
        out = run(desk, "check", "--repair").out
        assert "\n  repaired  the index was made anew\n" in out
        assert desk.asked == [("check", (), {"repair": True})]


class Person(io.StringIO):
    """Somebody at a terminal, with an answer."""

    def isatty(self) -> bool:
        return True


class TestPurge:
    def test_with_yes_it_is_done(self, run: Run) -> None:
        desk = FakeDesk(purge=PURGED)
        check(
            run(desk, "purge", "secret.env", "--yes"),
            """
            Removed all that is stored about 1 file (1,234 bytes).
              secret.env
            next: your files are as they were; blueline check verifies the rest
            """,
        )
        assert desk.asked == [("purge", (["secret.env"],), {"everything": False, "dry_run": False})]

    def test_a_dry_run_needs_no_yes(self, run: Run) -> None:
        desk = FakeDesk(purge={**PURGED, "dry_run": True})
        assert run(desk, "purge", "--all", "--dry-run").out.startswith("Would remove all that is stored")
        assert desk.asked == [("purge", ([],), {"everything": True, "dry_run": True})]

    def test_nothing_to_remove_explains_itself(self, run: Run) -> None:
        out = run(FakeDesk(purge={**PURGED, "purged": []}), "purge", "--all", "--yes").out
        assert out.startswith("Nothing to remove: ")

    def test_without_a_terminal_it_is_refused(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
        desk = FakeDesk(purge=PURGED)
        done = run(desk, "purge", "--all")
        assert (done.code, desk.asked) == (2, [])
        assert "--yes" in done.err

    @pytest.mark.parametrize(("answer", "goes"), [("y\n", True), ("yes\n", True), ("\n", False), ("", False)])
    def test_at_a_terminal_the_person_is_asked(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, answer: str, goes: bool
    ) -> None:
        monkeypatch.setattr(sys, "stdin", Person(answer))
        desk = FakeDesk(purge=PURGED)
        done = run(desk, "purge", "--all")
        assert done.code == 0
        assert "secret.env" in done.err
        assert [options["dry_run"] for _, _, options in desk.asked] == [True, False][: 1 + goes]
        assert ("Nothing was removed." in done.err) is not goes

    @pytest.mark.parametrize("words", [[], ["--all", "a.md"]])
    def test_it_wants_paths_or_all(self, run: Run, words: list[str]) -> None:
        assert run(FakeDesk(), "purge", "--yes", *words).code == 2


class TestExport:
    def test_the_text_is_passed_on_as_it_is(self, run: Run) -> None:
        desk = FakeDesk(export="-\x1b[2J\r\n")
        assert run(desk, "export", "--format", "patch") == (0, "-\x1b[2J\r\n", "")
        assert desk.asked == [("export", ("patch",), {})]

    def test_a_terminal_gets_what_it_does_not_obey(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        assert run(FakeDesk(export="-\x1b[2J\r\n"), "export").out == "-\\x1b[2J\\r\n"
