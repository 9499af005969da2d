"""The words that are read without argparse mean what argparse says they mean."""

from __future__ import annotations

import random

import pytest

from blueline.surfaces.cli import arguments
from blueline.surfaces.cli.command_table import COMMANDS
from blueline.surfaces.cli.plain_words import plain_words

VALUES = ["x", "", "pending", "hunk", "never", "all", "--", "-", "--json", "3", "file", "--json=1", "-Cx"]
BEFORE = ["-C", "--json", "--color", "never", "x"]


def test_what_is_understood_is_what_argparse_understands() -> None:
    choose = random.Random(1)
    understood = 0
    for _ in range(4_000):
        command = choose.choice([*COMMANDS])
        own = [name for one in COMMANDS[command].arguments() for name in one.names]
        words = [choose.choice(BEFORE) for _ in range(choose.randrange(3))]
        words += [command, *(choose.choice([*own, *VALUES]) for _ in range(choose.randrange(4)))]
        found = plain_words(words)
        if found is not None:
            understood += 1
            assert vars(found) == vars(arguments.parse(words)), words
    assert understood


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["list", "a.md"],
        ["list", "--help"],
        ["--version"],
        ["lits"],
        ["list", "--by", "nothing"],
        ["list", "--by"],
        ["list", "--color=never"],
        ["-C", "here", "hook", "claude-code"],
        ["undo"],
        ["diff", "--stat"],
    ],
)
def test_anything_else_is_left_to_it(words: list[str]) -> None:
    assert plain_words(words) is None


def test_what_people_type_most_is_understood() -> None:
    assert plain_words(["list"]) is not None
    assert plain_words(["-C", "there", "status", "--json"]) is not None
