"""Notes that agents are told of."""

from __future__ import annotations

import json

from tests.desk.talkback.notes import LINES, change, write
from tests.support.project import Project
from tests.support.workbench import Browser, running


class TestTelling:
    """A note that is sent is heard with the next prompt, once, by the agent that has to do with it."""

    def heard(self, project: Project, conversation: str | None = None) -> str:
        event = project.event("UserPromptSubmit", prompt="go on")
        if conversation is not None:
            event = project.event("UserPromptSubmit", prompt="go on", session_id=conversation)
        code, out, err = project.hook(event)
        assert (code, err) == (0, b"")
        said = json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""
        with project.desk():
            pass
        return str(said)

    def test_a_note_that_was_sent_is_heard_once(self, project: Project, browser: Browser) -> None:
        note = write(browser, LINES, "must-fix", "not so loud\nplease")
        assert self.heard(project) == ""
        change(browser, note, state="sent")
        assert self.heard(project, "somebody else") == ""
        said = self.heard(project)
        assert 'something that must be fixed, about "poem.txt", lines 5 to 6 (n1)' in said
        for line in ("  | LINE 5\n", "  | line 6\n", "  | not so loud\n", "  | please\n"):
            assert line in said
        assert self.heard(project) == ""

    def test_one_that_was_changed_and_sent_again_is_heard_again(
        self, project: Project, browser: Browser
    ) -> None:
        note = write(browser, LINES, text="first")
        change(browser, note, state="sent")
        assert "| first\n" in self.heard(project)
        change(browser, note, text="second")
        assert self.heard(project) == ""
        change(browser, note, state="sent")
        assert "| second\n" in self.heard(project)

    def test_one_that_was_settled_before_anybody_heard_it_is_not_heard(
        self, project: Project, browser: Browser
    ) -> None:
        note = write(browser, LINES)
        change(browser, note, state="sent")
        change(browser, note, state="resolved")
        assert self.heard(project) == ""

    def test_notes_come_with_decisions(self, project: Project, browser: Browser) -> None:
        write_turn = write(browser, {"kind": "turn", "id": "t1"}, "question", "what was this for?")
        change(browser, write_turn, state="sent")
        browser.decide("reject", "poem.txt:12", reason="no")
        said = self.heard(project)
        assert "a question to answer, about your turn t1 (n1)" in said
        assert said.index("| what was this for?") < said.index("Taken back")

    def test_what_was_heard_is_known_without_the_index(self, project: Project) -> None:
        with running(project) as workbench:
            browser = workbench.enter()
            change(browser, write(browser, LINES), state="sent")
            assert "(n1)" in self.heard(project)
            change(browser, write(browser, LINES, text="another"), state="sent")
        project.lose_index()
        project.hunks()
        said = self.heard(project)
        assert "(n2)" in said
        assert "(n1)" not in said

    def test_more_than_fits_is_heard_the_next_time(self, project: Project, browser: Browser) -> None:
        for number in range(8):
            note = write(browser, LINES, text=f"note {number}\n" + "x" * 100 + "\n" + "y" * 100)
            change(browser, note, state="sent")
        first, second = self.heard(project), self.heard(project)
        assert len(first) < 4000
        assert "note 0" in first
        assert "note 7" not in first
        assert "note 0" not in second
        assert "note 7" in first + second + self.heard(project)

    def test_nothing_of_a_secret_is_quoted(self, project: Project, browser: Browser) -> None:
        project.put(".env", "TOKEN=hunter2\n")
        note = write(browser, {"kind": "line", "path": ".env", "line": 1}, text="turn this")
        change(browser, note, state="sent")
        said = self.heard(project)
        assert "turn this" in said
        assert "hunter2" not in said
