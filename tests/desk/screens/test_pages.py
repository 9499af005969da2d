"""What the page shows of the project and of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import POEM, Project
from tests.support.workbench import Browser, hunk_of


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
        first, second = browser.document("/api/overview")["hunks"]
        browser.decide("accept", first["id"])
        (file,) = browser.document("/api/overview")["files"]
        assert (file["status"], file["pending"], file["decided"]) == ("mixed", 1, 1)
        browser.decide("reject", second["id"])
        found = browser.document("/api/overview")
        assert ([one["code"] for one in found["gate"]["reasons"]], found["hunks"]) == (["no-review"], [])
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

    def test_a_hunk_by_itself_has_the_lines_around_it(self, project: Project, browser: Browser) -> None:
        project.put("long.txt", "".join(f"{number}\n" for number in range(1, 11)))
        project.prompt()
        project.edit("long.txt", "5\n", "five\n")
        found = browser.document("/api/hunk", id=project.hunk("five\n"))
        assert (found["above"], found["below"]) == (["2", "3", "4"], ["6", "7", "8"])
        project.accept("long.txt")
        found = browser.document("/api/hunk", id=found["id"])
        assert (found["above"], found["below"]) == ([], [])

    def test_says_from_which_mode_to_which(self, project: Project, browser: Browser) -> None:
        (project.root / "src/a.py").chmod(0o644)
        project.prompt()
        project.bash("chmod 755 src/a.py")
        found = browser.document("/api/file", path="src/a.py")
        assert (found["baseline_mode_bits"], found["mode_bits"]) == ("644", "755")

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
