"""The person's own config."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk import person_config


def test_it_is_where_the_person_keeps_such_files(tmp_path: Path) -> None:
    assert person_config.config_path({"HOME": "/home/ada"}) == Path("/home/ada/.config/blueline/config.toml")
    assert person_config.config_path({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}) == Path(
        "/c/blueline/config.toml"
    )
    assert person_config.config_path({"HOME": "/h", "XDG_CONFIG_HOME": "c"}) == Path(
        "/h/.config/blueline/config.toml"
    )


def test_without_one_nothing_is_switched_on(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert person_config.read(environ) == {}
    assert person_config.flag(environ, "agents_may_decide") is False


@pytest.mark.parametrize("text", ["agents_may_decide = 'yes'\n", "agents_may_decide\n", "\xff"])
def test_what_is_neither_true_nor_false_is_refused(tmp_path: Path, text: str) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    path = person_config.config_path(environ)
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(person_config.PersonConfigUnreadable, match="blueline"):
        person_config.flag(environ, "agents_may_decide")
