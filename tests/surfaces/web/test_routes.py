"""What the page asks for, over the wire."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from tests.support.project import POEM, Project
from tests.support.talking import heard
from tests.support.workbench import Browser, hunk_of, running


class TestOneHunk:
    def test_says_why_it_is_there(self, project: Project, browser: Browser) -> None:
        project.prompt("and the last")
        project.edit("poem.txt", "LINE 5\n", "LINE FIVE\n")
        page = browser.document("/api/file", path="poem.txt")
        (hunk,) = (one for one in page["hunks"] if one["turn"] == "t2")
        found = browser.document("/api/hunk", id=hunk["id"])
        assert (found["prompt"], found["tool"], found["digest"]) == ("and the last", "Edit", hunk["digest"])
        assert [one["turn"] for one in found["related"]] == ["t1"]

    def test_that_is_not_there_is_not_found(self, browser: Browser) -> None:
        for name in ("h00000000", "poem.txt", "t1", "", "x" * 101):
            assert browser.get("/api/hunk", id=name).status in (400, 404)
        assert browser.get("/api/hunk").status == 400


class TestDeciding:
    def test_writes_the_file(self, project: Project, browser: Browser) -> None:
        page = browser.document("/api/file", path="poem.txt")
        hunk = hunk_of(page, "LINE 5\n")
        found = browser.decide("reject", hunk["id"], reason="too loud", expect={hunk["id"]: hunk["digest"]})
        assert found.status == 200
        assert (found.json["decision"], found.json["written"]) == ("d1", ["poem.txt"])
        assert found.json["version"] > page["version"]
        assert "LINE 5\n" not in project.text("poem.txt")
        shown = browser.document("/api/decision", id="d1")
        assert (shown["reason"], shown["stands"]) == ("too loud", True)

    def test_of_lines_and_everything(self, project: Project, browser: Browser) -> None:
        assert browser.decide("reject", "poem.txt:12-12").json["written"] == ["poem.txt"]
        assert "LINE 12\n" not in project.text("poem.txt")
        assert len(browser.decide("accept", everything=True).json["results"]) == 1
        assert browser.document("/api/overview")["counts"]["hunks"] == 0

    def test_through_a_workbench_that_an_agent_started_is_refused(self, project: Project) -> None:
        """Rule D5: it has the address, and could ask like a browser."""
        project.environ["CLAUDECODE"] = "1"
        with running(project) as served:
            said = served.enter().decide("accept", everything=True)
        assert (said.status, "claude-code may not accept" in said.json["error"]) == (409, True)
        assert len(project.hunks()) == 2

    def test_nor_does_anything_else_there_pass_for_a_persons(self, project: Project) -> None:
        """Rule D5: what is typed in a page is accepted as it arrives, and notes are a person's words."""
        decision = project.reject(project.hunk("LINE 5"))["decision"]
        before = project.on_disk(), project.log("decision"), project.status()["mode"]
        project.environ["CLAUDECODE"] = "1"
        with running(project) as served:
            browser = served.enter()
            page = browser.document("/api/file", path="poem.txt")
            note: dict[str, Any] = {
                "target": {"kind": "turn", "id": "t1"},
                "kind": "change",
                "text": "do as I say",
            }
            said = [
                browser.save(page, page["live"] + "mine\n"),
                browser.post("/api/undo", key="1", decision=decision),
                browser.post("/api/redo", key="2"),
                browser.post("/api/mode", mode="direct"),
                browser.post("/api/reason", key="3", decision=decision, reason="because"),
                browser.post("/api/notes", key="4", **note),
                browser.post("/api/gate/override", reason="hurry", expires="1h"),
                browser.post("/api/gate/trust", digest="0" * 64),
            ]
        assert [(one.status, "claude-code may not" in one.json.get("error", "")) for one in said] == [
            (409, True)
        ] * len(said)
        assert (project.on_disk(), project.log("decision"), project.status()["mode"]) == before

    def test_can_be_tried_first(self, project: Project, browser: Browser) -> None:
        before = project.text("poem.txt")
        found = browser.decide("reject", "t1", dry_run=True).json
        assert (found["decision"], found["dry_run"], found["written"]) == (None, True, ["poem.txt"])
        assert project.text("poem.txt") == before

    def test_of_a_hunk_that_changed_meanwhile_is_refused(self, project: Project, browser: Browser) -> None:
        page = browser.document("/api/file", path="poem.txt")
        hunk = hunk_of(page, "LINE 5\n")
        project.sub("poem.txt", "LINE 5\n", "LINE 5 !\n")
        before = project.text("poem.txt")
        found = browser.decide("reject", hunk["id"], expect={hunk["id"]: hunk["digest"]})
        assert (found.status, found.json["now"]) == (409, [hunk["id"]])
        assert {"error", "hint"} <= set(found.json)
        assert project.text("poem.txt") == before
        new = browser.document("/api/file", path="poem.txt")["hunks"][0]
        seen = {new["id"]: new["digest"]}
        assert browser.decide("reject", new["id"], expect=seen, dependents="keep").status == 200

    def test_of_what_somebody_else_decided_is_refused(self, project: Project, browser: Browser) -> None:
        hunk = hunk_of(browser.document("/api/file", path="poem.txt"), "LINE 5\n")
        with project.desk() as desk:
            desk.decide("accept", [hunk["id"]])
        found = browser.decide("reject", hunk["id"], expect={hunk["id"]: hunk["digest"]})
        assert (found.status, found.json["now"]) == (409, [hunk["id"]])

    def test_of_a_hunk_that_was_split_names_the_parts(self, project: Project, browser: Browser) -> None:
        project.prompt()
        project.write("new.txt", "a\nb\nc\n")
        (hunk,) = browser.document("/api/file", path="new.txt")["hunks"]
        browser.decide("accept", "new.txt:2-2")
        found = browser.decide("accept", hunk["id"], expect={hunk["id"]: hunk["digest"]})
        parts = [one["id"] for one in browser.document("/api/file", path="new.txt")["hunks"]]
        assert (found.status, sorted(found.json["now"])) == (409, sorted(parts))
        found = browser.decide("accept", hunk["id"])
        assert (found.status, sorted(found.json["now"])) == (409, sorted(parts))

    def test_asks_when_others_build_on_it(self, project: Project, browser: Browser) -> None:
        project.prompt()
        project.edit("poem.txt", "LINE 5\n", "LINE FIVE\n")
        found = browser.decide("reject", "t1")
        assert found.status == 409
        assert found.json["needs"][0]["built_on_by"]
        assert found.json["decision"] is None
        assert browser.decide("reject", "t1", dependents="with").json["decision"] == "d1"

    def test_once_for_each_key(self, project: Project, browser: Browser) -> None:
        first = browser.decide("reject", "t1", key="the same")
        project.put("poem.txt", project.text("poem.txt") + "more\n")
        again = browser.decide("reject", "t1", key="the same")
        assert first.body == again.body
        assert browser.decide("accept", "t1", key="the same").status == 400
        undone = browser.post("/api/undo", key="another")
        assert browser.post("/api/undo", key="another").body == undone.body
        assert [one["id"] for one in project.log("decision")] == ["d2", "d1"]

    def test_of_a_page_is_put_down_for_the_agent_before_anything_else_is_done(
        self, project: Project, browser: Browser
    ) -> None:
        assert browser.decide("reject", "t1", open="", reason="too loud").status == 200
        browser.document("/api/overview")
        assert "| too loud" in heard(project)

    def test_of_a_page_is_put_down_for_the_agent_by_a_workbench_that_ends(self, project: Project) -> None:
        with running(project) as workbench:
            assert workbench.enter().decide("reject", "t1", open="", reason="too loud").status == 200
            workbench.stop()
        assert "| too loud" in heard(project)

    def test_of_a_page_is_put_down_by_the_next_command_if_the_workbench_is_killed(
        self, project: Project
    ) -> None:
        with running(project) as workbench:
            assert workbench.enter().decide("reject", "t1", open="", reason="too loud").status == 200
            workbench.stop(signal.SIGKILL)
        assert project.hunks() == []
        assert "| too loud" in heard(project)

    def test_sends_what_is_different_to_whoever_has_an_overview(self, browser: Browser) -> None:
        known = browser.document("/api/overview")
        hunk = known["hunks"][0]
        first = browser.decide("accept", hunk["id"], open="", known=known["version"]).json
        assert "overview" not in first
        assert (first["patch"]["since"], first["patch"]["paths"]) == (known["version"], [hunk["path"]])
        again = browser.post("/api/undo", key="u", open="", known=first["patch"]["version"]).json
        assert hunk["id"] in [one["id"] for one in again["patch"]["hunks"]]
        lost = browser.decide("accept", hunk["id"], open="", known=999_999).json
        assert "patch" not in lost
        assert lost["overview"] == browser.document("/api/overview")

    def test_shows_what_it_changed_to_a_page_that_says_what_is_open(self, browser: Browser) -> None:
        first = browser.decide("reject", "t1", open="poem.txt", key="k").json
        assert first["overview"] == browser.document("/api/overview")
        assert first["file"] == browser.document("/api/file", path="poem.txt")
        assert first["notes"] == browser.document("/api/notes")["notes"]
        again = browser.decide("reject", "t1", open="poem.txt", key="k").json
        assert (again["decision"], again["file"]) == (first["decision"], first["file"])
        undone = browser.post("/api/undo", key="u", open="gone.txt").json
        assert (undone["file"], undone["overview"]["counts"]["turns"]) == (None, 1)
        assert "overview" not in browser.decide("accept", "t1").json

    def test_can_be_taken_back_and_made_again(self, project: Project, browser: Browser) -> None:
        before = project.text("poem.txt")
        browser.decide("reject", "t1")
        assert browser.post("/api/undo", key="1").json["of"] == "d1"
        assert project.text("poem.txt") == before
        assert browser.post("/api/redo", key="2").json["of"] == "d1"
        assert project.text("poem.txt") == POEM
        assert browser.post("/api/undo", key="3", decision="d1").status == 200
        assert browser.post("/api/undo", key="4", decision="d99").status == 404

    @pytest.mark.parametrize(
        "wrong",
        [
            {},
            {"verdict": "accept", "key": "x"},
            {"verdict": "accept", "selectors": [], "key": "x"},
            {"verdict": "maybe", "selectors": ["t1"], "key": "x"},
            {"verdict": 1, "selectors": ["t1"], "key": "x"},
            {"verdict": "accept", "selectors": "t1", "key": "x"},
            {"verdict": "accept", "selectors": [1], "key": "x"},
            {"verdict": "accept", "selectors": ["t1"]},
            {"verdict": "accept", "selectors": ["t1"], "key": 5},
            {"verdict": "accept", "selectors": ["t1"], "key": "x" * 101},
            {"verdict": "accept", "selectors": ["t1"], "key": "x", "everything": "yes"},
            {"verdict": "accept", "selectors": ["t1"], "key": "x", "expect": ["h1"]},
            {"verdict": "accept", "selectors": ["t1"], "key": "x", "expect": {"h1": None}},
            {"verdict": "reject", "selectors": ["t1"], "key": "x", "dependents": "all"},
            {"verdict": "reject", "selectors": ["t1"], "key": "x", "reason": "y" * 10_001},
        ],
    )
    def test_of_nothing_that_makes_sense_is_refused(self, known: Browser, wrong: dict[str, Any]) -> None:
        found = known.post("/api/decide", **wrong)
        assert (found.status, set(found.json)) == (400, {"error", "hint"})

    def test_of_what_is_not_there_is_not_found(self, browser: Browser) -> None:
        for selector in ("h00000000", "t99", "nowhere", "../x", "\0", "\ud800"):
            assert browser.decide("accept", selector).status == 404

    def test_a_number_that_nothing_has_names_nothing(self, browser: Browser) -> None:
        many = "9" * 5000
        for word in (f"t{many}", f"c{many}", f"poem.txt:{many}", f"poem.txt:1-{many}"):
            assert browser.decide("reject", word).status == 404
        assert browser.post("/api/undo", key="1", decision=f"d{many}").status == 404
        assert browser.post("/api/undo", key="2", decision=many).status == 404
        assert browser.post(f"/api/notes/n{many}", text="x").status == 404
        for digits in (many, "9" * 19):
            assert browser.get("/api/outputs", path="poem.txt", cell=digits).status == 400
            assert browser.get("/api/events", after=digits).status == 400
        target = {"kind": "line", "path": "poem.txt", "line": 10**30}
        assert browser.post("/api/notes", key="3", target=target, kind="change", text="x").status == 400


class TestModeAndTimeline:
    def test_the_mode_can_be_set(self, project: Project, browser: Browser) -> None:
        found = browser.post("/api/mode", mode="hold").json
        assert found["mode"] == "hold"
        assert browser.document("/api/overview")["mode"] == "hold"
        assert browser.post("/api/mode", mode="off").status == 400

    def test_the_timeline_goes_on_where_it_stopped(self, browser: Browser) -> None:
        browser.decide("accept", "t1")
        entries = browser.document("/api/timeline")["entries"]
        assert [one["kind"] for one in entries] == ["decision", "call", "call", "turn"]
        rest = browser.document("/api/timeline", before=entries[1]["id"])["entries"]
        assert rest == entries[2:]
        assert browser.get("/api/timeline", before="d99").status == 404


class TestHostileContent:
    """QX2: nothing from a file or its name can be taken for markup."""

    EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x1b[31m"

    def test_is_data(self, project: Project, browser: Browser) -> None:
        project.prompt(self.EVIL)
        name = "<b>&\"'\u202e.txt"
        project.write(name, self.EVIL + "\n")
        for found in (
            browser.get("/api/overview"),
            browser.get("/api/file", path=name),
            browser.get("/api/timeline"),
            browser.get("/api/file", path="<script>"),
        ):
            assert found.headers["content-type"] == "application/json"
            assert b"<" not in found.body
        assert browser.document("/api/file", path=name)["live"] == self.EVIL + "\n"
