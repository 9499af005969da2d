"""What git knows of lines."""

from __future__ import annotations

from pathlib import Path

from blueline.workspace.git_blame import committed_lines
from tests.support.project import Project


def test_a_project_inside_a_repository_and_one_without(tmp_path: Path) -> None:
    p = Project(tmp_path, {"in/a.py": "one\n"})
    assert committed_lines(p.root, "in/a.py") == (b"", [])
    p.git("init", "-q")
    assert committed_lines(p.root, "in/a.py") == (b"", [])
    p.git("add", "-A")
    p.git("commit", "-qm", "begin")
    for root, path in ((p.root, "in/a.py"), (p.root / "in", "a.py")):
        content, (line,) = committed_lines(root, path)
        assert (content, line.author, line.summary) == (b"one\n", "Person", "begin")
    assert committed_lines(p.root, "in") == (b"", [])
    assert committed_lines(p.root, "nothing") == (b"", [])
