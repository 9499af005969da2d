"""What the page asks for, over the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.project import POEM, Project
from tests.support.workbench import Browser, Workbench, running


def hunk_of(page: dict[str, Any], new: str) -> dict[str, Any]:
    (found,) = (hunk for hunk in page["hunks"] if hunk["new"] == new)
    return dict(found)


class TestTheOverview:
    def test_says_what_there_is(self, project: Project, browser: Browser) -> None:
        found = browser.document("/api/overview")
        assert found["project"]["root"] == str(project.root)
        assert found["mode"] == "review"
        assert found["counts"] == {"hunks": 2, "files": 1, "calls": 2, "turns": 1}
        assert not found["gate"]["open"]
        (file,) = found["files"]
        assert file == {
            "path": "poem.txt",
            "letter": "M",
            "status": "pending",
            "pending": 2,
            "decided": 0,
            "notes": 0,
            "muted": False,
            "kind": "text",
            "running": False,
        }
        (turn,) = found["turns"]
        assert turn["prompt"] == "make it louder"
        assert [call["hunks"] for call in turn["calls"]] == [[one["id"]] for one in found["hunks"]]
        assert [one["path"] for one in found["hunks"]] == ["poem.txt", "poem.txt"]
        assert all("new" not in hunk and hunk["digest"] for hunk in found["hunks"])

    def test_is_that_of_the_command_line(self, project: Project, browser: Browser) -> None:
        listed = project.hunks()
        shown = browser.document("/api/overview")["hunks"]
        assert [one["id"] for one in shown] == [one["id"] for one in listed]

    def test_knows_an_edit_made_a_moment_ago(self, project: Project, browser: Browser) -> None:
        before = browser.document("/api/overview")["version"]
        project.sub("poem.txt", "line 19\n", "line nineteen\n")
        found = browser.document("/api/overview")
        assert found["version"] > before
        (edit,) = found["outside"]
        assert (edit["path"], edit["actor"]["kind"]) == ("poem.txt", "external")

    def test_marks_what_programs_make_and_what_is_written_just_now(
        self, project: Project, browser: Browser
    ) -> None:
        project.prompt()
        project.write("package-lock.json", "{}\n")
        call = project.begin("Edit", "poem.txt", old_string="line 1\n", new_string="LINE 1\n")
        files = {one["path"]: one for one in browser.document("/api/overview")["files"]}
        assert (files["package-lock.json"]["muted"], files["package-lock.json"]["letter"]) == (True, "A")
        assert (files["poem.txt"]["muted"], files["poem.txt"]["running"]) == (False, True)
        project.end(call)
        files = {one["path"]: one for one in browser.document("/api/overview")["files"]}
        assert not files["poem.txt"]["running"]

    def test_keeps_files_that_are_decided(self, project: Project, browser: Browser) -> None:
        project.without_loops()
        first, second = browser.document("/api/overview")["hunks"]
        browser.decide("accept", first["id"])
        (file,) = browser.document("/api/overview")["files"]
        assert (file["status"], file["pending"], file["decided"]) == ("mixed", 1, 1)
        browser.decide("reject", second["id"])
        found = browser.document("/api/overview")
        assert (found["gate"]["open"], found["hunks"]) == (True, [])
        assert found["files"][0]["status"] == "mixed"


class TestAFile:
    def test_has_all_its_texts(self, project: Project, browser: Browser) -> None:
        found = browser.document("/api/file", path="poem.txt")
        louder = POEM.replace("line 5\n", "LINE 5\n").replace("line 12\n", "LINE 12\n")
        assert (found["baseline"], found["live"]) == (POEM, louder)
        # What would be the same text again is left out.
        assert "original" not in found
        assert "final" not in found
        assert (found["kind"], found["mode_bits"], found["too_large"]) == ("text", "644", False)
        assert [one["start_line"] for one in found["spans"]] == [5, 12]
        assert {one["turn"] for one in found["spans"]} == {"t1"}

    def test_shows_what_was_decided_with_the_decisions(self, browser: Browser) -> None:
        page = browser.document("/api/file", path="poem.txt")
        browser.decide("reject", hunk_of(page, "LINE 5\n")["id"])
        found = browser.document("/api/file", path="poem.txt")
        assert [(one["status"], one["decisions"]) for one in found["hunks"]] == [
            ("rejected", ["d1"]),
            ("pending", []),
        ]
        assert "original" not in found

    def test_a_proposal_is_in_the_final_text_only(self, project: Project, browser: Browser) -> None:
        browser.post("/api/mode", mode="hold")
        project.edit("src/a.py", "two\n", "TWO\n")
        found = browser.document("/api/file", path="src/a.py")
        assert (found["live"], found["final"]) == ("one\ntwo\nthree\n", "one\nTWO\nthree\n")
        assert found["hunks"][0]["held"]

    def test_that_nobody_changed_can_be_read(self, project: Project, browser: Browser) -> None:
        found = browser.document("/api/file", path="src/a.py")
        assert (found["live"], found["hunks"]) == ("one\ntwo\nthree\n", [])
        project.put("src/a.py", "other\n")
        assert browser.document("/api/file", path="src/a.py")["live"] == "other\n"

    def test_that_is_no_text_says_what_it_is(self, project: Project, browser: Browser) -> None:
        project.prompt()
        project.write("data.bin", b"\x00\xff")
        project.put("link", "").unlink()
        (project.root / "link").symlink_to("/etc/passwd")
        found = browser.document("/api/file", path="data.bin")
        assert (found["kind"], found["live"]) == ("binary", None)
        found = browser.document("/api/file", path="link")
        assert (found["kind"], found["live"]) == ("link", None)

    @pytest.mark.parametrize(
        "path",
        [
            "nowhere.txt",
            "",
            "..",
            "../home",
            "/etc/passwd",
            "src/../src/a.py",
            "./src/a.py",
            "src//a.py",
            ".git/config",
            ".GIT/config",
            ".git./config",
            "src/.git/x",
            "a\0b",
            "x" * 5000,
        ],
    )
    def test_of_no_such_name_is_not_found(self, project: Project, browser: Browser, path: str) -> None:
        project.put(".git/config", "[core]\n")
        found = browser.get("/api/file", path=path)
        assert (found.status, set(found.json)) == (404, {"error", "hint"})

    def test_through_a_link_is_not_found(self, project: Project, browser: Browser, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "secret").write_text("secret\n")
        (project.root / "away").symlink_to(tmp_path / "outside")
        assert browser.get("/api/file", path="away/secret").status == 404

    def test_whose_name_is_no_text_can_be_asked_for(self, project: Project, browser: Browser) -> None:
        project.prompt()
        name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
        project.write(name, "x\n")
        (path,) = [one["path"] for one in browser.document("/api/overview")["files"] if "caf" in one["path"]]
        assert path == name
        assert browser.document("/api/file", path=name)["live"] == "x\n"
        assert browser.decide("accept", f"./{name}").json["results"][0]["path"] == name


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
        assert browser.decide("reject", new["id"], expect={new["id"]: new["digest"]}).status == 200

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
    def test_of_nothing_that_makes_sense_is_refused(self, browser: Browser, wrong: dict[str, Any]) -> None:
        found = browser.post("/api/decide", **wrong)
        assert (found.status, set(found.json)) == (400, {"error", "hint"})

    def test_of_what_is_not_there_is_not_found(self, browser: Browser) -> None:
        for selector in ("h00000000", "t99", "nowhere", "../x", "\0", "\ud800"):
            assert browser.decide("accept", selector).status == 404


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


class TestSeveralProjects:
    @pytest.fixture
    def other(self, project: Project, tmp_path: Path) -> Project:
        made = Project(tmp_path / "other", {"b.txt": "b\n"})
        made.environ = project.environ
        made.home = project.home
        with made.desk():
            pass
        return made

    def test_each_has_its_own(self, project: Project, other: Project) -> None:
        with running(project, "--project", str(project.root), "--project", str(other.root)) as workbench:
            browser = workbench.enter()
            found = browser.document("/api/projects")["projects"]
            assert [one["root"] for one in found] == [str(project.root), str(other.root)]
            first, second = (one["id"] for one in found)
            assert browser.document("/api/overview")["project"]["root"] == str(project.root)
            assert browser.document("/api/overview", project=first)["counts"]["hunks"] == 2
            assert browser.document("/api/overview", project=second)["counts"]["hunks"] == 0
            assert browser.document("/api/file", project=second, path="b.txt")["live"] == "b\n"
            assert browser.get("/api/file", project=first, path="b.txt").status == 404
            browser.post("/api/mode", project=second, mode="hold")
            assert browser.document("/api/overview", project=first)["mode"] == "review"

    def test_one_that_was_not_opened_is_not_there(
        self, workbench: Workbench, browser: Browser, other: Project
    ) -> None:
        """QW13."""
        with running(other) as elsewhere:
            (theirs,) = elsewhere.enter().document("/api/projects")["projects"]
        for name in (theirs["id"], "", "x", str(other.root)):
            for route in ("/api/overview", "/api/file", "/api/notes", "/api/events", "/api/timeline"):
                assert browser.get(route, project=name).status == 404
            assert browser.post("/api/mode", project=name, mode="hold").status == 404


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

    @pytest.mark.parametrize(
        "name",
        [
            "../server.py",
            "..%2fserver.py",
            "%2e%2e/server.py",
            "/etc/passwd",
            "index.html%00.js",
            "a/../../guard.py",
            ".hidden.js",
            "x.py",
        ],
    )
    def test_no_file_but_ours_is_served(self, browser: Browser, name: str) -> None:
        assert browser.ask("GET", f"/static/{name}").status == 404


PNG = b"\x89PNG\r\n\x1a\n"
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>\0"


class TestAPicture:
    def test_is_sent_from_both_sides(self, project: Project, browser: Browser) -> None:
        project.put("a.png", PNG + b"old\0")
        project.prompt()
        project.write("a.png", PNG + b"new\0")
        for side, data in (("baseline", b"old\0"), ("live", b"new\0")):
            found = browser.get("/api/image", path="a.png", side=side)
            assert (found.status, found.body) == (200, PNG + data)
            assert found.headers["content-type"] == "image/png"
            assert found.headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in found.headers["content-security-policy"]

    @pytest.mark.parametrize("data", [SVG, b"MZ\0", b"GIF8\0", b"RIFF\0\0\0\0WAVE"])
    def test_is_nothing_else(self, project: Project, browser: Browser, data: bytes) -> None:
        project.prompt()
        project.write("a.png", data)
        assert browser.get("/api/image", path="a.png", side="live").status == 404
        assert browser.get("/api/image", path="a.png", side="baseline").status == 404
        assert browser.get("/api/image", path="poem.txt", side="live").status == 404
        assert browser.get("/api/image", path="../outside.png", side="live").status == 404
        assert browser.get("/api/image", path="a.png", side="other").status == 400
