"""Which git is run."""

from __future__ import annotations

import pytest

from blueline.gate.git import one_line
from tests.gate.yard import Yard


def test_qs7_a_git_that_the_project_brings_along_is_not_run(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard.put("git", f"#!/bin/sh\ntouch {yard.root}/OWNED\n")
    (yard.root / "git").chmod(0o755)
    yard.open()
    monkeypatch.setenv("PATH", f".:{yard.project.environ['PATH']}")
    assert yard.run("ship", "--json").code == 0
    assert not (yard.root / "OWNED").exists()


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (b"error: one\nhint: try two\n\n  three\n", "error: one; three"),
        (b"hint: only this\n", "hint: only this"),
        (b"", ""),
    ],
)
def test_a_complaint_is_one_line(said: bytes, line: str) -> None:
    assert one_line(said) == line
