"""A person types in the page, while agents write to the same file: neither side's text is lost."""

from __future__ import annotations

import contextlib
import http.client
import random
import signal
import threading

import pytest

from blueline.sdk import Session
from tests.support.project import POEM, Project
from tests.support.workbench import Browser, Document, running


def page_of(browser: Browser, path: str = "poem.txt") -> Document:
    return browser.document("/api/file", path=path)


def test_what_is_typed_is_in_the_file_and_yours(project: Project, browser: Browser) -> None:
    page = page_of(browser)
    found = browser.save(page, page["live"].replace("line 1\n", "line 1, typed\n"))
    assert found.status == 200
    assert project.text("poem.txt") == found.json["text"]
    assert not found.json["merged"]
    now = page_of(browser)
    assert (now["revision"], now["version"]) == (found.json["revision"], found.json["version"])
    assert now["baseline"].startswith("line 1, typed\n"), "nobody is asked about their own typing"
    (edit,) = browser.document("/api/overview")["outside"]
    assert edit["actor"] == {"kind": "person", "name": ""}
    assert [hunk["status"] for hunk in now["hunks"] if hunk["actor"]["kind"] == "person"] == ["accepted"]


def test_what_is_typed_into_a_hunk_survives_its_rejection(project: Project, browser: Browser) -> None:
    page = page_of(browser)
    browser.save(page, page["live"].replace("LINE 5\n", "LINE 5\ntyped by me\n"))
    browser.decide("reject", "t1")
    assert project.text("poem.txt") == POEM.replace("line 5\n", "line 5\ntyped by me\n")


def test_typing_goes_on_from_what_was_saved(project: Project, browser: Browser) -> None:
    page = page_of(browser)
    for word in ("h", "he", "hel", "hell", "hello"):
        text = word + "\n" + POEM.partition("\n")[2]
        found = browser.save(page, text).json
        assert (found["text"], found["merged"]) == (text, False)
        page = {**page, **found, "live": text}
    assert project.text("poem.txt").startswith("hello\nline 2\n")


def test_what_an_agent_wrote_meanwhile_stays(project: Project, browser: Browser) -> None:
    page = page_of(browser)
    project.prompt()
    project.edit("poem.txt", "line 19\n", "LINE 19\n")
    found = browser.save(page, page["live"].replace("line 1\n", "line 1, typed\n"))
    assert (found.status, found.json["merged"]) == (200, True)
    text = project.text("poem.txt")
    assert text == found.json["text"]
    assert "line 1, typed\n" in text
    assert "LINE 19\n" in text
    hunks = {hunk["new"]: hunk for hunk in page_of(browser)["hunks"]}
    assert (hunks["LINE 19\n"]["status"], hunks["LINE 19\n"]["actor"]["kind"]) == ("pending", "agent")


def test_what_an_agent_writes_while_its_call_is_open_stays_its_own(
    project: Project, browser: Browser
) -> None:
    """The file is in the agent's hands, and already holds its text: typing lands on top of it."""
    project.prompt()
    page = page_of(browser)
    call = project.begin("Edit", "poem.txt", old_string="line 19\n", new_string="LINE 19\n")
    project.sub("poem.txt", "line 19\n", "LINE 19\n")
    found = browser.save(page, page["live"].replace("line 1\n", "line 1, typed\n"))
    assert found.status == 200
    project.end(call)
    now = page_of(browser)
    assert "line 1, typed\n" in now["baseline"]
    assert "LINE 19\n" not in now["baseline"]
    (hunk,) = (one for one in now["hunks"] if one["new"] == "LINE 19\n")
    assert (hunk["status"], hunk["turn"]) == ("pending", "t2")


def test_typing_while_a_shell_command_runs(project: Project, browser: Browser) -> None:
    """X07: what the command wrote is its own, what was typed is yours, in one file at one time."""
    project.prompt()
    page = page_of(browser)
    command = project.begin_bash("sed -i s/line.19/LINE.19/ poem.txt")
    project.sub("poem.txt", "line 19\n", "LINE 19\n")
    found = browser.save(page, page["live"].replace("line 1\n", "line 1, typed\n"))
    assert found.status == 200
    project.sub("poem.txt", "line 20\n", "LINE 20\n")
    project.end(command)
    now = page_of(browser)
    assert now["live"].startswith("line 1, typed\n")
    assert now["live"].endswith("LINE 19\nLINE 20\n")
    browser.decide("reject", "t2")
    assert project.text("poem.txt").startswith("line 1, typed\n")
    assert project.text("poem.txt").endswith("line 19\nline 20\n")


def test_typing_at_the_agents_place_keeps_both(project: Project, browser: Browser) -> None:
    page = page_of(browser)
    project.prompt()
    project.put("poem.txt", project.text("poem.txt"))
    project.tool("Write", "poem.txt", lambda: project.put("poem.txt", page["live"] + "agent\n"), content="")
    found = browser.save(page, page["live"] + "me\n")
    assert found.json["text"] == page["live"] + "agent\nme\n"


def test_the_same_save_again_changes_nothing(project: Project, browser: Browser) -> None:
    page = page_of(browser)
    text = page["live"].replace("line 1\n", "line 1\ntyped\n")
    first = browser.save(page, text).json
    before = project.times("poem.txt")
    assert browser.save(page, text).json["text"] == first["text"]
    assert project.times("poem.txt") == before


def test_the_agents_text_taken_back_by_hand_is_rejected(project: Project, browser: Browser) -> None:
    """A09: typing the old text over a hunk decides it."""
    page = page_of(browser)
    browser.save(page, page["live"].replace("LINE 5\n", "line 5\n"))
    assert [one["new"] for one in project.hunks()] == ["LINE 12\n"]


def test_a_block_that_is_moved_stays_the_agents(project: Project, browser: Browser) -> None:
    """A12."""
    project.prompt()
    project.edit("src/a.py", "one\n", "one\nby the agent\n")
    page = page_of(browser, "src/a.py")
    browser.save(page, "one\ntwo\nthree\nby the agent\n")
    browser.decide("reject", "src/a.py")
    assert project.text("src/a.py") == "one\ntwo\nthree\n"


def test_a_file_that_nobody_changed_can_be_typed_in(project: Project, browser: Browser) -> None:
    page = page_of(browser, "src/a.py")
    assert browser.save(page, "one\ntwo\nthree\nfour\n").status == 200
    assert project.text("src/a.py") == "one\ntwo\nthree\nfour\n"
    assert browser.document("/api/overview")["counts"]["files"] == 1, "there is nothing to decide about it"


class TestLineEnds:
    """Z16: an editor that knows only line feeds changes no line end that nobody typed."""

    MIXED = "one\r\ntwo\r\nthree\nfour\rfive\r\n"

    def plain(self, text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def test_stay_what_they_were(self, project: Project, browser: Browser) -> None:
        project.put("dos.txt", self.MIXED)
        page = page_of(browser, "dos.txt")
        base = self.plain(page["live"])
        found = browser.save(page, base.replace("two\n", "two\nnew\n"), base)
        assert found.json["text"] == "one\r\ntwo\r\nnew\r\nthree\nfour\rfive\r\n"
        assert project.read("dos.txt") == found.json["text"].encode()

    def test_stay_with_an_agents_too(self, project: Project, browser: Browser) -> None:
        project.put("dos.txt", self.MIXED)
        page = page_of(browser, "dos.txt")
        project.prompt()
        project.edit("dos.txt", "three\n", "THREE\n")
        base = self.plain(page["live"])
        browser.save(page, base.replace("one\n", "ONE\n"), base)
        assert project.read("dos.txt") == b"ONE\r\ntwo\r\nTHREE\nfour\rfive\r\n"

    def test_exact_texts_are_taken_as_they_are(self, project: Project, browser: Browser) -> None:
        project.put("dos.txt", self.MIXED)
        page = page_of(browser, "dos.txt")
        browser.save(page, page["live"].replace("two\r\n", "two\n"))
        assert project.read("dos.txt") == self.MIXED.replace("two\r\n", "two\n").encode()


class TestRefusals:
    def test_a_file_that_is_gone(self, project: Project, browser: Browser) -> None:
        page = page_of(browser)
        (project.root / "poem.txt").unlink()
        found = browser.save(page, page["live"] + "typed\n")
        assert found.status == 409
        assert {"error", "hint", "live", "revision"} <= set(found.json)
        assert not project.exists("poem.txt")

    def test_a_link_in_its_place(self, project: Project, browser: Browser) -> None:
        page = page_of(browser, "src/a.py")
        (project.root / "src/a.py").unlink()
        target = project.put("elsewhere.txt", "kept\n")
        (project.root / "src/a.py").symlink_to(target)
        assert browser.save(page, "typed\n").status == 409
        assert target.read_text() == "kept\n"

    def test_no_such_file(self, project: Project, browser: Browser) -> None:
        project.put(".git/config", "[core]\n")
        for path in ("../x", "/etc/passwd", ".git/config", ".git", "nowhere", "src"):
            found = browser.post("/api/save", path=path, revision="", base="", text="typed\n")
            assert found.status in (404, 409), path
            assert project.text(".git/config") == "[core]\n"

    @pytest.mark.parametrize("text", ["a\0b", "\ud800"])
    def test_what_is_no_text(self, project: Project, browser: Browser, text: str) -> None:
        page = page_of(browser)
        before = project.read("poem.txt")
        assert browser.save(page, page["live"] + text).status == 400
        assert project.read("poem.txt") == before

    @pytest.mark.parametrize("missing", ["path", "revision", "base", "text"])
    def test_half_a_request(self, browser: Browser, missing: str) -> None:
        fields = {"path": "poem.txt", "revision": "x", "base": "", "text": ""}
        del fields[missing]
        assert browser.post("/api/save", **fields).status == 400

    @pytest.mark.parametrize("revision", ["", "x", "../../../etc/passwd", "0" * 40])
    def test_a_revision_that_nobody_gave_out_says_nothing(
        self, project: Project, browser: Browser, revision: str
    ) -> None:
        page = {**page_of(browser), "revision": revision}
        assert browser.save(page, page["live"] + "typed\n").status == 200
        assert project.text("poem.txt") == page["live"] + "typed\n"


def test_nothing_is_lost_while_an_agent_writes_all_the_time(project: Project, browser: Browser) -> None:
    """Two writers, dozens of writes, one file: every line of either is there at the end, and its author's."""
    project.prompt()
    rounds = 25
    done = threading.Event()

    def agent() -> None:
        chance = random.Random(1)
        for number in range(rounds):
            anchor = f"line {chance.choice([2, 7, 15, 20])}\n"

            def act(anchor: str = anchor, number: int = number) -> None:
                text = project.text("poem.txt")
                # As tools do: read, then write, and whoever saved in between would be lost.
                new = text.replace(anchor, f"{anchor}agent {number}\n", 1)
                while not replaced_unless_changed(project, text, new):
                    text = project.text("poem.txt")
                    new = text.replace(anchor, f"{anchor}agent {number}\n", 1)

            project.tool("Edit", "poem.txt", act, old_string=anchor, new_string="…")
        done.set()

    working = threading.Thread(target=agent)
    working.start()
    page = page_of(browser)
    typed = 0
    while not done.is_set() or typed < 10:
        text = page["live"].replace("line 10\n", f"line 10\ntyped {typed}\n", 1)
        saved = browser.save(page, text)
        assert saved.status in (200, 409), saved.body
        if saved.status == 200:
            typed += 1
            page = {**page, **saved.json, "live": saved.json["text"]}
        else:
            page = page_of(browser)
    working.join()
    final = project.text("poem.txt").splitlines()
    assert [line for line in final if line.startswith("typed")] == [
        f"typed {n}" for n in reversed(range(typed))
    ]
    assert sorted(line for line in final if line.startswith("agent")) == sorted(
        f"agent {n}" for n in range(rounds)
    )
    spans = page_of(browser)["spans"]
    who = {
        final[line - 1]: span["actor"]["kind"]
        for span in spans
        for line in range(span["start_line"], span["end_line"] + 1)
    }
    assert {kind for line, kind in who.items() if line.startswith("agent")} == {"agent"}
    assert {kind for line, kind in who.items() if line.startswith("typed")} == {"person"}
    browser.decide("reject", everything=True, dependents="with")
    rest = project.text("poem.txt").splitlines()
    assert [line for line in rest if line.startswith("agent")] == []
    assert len([line for line in rest if line.startswith("typed")]) == typed


class TestAStream:
    """T04: text that an agent sends in pieces grows at its place, and typing stays, also inside it."""

    def test_goes_on_around_what_is_typed_into_it(self, project: Project, browser: Browser) -> None:
        with (
            Session(project.root, "my-agent", environ=project.environ) as session,
            session.turn("more") as turn,
            turn.stream("src/a.py") as stream,
        ):
            for count in range(1, 6):
                stream.write(f"streamed {count}\n")
                stream.flush()
                page = page_of(browser, "src/a.py")
                text = page["live"].replace("one\n", f"one\nabove {count}\n")
                text = text.replace(f"streamed {count}\n", f"streamed {count}\ninside {count}\n")
                assert browser.save(page, text).status == 200
        lines = project.text("src/a.py").splitlines()
        for count in range(1, 6):
            assert {f"streamed {count}", f"above {count}", f"inside {count}"} <= set(lines)
        assert [one for one in lines if one.startswith("streamed")] == [f"streamed {n}" for n in range(1, 6)]
        assert "".join(one["new"] for one in project.hunks("src/a.py")).count("streamed") >= 5
        browser.decide("reject", "src/a.py")
        rest = project.text("src/a.py").splitlines()
        assert [one for one in rest if one.startswith("streamed")] == []
        assert len([one for one in rest if one.startswith(("above", "inside"))]) == 10

    def test_and_a_page_that_lags_behind(self, project: Project, browser: Browser) -> None:
        page = page_of(browser, "src/a.py")
        with (
            Session(project.root, "my-agent", environ=project.environ) as session,
            session.turn("more") as turn,
            turn.stream("src/a.py", at="start") as stream,
        ):
            for count in range(1, 6):
                stream.write(f"streamed {count}\n")
                stream.flush()
                text = page["live"] + f"typed {count}\n"
                found = browser.save(page, text).json
                page = {**page, "live": text, "revision": found["revision"]}
                page = {**page, "live": found["text"]} if count % 2 else page_of(browser, "src/a.py")
        text = project.text("src/a.py")
        assert text == (
            "".join(f"streamed {n}\n" for n in range(1, 6))
            + "one\ntwo\nthree\n"
            + "".join(f"typed {n}\n" for n in range(1, 6))
        )


def replaced_unless_changed(project: Project, old: str, new: str) -> bool:
    """A tool that is as careful as it can be without Blueline: the file is looked at right before."""
    if project.text("poem.txt") != old:
        return False
    project.put("poem.txt", new)
    return True


def test_killed_at_any_moment_nothing_typed_is_lost(project: Project) -> None:
    """What was answered is in the file; what was not is there whole or not at all."""
    answered = ""
    for round_ in range(4):
        with running(project) as workbench:
            browser = workbench.enter()
            page = page_of(browser)
            killer = threading.Timer(0.15 + 0.1 * round_, workbench.stop, (signal.SIGKILL,))
            killer.start()
            number = 0
            text = page["live"]
            with contextlib.suppress(OSError, http.client.HTTPException):
                while True:
                    text = page["live"] + f"typed {round_}.{number}\n"
                    found = browser.save(page, text)
                    assert found.status == 200
                    answered = found.json["text"]
                    page = {**page, **found.json, "live": answered}
                    number += 1
            killer.join()
        assert project.text("poem.txt") in (answered or page["live"], text)
        project.hunks()
    assert [one["new"] for one in project.hunks()] == ["LINE 5\n", "LINE 12\n"]
