"""What `init --editor` installs is what the sources make."""

from __future__ import annotations

import io
import json
import zipfile

from blueline import __version__
from tools.editor_packages import SOURCES, TARGET, neovim, packed


def test_the_plugin_for_neovim_is_packed_as_it_is() -> None:
    assert (TARGET / "neovim.zip").read_bytes() == neovim()


def test_the_extension_is_of_this_version_and_has_all_that_it_names() -> None:
    with zipfile.ZipFile(TARGET / "blueline.vsix") as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("extension/package.json"))
        described = archive.read("extension.vsixmanifest").decode()
    assert manifest["version"] == __version__
    assert f'Version="{__version__}"' in described
    assert f"extension/{manifest['main'].removeprefix('./')}" in names
    for container in manifest["contributes"]["viewsContainers"]["activitybar"]:
        assert f"extension/{container['icon']}" in names


def test_the_extension_is_packed_from_this_manifest() -> None:
    with zipfile.ZipFile(TARGET / "blueline.vsix") as archive:
        packed_manifest = json.loads(archive.read("extension/package.json"))
    source = json.loads((SOURCES / "vscode" / "package.json").read_text())
    assert packed_manifest["contributes"] == source["contributes"]
    assert "devDependencies" not in packed_manifest


def test_it_is_small_enough_for_the_wheel() -> None:
    assert sum(one.stat().st_size for one in TARGET.iterdir()) < 150_000


def test_the_same_files_give_the_same_bytes() -> None:
    files = {"a/b.txt": b"one", "c": b""}
    assert packed(files) == packed(files)
    with zipfile.ZipFile(io.BytesIO(packed(files))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files


STABLE_MENUS = {
    *("commandPalette", "editor/context", "editor/title", "scm/change/title"),
    *(
        "view/item/context",
        "view/title",
        "notebook/cell/title",
        "notebook/toolbar",
        "comments/commentThread/title",
    ),
    *("comments/commentThread/context", "comments/comment/title", "comments/comment/context"),
}


def test_the_extension_uses_nothing_that_is_only_proposed() -> None:
    """The VS Code of the tests would allow it, the usual one does not."""
    manifest = json.loads((SOURCES / "vscode" / "package.json").read_text())
    assert "enabledApiProposals" not in manifest
    assert set(manifest["contributes"]["menus"]) <= STABLE_MENUS


def test_every_command_that_is_offered_is_there() -> None:
    manifest = json.loads((SOURCES / "vscode" / "package.json").read_text())["contributes"]
    commands = {one["command"] for one in manifest["commands"]}
    offered = {one["command"] for menu in manifest["menus"].values() for one in menu}
    offered |= {one["command"] for one in manifest["keybindings"]}
    assert {one for one in offered if one.startswith("blueline.")} <= commands
