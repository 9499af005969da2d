"""Where a project's state is."""

from __future__ import annotations

from blueline.kernel import project_folder


def test_the_variable_wins_if_it_is_absolute() -> None:
    assert project_folder.state_home({b"XDG_STATE_HOME": b"/s/", b"HOME": b"/h"}) == b"/s/blueline"
    assert project_folder.state_home({b"XDG_STATE_HOME": b"s", b"HOME": b"/h"}) == b"/h/.local/state/blueline"


def test_without_a_home_the_system_is_asked() -> None:
    assert project_folder.state_home({}).endswith(b"/.local/state/blueline")


def test_a_key_is_for_one_path_only() -> None:
    assert project_folder.state_key(b"/home/dev/project") == "462b3acd899c9c6e"
    assert project_folder.state_key(b"/home/dev/project") != project_folder.state_key(b"/home/dev/project2")
