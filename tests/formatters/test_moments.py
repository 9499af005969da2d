"""When formatters run: as a hook of the agent, on save, by a commit, over everything (rule D2)."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.formatters.conftest import Format, commands
from tests.formatters.samples import code, rewritten
from tests.formatters.test_real_code import NAMES
from tests.support.project import Project

MOMENTS = ("as a hook of the agent", "on save", "by a commit, later", "over everything")
FILES = ("one.code", "two.code")


def let_loose(p: Project, moment: str, formatted: Format, name: str) -> None:
    """A formatter goes over the project."""
    if moment == "by a commit, later":
        p.git("commit", "-qam", "work")
        p.hunks()
        hook = p.root / ".git" / "hooks" / "pre-commit"
        every = " ".join(f"'{part}'" for part in commands()[name])
        hook.write_text(
            "#!/bin/sh\nset -e\n"
            + "".join(f"{every} < {file} > .formatted && cat .formatted > {file}\n" for file in FILES)
            + "rm .formatted\ngit add -u\n"
        )
        hook.chmod(0o755)
        p.git("commit", "-q", "--allow-empty", "-m", "format")
        return
    for file in FILES if moment == "over everything" else FILES[:1]:
        p.put(file, formatted(p.text(file)))


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", NAMES)
def test_whenever_a_formatter_runs_the_agents_text_stays_the_agents(
    tmp_path: Path, name: str, moment: str, formats: Callable[[str], Format]
) -> None:
    formatted, source = formats(name), random.Random(name + moment)
    before = formatted(code(name)[0].read_text())
    p = Project(tmp_path, dict.fromkeys(FILES, before))
    p.git("init", "-q")
    p.git("add", "-A")
    p.git("commit", "-qm", "start")
    p.prompt()
    text = rewritten(name, before, source)
    p.write(FILES[0], text)
    if moment != "as a hook of the agent":
        p.stop()
        p.hunks()
    let_loose(p, moment, formatted, name)
    after = formatted(text)
    assert p.text(FILES[0]) == after != before
    assert {hunk["actor"]["kind"] for hunk in p.hunks()} == {"agent"}
    p.reject()
    assert (p.text(FILES[0]), p.text(FILES[1])) == (before, before)
    p.undo()
    p.accept()
    assert p.text(FILES[0]) == after
    assert p.hunks() == []
