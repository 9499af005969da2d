"""The pending changes as a patch, each place with its hunk."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.project import POEM, Project


def test_every_place_has_the_id_of_its_hunk_and_git_takes_it_back(tmp_path: Path) -> None:
    p = Project(tmp_path, {"poem.txt": POEM, "b.txt": "b\n"})
    p.git("init", "-q")
    before = p.on_disk()
    p.prompt()
    p.edit("poem.txt", "line 5\n", "LINE 5\n")
    p.edit("poem.txt", "line 7\n", "")
    p.edit("poem.txt", "line 8\n", "line 8\nline 8 and a half\n")
    p.edit("poem.txt", "line 20\n", "line 20")
    p.write("new.txt", "new\n")
    with p.desk() as desk:
        found = desk.diff(())
    headers = [line for line in found["diff"].splitlines() if line.startswith("@@")]
    named = [name for line in headers for name in line.split("@@")[2].split()]
    assert sorted(named) == sorted(hunk["id"] for hunk in p.hunks())
    assert len(headers) >= 4, "what can be told apart is"
    assert found["files"] == [
        {"path": "new.txt", "added": 1, "removed": 0, "binary": False},
        {"path": "poem.txt", "added": 3, "removed": 3, "binary": False},
    ]
    git = ["git", "apply", "-R", "--whitespace=nowarn"]
    assert subprocess.run(git, cwd=p.root, input=found["diff"].encode()).returncode == 0
    assert p.on_disk() == before


def test_a_selection_alone(tmp_path: Path) -> None:
    p = Project(tmp_path, {"poem.txt": POEM})
    p.prompt()
    p.edit("poem.txt", "line 5\n", "LINE 5\nmore\n")
    p.edit("poem.txt", "line 15\n", "LINE 15\n")
    first, second = (hunk["id"] for hunk in p.hunks())
    with p.desk() as desk:
        assert f"@@ -12,7 +12,7 @@ {second}\n" in desk.diff([second])["diff"]
        assert f"@@ -2,7 +2,8 @@ {first}\n" in desk.diff([first])["diff"]


def test_a_change_that_is_of_several_pieces_has_its_name(tmp_path: Path) -> None:
    """What is appended to a line, with more lines below it, is not one stretch of text."""
    p = Project(tmp_path, {"a.md": "one\n\n    run it\n\ntwo\n"})
    p.prompt()
    p.edit("a.md", "    run it\n", "    run it 5\n\nwarns of five.\n")
    (hunk,) = p.hunks()
    with p.desk() as desk:
        assert f"@@ {hunk['id']}\n" in desk.diff(())["diff"]
