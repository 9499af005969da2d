"""The commands that keep house."""

from __future__ import annotations

import io
import sys

import pytest

from tests.support.command import Run
from tests.support.fake_desk import Document, FakeDesk
from tests.surfaces.cli.printed import check

WELL: Document = {
    "ok": True,
    "problems": [],
    "repaired": [],
    "concerned": [],
    "counts": {"records": 9, "blobs": 3},
}
PURGED: Document = {
    "purged": ["secret.env"],
    "bytes": 1234,
    "dry_run": False,
    "words": [],
    "words_purged": False,
    "before": None,
}
ASKED = {"everything": False, "dry_run": False, "with_words": False}


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
            What is stored is whole: 9 records, 3 blobs.
            next: blueline doctor tries whether agents are recorded
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
        assert desk.asked == [("purge", (["secret.env"],), ASKED)]

    def test_a_dry_run_needs_no_yes(self, run: Run) -> None:
        desk = FakeDesk(purge={**PURGED, "dry_run": True})
        assert run(desk, "purge", "--all", "--dry-run").out.startswith("Would remove all that is stored")
        assert desk.asked == [("purge", ([],), {**ASKED, "everything": True, "dry_run": True})]

    def test_words_that_stay_are_named_and_those_that_go(self, run: Run) -> None:
        words = {**PURGED, "words": ["c1", "t1"]}
        out = run(FakeDesk(purge=words), "purge", "secret.env", "--yes").out
        assert "may also stand in prompts, commands, reasons and notes: c1, t1." in out
        desk = FakeDesk(purge={**words, "words_purged": True})
        out = run(desk, "purge", "secret.env", "--yes", "--and-words").out
        assert "Removed the prompts, commands, reasons and notes of c1, t1." in out
        assert desk.asked == [("purge", (["secret.env"],), {**ASKED, "with_words": True})]

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

    def test_history_goes_by_age(self, run: Run) -> None:
        desk = FakeDesk(purge={**PURGED, "before": "2030-01-31T18:00:00.000Z"})
        check(
            run(desk, "purge", "--older", "2030-01-31T18:00Z", "--yes"),
            """
            Removed what 1 file held before 2030-01-31 18:00 UTC (1,234 bytes).
              secret.env
            What was decided there stays as it is, and cannot be taken back.
            next: your files are as they were; blueline check verifies the rest
            """,
        )
        assert desk.asked == [("purge", ("2030-01-31T18:00:00.000Z",), {"dry_run": False})]

    def test_no_history_to_remove_explains_itself(self, run: Run) -> None:
        none = {**PURGED, "purged": [], "bytes": 0, "before": "2030-01-31T18:00:00.000Z"}
        out = run(FakeDesk(purge=none), "purge", "--older", "1w", "--dry-run").out
        assert out.startswith("Nothing to remove: nothing that files held before 2030-01-31 18:00 UTC")

    def test_what_is_no_duration_is_said(self, run: Run) -> None:
        done = run(FakeDesk(), "purge", "--older", "soon", "--yes")
        assert (done.code, "--older 2h" in done.err) == (1, True)

    @pytest.mark.parametrize(
        "words",
        [[], ["--all", "a.md"], ["--all", "--older", "1w"], ["--older", "1w", "--and-words"]],
    )
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
