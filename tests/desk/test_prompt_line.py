"""A project in a word."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from blueline.desk.prompt_line import prompt_line
from tests.support.project import Project


def test_how_much_is_undecided_in_a_word(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.py": "x\n", "in/b.py": "x\n"})

    def word(folder: str = ".") -> str:
        return prompt_line(str(p.root / folder), p.environ)

    assert word() == ""
    p.hunks()
    assert word() == ""
    p.prompt()
    p.edit("a.py", "x", "y")
    p.edit("in/b.py", "x", "y")
    assert word() == "0+", "recorded, and not taken in yet"
    p.hunks()
    assert word("in") == "2*"
    p.stop()
    p.accept()
    assert word() == ""
    assert prompt_line(str(tmp_path), p.environ) == ""


def test_nothing_is_loaded_for_it_that_takes_time(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.py": "x\n"})
    p.prompt()
    p.edit("a.py", "x", "y")
    p.hunks()
    heavy = {"typing", "argparse", "sqlite3", "json", "re", "pathlib", "datetime"}
    code = (
        "import sys; from blueline.surfaces.cli.main import main; main(['status', '--short']);"
        f"print(*sorted({heavy} & {{*sys.modules}}))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(Path.cwd())!r}); {code}"],
        cwd=p.root,
        env=p.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1*\n\n"
