"""A command whose packages are not there says what to type; the base install stays small."""

from __future__ import annotations

import importlib.metadata
import json
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
        ("env/pipx_metadata.json", "pipx install --force 'blueline-review[chat]'"),
        ("env/uv-receipt.toml", "uv tool install 'blueline-review[chat]'"),
        ("archive-v0/env/pyvenv.cfg", "uvx --from 'blueline-review[chat]' blueline"),
        ("env/pyvenv.cfg", f"uv pip install --python {sys.executable} 'blueline-review[chat]'"),
        ("env/other", f"{sys.executable} -m pip install 'blueline-review[chat]'"),
    ],
)
def test_what_to_type_is_said_for_the_tool_that_made_the_environment(
    tmp_path: Path, marker: str, line: str
) -> None:
    (tmp_path / marker).parent.mkdir(parents=True)
    (tmp_path / marker).write_text("home = /usr/bin\nuv = 0.13.8\n")
    assert extras.install_line("chat", (tmp_path / marker).parent, None, has_pip=False) == line


def test_an_environment_with_pip_is_told_of_pip(tmp_path: Path) -> None:
    (tmp_path / "pyvenv.cfg").write_text("uv = 0.13.8\n")
    line = f"{sys.executable} -m pip install 'blueline-review[chat]'"
    assert extras.install_line("chat", tmp_path, None, has_pip=True) == line


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        ({"url": "file:///my%20code", "dir_info": {}}, "'/my code[chat]'"),
        ({"url": "file:///code", "dir_info": {"editable": True}}, "--editable '/code[chat]'"),
        (
            {"url": "file:///tmp/b-1.whl", "archive_info": {}},
            "'blueline-review[chat] @ file:///tmp/b-1.whl'",
        ),
        (
            {"url": "https://host/b", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
            "'blueline-review[chat] @ git+https://host/b@c0ffee'",
        ),
    ],
)
def test_it_comes_from_where_the_package_was_had(tmp_path: Path, origin: object, wanted: str) -> None:
    (tmp_path / "uv-receipt.toml").write_text("")
    line = extras.install_line("chat", tmp_path, json.dumps(origin), has_pip=False)
    assert line == f"uv tool install {wanted}"


def test_a_command_without_its_packages_is_no_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(extras.EXTRAS, "chat", ("a_module_that_nobody_has", "talking to agents"))
    assert main(["chat"]) == 1
    said = capsys.readouterr().err
    assert "talking to agents needs a few more packages" in said
    assert "[chat]'" in said


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
