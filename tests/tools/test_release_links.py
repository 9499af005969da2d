"""A release's metadata leads to the repository that it was made in."""

from __future__ import annotations

import tomllib

import pytest

from tools.release_links import PYPROJECT, linked


def test_the_metadata_of_a_release_has_links_and_is_otherwise_the_same() -> None:
    before = PYPROJECT.read_text("utf-8")
    project = tomllib.loads(linked(before, "https://example.org/some/where"))["project"]
    links = project.pop("urls")
    assert links["Source"] == "https://example.org/some/where"
    assert links["Issues"] == "https://example.org/some/where/issues"
    assert {"Homepage", "Documentation", "Changelog", "Security"} <= links.keys()
    assert project == tomllib.loads(before)["project"]


@pytest.mark.parametrize(
    "address", ["", "http://example.org/a/b", 'https://example.org/a/b"\nx = "', "owner/name"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(SystemExit, match="not the address"):
        linked(PYPROJECT.read_text("utf-8"), address)


def test_links_are_not_written_twice() -> None:
    text = linked(PYPROJECT.read_text("utf-8"), "https://example.org/some/where")
    with pytest.raises(SystemExit, match="already"):
        linked(text, "https://example.org/some/where")
