"""The page about the page names what is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "frontend.md").read_text()
SOURCE = ROOT / "frontend" / "src"


def test_every_folder_is_described() -> None:
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir()}
    table = PAGE.partition("## Folders")[2].partition("## The way")[0]
    assert folders <= set(re.findall(r"`(\w+)/`", table))


def test_files_that_are_named_are_there() -> None:
    for name in re.findall(r"`(\w+/[\w.]+\.(?:tsx?|css))`", PAGE):
        assert (SOURCE / name).is_file(), name


def test_functions_that_are_named_are_there() -> None:
    for name, place in re.findall(r"`(\w+)` in `(\w+/\w+\.tsx?)`", PAGE):
        assert f"function {name}(" in (SOURCE / place).read_text(), name
