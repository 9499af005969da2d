"""What a person told git."""

from __future__ import annotations

from pathlib import Path

from blueline.surfaces.cli.git_settings import is_set, setting


def test_the_nearest_of_the_persons_own_settings_counts(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    assert setting("core.pager", environ) is None
    (tmp_path / ".config" / "git").mkdir(parents=True)
    (tmp_path / ".config" / "git" / "config").write_text(
        "[core]\n\tpager = far\n[interactive]\n\tsingleKey\n"
    )
    assert setting("core.pager", environ) == "far"
    assert is_set("interactive.singlekey", environ)
    (tmp_path / ".gitconfig").write_text("[core]\n\tpager = near\n")
    assert setting("core.pager", environ) == "near"
    (tmp_path / "other").write_text("[core]\n\tpager = named\n")
    assert setting("core.pager", {**environ, "GIT_CONFIG_GLOBAL": str(tmp_path / "other")}) == "named"


def test_a_damaged_file_is_none(tmp_path: Path) -> None:
    (tmp_path / ".gitconfig").write_text("[core\n")
    assert setting("core.pager", {"HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}) is None
