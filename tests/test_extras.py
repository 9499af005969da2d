"""A command whose packages are not there says what to type; the base install stays small."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from blueline import extras
from blueline.surfaces.cli.main import main

MOST_WHEELS = 16
MOST_BYTES = 35_000_000


@pytest.mark.parametrize(
    ("marker", "line"),
    [
        ("pipx_metadata.json", "pipx install --force 'blueline-review[chat]'"),
        ("uv-receipt.toml", "uv tool install 'blueline-review[chat]'"),
        ("", f"{sys.executable} -m pip install 'blueline-review[chat]'"),
    ],
)
def test_what_to_type_is_said_for_the_tool_that_made_the_environment(
    tmp_path: Path, marker: str, line: str
) -> None:
    if marker:
        (tmp_path / marker).write_text("")
    assert extras.install_line("chat", tmp_path) == line


def test_a_command_without_its_packages_is_no_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(extras.EXTRAS, "chat", ("a_module_that_nobody_has", "talking to agents"))
    assert main(["chat"]) == 1
    said = capsys.readouterr().err
    assert "talking to agents needs a few more packages" in said
    assert "'blueline-review[chat]'" in said


def test_every_extra_is_one_that_can_be_installed() -> None:
    offered = importlib.metadata.metadata(extras.DISTRIBUTION).get_all("Provides-Extra") or []
    assert set(extras.EXTRAS) <= set(offered)


def test_the_base_is_few_wheels_and_small() -> None:
    wheels = _with_what_it_brings(extras.DISTRIBUTION)
    assert len(wheels) <= MOST_WHEELS, sorted(wheels)
    files = [file for name in wheels for file in importlib.metadata.distribution(name).files or []]
    kept = [file.locate() for file in files if file.suffix != ".pyc"]
    assert sum(Path(str(file)).stat().st_size for file in kept if Path(str(file)).is_file()) <= MOST_BYTES


def _with_what_it_brings(name: str) -> set[str]:
    found, todo = set[str](), [name]
    while todo:
        one = todo.pop()
        if one in found:
            continue
        found.add(one)
        for line in importlib.metadata.requires(one) or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                todo.append(requirement.name)
    return found
