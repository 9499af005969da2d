"""Which editor, and how it is told the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.errors import BluelineError
from blueline.surfaces.cli.editor import at_line, command_of, edit

PATH = Path("/p/-a b.py")


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        (["vim", "-n"], ["vim", "-n", "+7", str(PATH)]),
        (["/usr/bin/nano"], ["/usr/bin/nano", "+7", str(PATH)]),
        (["hx"], ["hx", f"{PATH}:7"]),
        (["code"], ["code", "--wait", "--goto", f"{PATH}:7"]),
        (["code", "-w"], ["code", "-w", "--goto", f"{PATH}:7"]),
        (["something"], ["something", str(PATH)]),
    ],
)
def test_at_the_line(editor: list[str], expected: list[str]) -> None:
    assert at_line(editor, PATH, 7) == expected


def test_the_editor_is_the_one_that_git_would_start(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    assert command_of(environ) == ["vi"]
    assert command_of({**environ, "EDITOR": "nano -w"}) == ["nano", "-w"]
    assert command_of({**environ, "EDITOR": "nano", "VISUAL": "emacs"}) == ["emacs"]
    (tmp_path / ".gitconfig").write_text("[core]\n\teditor = kak\n")
    assert command_of({**environ, "VISUAL": "emacs"}) == ["kak"]
    assert command_of({**environ, "GIT_EDITOR": "joe"}) == ["joe"]


def test_an_editor_that_cannot_be_started_is_said_so(tmp_path: Path) -> None:
    for wrong in ("/nowhere/vi", "'"):
        with pytest.raises(BluelineError):
            edit(tmp_path / "a", 1, {"GIT_EDITOR": wrong})
