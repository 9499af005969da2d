"""Which project a person's own hooks record for (rules D6 and D7)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blueline.kernel import project_folder, user_wide


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A person's home, in which `init --user` was run."""
    (tmp_path / "home/state/user").mkdir(parents=True)
    return tmp_path / "home"


def environ(own: Path) -> dict[bytes, bytes]:
    return {b"HOME": os.fsencode(own), b"XDG_CONFIG_HOME": os.fsencode(own / "config")}


def found(own: Path, start: Path) -> Path | None:
    """The root that is recorded for an agent in a folder."""
    one = user_wide.project(os.fsencode(start), os.fsencode(own / "state"), environ(own))
    return Path(os.fsdecode(one[0])) if one else None


def repository(place: Path, *, is_tree: bool = False) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    if is_tree:
        (place / ".git").write_text("gitdir: /elsewhere\n")
    else:
        (place / ".git").mkdir()
    return place


def state(own: Path, root: Path) -> None:
    (own / "state" / project_folder.state_key(os.fsencode(root))).mkdir()


def ignoring(own: Path, text: str) -> None:
    config = own / "config/blueline/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(text)


def test_every_repository_is_one_and_other_folders_are_not(own: Path) -> None:
    top = repository(own / "code/a")
    (top / "src/deep").mkdir(parents=True)
    tree = repository(own / "code/a-tree", is_tree=True)
    marked = own / "notes"
    (marked / ".blueline").mkdir(parents=True)
    assert found(own, top / "src/deep") == top
    assert found(own, top / "not/there") == top
    assert found(own, tree) == tree
    assert found(own, marked) == marked
    assert found(own, own / "code") is None


def test_a_home_folder_and_the_whole_machine_are_none(own: Path) -> None:
    repository(own)
    (own / "letters").mkdir()
    assert found(own, own) is None
    assert found(own, own / "letters") is None
    (own / ".blueline").mkdir()
    assert found(own, own / "letters") is None
    assert found(own, Path("/")) is None
    inside = repository(own / "code")
    (own / ".blueline").rmdir()
    state(own, own)
    assert found(own, inside) == inside


def test_a_home_behind_a_link_is_a_home(own: Path, tmp_path: Path) -> None:
    repository(own)
    (tmp_path / "link").symlink_to(own)
    settings = {**environ(own), b"HOME": os.fsencode(tmp_path / "link")}
    assert user_wide.project(os.fsencode(own), os.fsencode(own / "state"), settings) is None


def test_a_repository_in_another_one_is_its_own_unless_somebody_made_a_project_of_the_outer(
    own: Path,
) -> None:
    outer = repository(own / "outer")
    inner = repository(outer / "vendor/inner")
    assert found(own, inner) == inner
    state(own, outer)
    assert found(own, inner) == inner
    assert found(own, outer / "vendor") == outer
    (outer / ".blueline").mkdir()
    assert found(own, inner) == outer


@pytest.mark.parametrize(
    ("pattern", "is_left_alone"),
    [
        ("~/code/a", True),
        ("~/code/a/", True),
        ("~/code", True),
        ("~/code/*", True),
        ("~/*/a", True),
        ("~/c?de", True),
        ("~/**/a", True),
        ("/**/code", True),
        ("~", True),
        ("~/code/b", False),
        ("~/code/a/src", False),
        ("~/cod", False),
        ("~/c?e", False),
        ("/code", False),
    ],
)
def test_what_a_person_ignores_is_left_alone(own: Path, pattern: str, is_left_alone: bool) -> None:
    top = repository(own / "code/a")
    ignoring(own, f'ignore = ["/nowhere", "{pattern}"]\n')
    assert found(own, top) == (None if is_left_alone else top)


def test_a_change_of_the_config_counts_at_once(own: Path) -> None:
    top = repository(own / "code/a")
    for text, root in (("", top), ('ignore = ["~/code"]\n', None), ('ignore = ["~/code/b"]\n', top)):
        ignoring(own, text)
        assert (found(own, top), found(own, top)) == (root, root)


def test_it_is_read_once(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = repository(own / "code/a")
    ignoring(own, 'ignore = ["~/code"]\n')
    assert found(own, top) is None
    monkeypatch.setattr(user_wide, "read", lambda config, environ: pytest.fail("it was read again"))
    assert found(own, top) is None


@pytest.mark.parametrize("text", ["ignore = [", "ignore = 1", "ignore = [1]", 'ignore = ["code/a"]', "\0"])
def test_what_cannot_be_used_is_said_and_everything_is_recorded(own: Path, text: str) -> None:
    top = repository(own / "code/a")
    ignoring(own, text)
    assert found(own, top) == top
    with pytest.raises(user_wide.PatternsUnusable):
        user_wide.read(text.encode(), environ(own))


@pytest.mark.parametrize(
    ("names", "is_on"),
    [
        ([], False),
        (["ignored", "blobs"], False),
        (["hooks-tried.json"], False),
        (["installed-claude-code.json"], True),
        (["agents-unused.json", "hooks-tried.json"], True),
    ],
)
def test_it_is_on_where_init_wrote_something_and_not_where_a_folder_is(
    own: Path, names: list[str], is_on: bool
) -> None:
    assert not user_wide.is_on(os.fsencode(own / "state"))
    folder = own / "state/user"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).touch()
    assert user_wide.is_on(os.fsencode(own / "state")) == is_on
