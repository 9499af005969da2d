"""`init --editor`: the plugin of this version is installed, found, taken out, and looked at by `doctor`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from blueline import __version__
from blueline.surfaces.cli import editor_plugins
from tests.support.agents.place import BLUELINE


def asked(folder: Path, *words: str, path: str = "/nowhere") -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [BLUELINE, "init", *words, "--json"],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    (found,) = json.loads(done.stdout)["editors"]
    return done.returncode, found


def plugin(home: Path) -> Path:
    return home / "data" / "nvim" / "site" / "pack" / "blueline" / "start" / "blueline"


def test_neovim(home: Path, tmp_path: Path) -> None:
    code, said = asked(tmp_path, "--editor", "neovim")
    assert (code, said["outcome"], said["path"]) == (0, "installed", str(plugin(home)))
    assert (plugin(home) / "plugin" / "blueline.lua").is_file()
    assert not (tmp_path / ".blueline").exists()
    assert asked(tmp_path, "--editor", "neovim")[1]["outcome"] == "found"
    # An older one, with a file that is no more.
    (plugin(home) / "lua" / "blueline" / "old.lua").write_text("")
    assert asked(tmp_path, "--editor", "neovim")[1]["outcome"] == "installed"
    assert not (plugin(home) / "lua" / "blueline" / "old.lua").exists()
    assert asked(tmp_path, "--editor", "neovim", "--uninstall")[1]["outcome"] == "removed"
    assert not plugin(home).exists()
    assert asked(tmp_path, "--editor", "neovim", "--uninstall")[1]["outcome"] == "absent"


def test_a_link_of_somebodys_own_is_left(home: Path, tmp_path: Path) -> None:
    plugin(home).parent.mkdir(parents=True)
    (tmp_path / "mine").mkdir()
    plugin(home).symlink_to(tmp_path / "mine")
    done = subprocess.run(
        [BLUELINE, "init", "--editor", "neovim"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "is a link" in done.stderr
    assert plugin(home).is_symlink()


def test_vscode_installs_the_file(home: Path, tmp_path: Path) -> None:
    (tmp_path / "code").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/said\n')
    (tmp_path / "code").chmod(0o755)
    code, said = asked(tmp_path, "--editor", "vscode", path=str(tmp_path))
    assert (code, said["outcome"]) == (0, "installed")
    assert (tmp_path / "said").read_text() == f"--install-extension {editor_plugins.VSIX} --force\n"
    assert asked(tmp_path, "--editor", "vscode", "--uninstall", path=str(tmp_path))[1]["outcome"] == "removed"
    assert (tmp_path / "said").read_text() == "--uninstall-extension blueline-review.blueline\n"


def test_without_vscode_or_if_it_fails_it_is_said_what_to_type(home: Path, tmp_path: Path) -> None:
    code, said = asked(tmp_path, "--editor", "vscode")
    assert (code, said["outcome"]) == (1, "to-do")
    assert said["hint"].startswith(f"code --install-extension {editor_plugins.VSIX}")
    (tmp_path / "code").write_text("#!/bin/sh\necho no such luck >&2\nexit 3\n")
    (tmp_path / "code").chmod(0o755)
    code, said = asked(tmp_path, "--editor", "vscode", path=str(tmp_path))
    assert (code, said["outcome"]) == (1, "to-do")
    assert "no such luck" in said["hint"]


def test_versions(home: Path) -> None:
    environ = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    assert [*editor_plugins.found_versions(environ)] == []
    editor_plugins.put_in("neovim", environ)
    (home / ".vscode" / "extensions" / "blueline-review.blueline-0.0.1").mkdir(parents=True)
    found = {name: version for name, version, _ in editor_plugins.found_versions(environ)}
    assert found == {"neovim": __version__, "vscode": "0.0.1"}
    # VS Code leaves the folder of what was taken out, for a while.
    (home / ".vscode" / "extensions" / "extensions.json").write_text("[]")
    assert [name for name, _, _ in editor_plugins.found_versions(environ)] == ["neovim"]
    (home / ".vscode" / "extensions" / "extensions.json").write_text(
        json.dumps([{"identifier": {"id": editor_plugins.EXTENSION}, "version": "0.0.1"}])
    )
    assert len([*editor_plugins.found_versions(environ)]) == 2
