"""What is asked of somebody who goes through changes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest

from blueline.surfaces.cli.request import Request
from blueline.surfaces.cli.walk_window import PROMPT, WalkWindow
from blueline.surfaces.cli.walk_words import SINGLE


class Keys:
    """Somebody who types the same each time, and remembers how they were asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def line(self, prompt: str, meanwhile: object = None, *, single: str = "") -> str:
        self.asked.append((prompt, single))
        return " Y "


@pytest.mark.parametrize("is_single", [False, True])
def test_single_keys_only_where_the_person_told_git_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_single: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    if is_single:
        (tmp_path / ".gitconfig").write_text("[interactive]\n\tsingleKey = yes\n")
    keys: Any = Keys()
    nobody: Any = None
    window = WalkWindow(Request(argparse.Namespace(color="never"), nobody, nobody, nobody), keys)
    window.order(lambda: "")
    assert window.answer("? ", "bk") == "y"
    assert keys.asked == [(PROMPT, SINGLE if is_single else ""), ("? ", "bk" if is_single else "")]
    assert len(PROMPT) <= 60 - 10, "there is room to type in a narrow window"
