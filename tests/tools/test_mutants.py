"""Which parts mutants are made of."""

from __future__ import annotations

import configparser
from pathlib import Path

import pytest

from tools import mutants


@pytest.mark.parametrize("part", mutants.PARTS.values(), ids=mutants.PARTS)
def test_what_is_named_is_there(part: mutants.Part) -> None:
    for path in (*part.sources, *part.tests):
        assert (mutants.ROOT / path).exists(), path


def test_only_the_part_itself_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "PLACE", tmp_path / "copy")
    mutants._copy(mutants.PARTS["frames"])
    settings = configparser.ConfigParser()
    settings.read(tmp_path / "copy" / "setup.cfg")
    left = settings["mutmut"]["do_not_mutate"].split()
    files = {str(path.relative_to(mutants.ROOT)) for path in (mutants.ROOT / "blueline").rglob("*.py")}
    assert files - {*left} == {"blueline/journal/frames.py"}
    assert (tmp_path / "copy" / "tests" / "journal" / "test_frames.py").exists()
