"""The config of the forge, and what each mode does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from blueline.forge.forge_config import KEYS, MODES, ForgeConfigUnusable, ForgeSettings, read
from blueline.model.risk import LEVELS, PATHS, USUAL

PAGE = (Path(__file__).parents[2] / "docs" / "github.md").read_text()


def test_without_a_config_everything_is_as_usual() -> None:
    assert read(b"") == ForgeSettings()
    assert read(b"format = 1\n[capture]\nlargest = 2048\n") == ForgeSettings()


def test_the_config_of_the_documentation_can_be_read_and_has_every_key() -> None:
    (example,) = re.findall(r"^```toml\n(\[forge\].*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    found = read(example.encode())
    assert found.default_mode == "hybrid"
    assert set(tomllib.loads(example)["forge"]) == set(KEYS)
    for key in KEYS:
        assert re.search(rf"^\| `{key}` \|", PAGE, re.MULTILINE), key


def test_every_rule_level_and_mode_is_described() -> None:
    for rule, level in USUAL.items():
        assert re.search(rf"^\| `{rule}` \| {level} \|", PAGE, re.MULTILINE), rule
    for name in (*LEVELS, *MODES):
        assert f"`{name}`" in PAGE
    assert set(PATHS) < set(USUAL)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[forge]\nx = 1", "has no 'x'"),
        ("forge = 1", "must be a table"),
        ("[forge]\ndefaultMode = 'always'", "must be one of suggest-only"),
        ("[forge]\nriskThreshold = 3", "must be one of low"),
        ("[forge]\nmaxSuggestionsPerComment = 0", "must be a number from 1"),
        ("[forge]\nmaxSuggestionsPerComment = true", "must be a number"),
        ("[forge]\nshowRationale = 'yes'", "must be true or false"),
        ("[forge.risk]\nnothing = 'low'", "there is no rule 'nothing'"),
        ("[forge.risk]\nci = 'huge'", "the level of ci"),
        ("[forge.paths]\nsize = ['x']", "does not go by paths"),
        ("[forge.paths]\nci = 'x'", "must be a list of patterns"),
        ("[forge", "not valid TOML"),
    ],
)
def test_what_cannot_be_used_is_said(text: str, why: str) -> None:
    with pytest.raises(ForgeConfigUnusable, match=re.escape(why)):
        read(text.encode())
