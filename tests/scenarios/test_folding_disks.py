"""Disks that take several spellings for one name, as those of macOS: simulated, for no test runs on one."""

from __future__ import annotations

import os
import posix
import unicodedata
from typing import Any

import pytest

from blueline.kernel import sight
from tests.support.project import POEM, Make, Project


def folded(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()


@pytest.fixture
def folding(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for by any spelling of its name is found."""
    real = posix.lstat

    def lstat(path: Any, *rest: Any, **named: Any) -> Any:
        at = b""
        for name in os.fsencode(path).split(b"/")[1:] if not rest and not named else ():
            try:
                names = posix.listdir(at or b"/")
            except OSError:
                break
            at += b"/" + next(
                (one for one in (name, *names) if one in names and folded(one) == folded(name)), name
            )
        return real(at or path, *rest, **named)

    monkeypatch.setattr(posix, "lstat", lstat)
    monkeypatch.setattr(sight, "FOLDS_NAMES", True)


NAMES = [
    ("README.md", "readme.md"),
    ("Docs/Guide.md", "docs/GUIDE.md"),
    ("caf\u00e9.md", "cafe\u0301.md"),
    ("cafe\u0301.md", "caf\u00e9.md"),
]


def edited(p: Project, there: str, said: str) -> None:
    p.prompt()
    p.tool(
        "Edit",
        said,
        lambda: p.sub(there, "line 3\n", "THREE\n"),
        old_string="line 3\n",
        new_string="THREE\n",
    )
    p.bash("true")
    p.stop()


@pytest.mark.usefixtures("folding")
@pytest.mark.parametrize(("there", "said"), NAMES)
def test_f12_a_file_goes_by_the_name_that_its_folder_has(project: Make, there: str, said: str) -> None:
    p = project({there: POEM})
    before = p.on_disk()
    p.bash("true")
    edited(p, there, said)
    assert [(hunk["path"], hunk["kind"], hunk["tool"]) for hunk in p.hunks()] == [(there, "modify", "Edit")]
    p.reject("t1" if len(p.turns()) == 1 else "t2")
    assert p.on_disk() == before


@pytest.mark.usefixtures("folding")
def test_f12_a_new_file_goes_by_the_name_it_was_given(project: Make) -> None:
    p = project({"Docs/a.md": POEM})
    before = p.on_disk()
    p.prompt()
    p.tool("Write", "docs/New.md", lambda: p.put("Docs/New.md", "new\n"), content="new\n")
    p.stop()
    assert [(hunk["path"], hunk["kind"]) for hunk in p.hunks()] == [("Docs/New.md", "create")]
    p.reject("t1")
    assert p.on_disk() == before
