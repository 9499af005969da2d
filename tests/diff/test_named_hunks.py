"""A patch whose places say whose they are, and which git applies all the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from blueline.diff.edits import split_lines
from blueline.diff.named_hunks import Owner, named_hunks
from blueline.diff.unified import PatchSide, unified
from tests.support.texts import TEXTS

TEN = "".join(f"{n}\n" for n in range(1, 11))


def headers(old: str, new: str, owners: list[Owner]) -> list[str]:
    return [line for line in named_hunks(old, new, owners).splitlines() if line.startswith("@@")]


def test_neighbours_are_not_joined_and_each_says_whose_it_is() -> None:
    new = TEN.replace("4\n", "four\n").replace("6\n", "six\n")
    owners = [Owner("h1", 3, 4), Owner("h2", 5, 6)]
    assert headers(TEN, new, owners) == ["@@ -1,5 +1,5 @@ h1", "@@ -6,4 +6,4 @@ h2"]
    assert headers(TEN, new, [Owner("h1", 3, 6)]) == ["@@ -1,9 +1,9 @@ h1"]


def test_where_nothing_stands_between_two_both_are_named() -> None:
    new = TEN.replace("4\n5\n", "four\nfive\n")
    assert headers(TEN, new, [Owner("h1", 3, 4), Owner("h2", 4, 5)]) == ["@@ -1,8 +1,8 @@ h1 h2"]


def test_an_insertion_and_a_new_file_have_names() -> None:
    assert headers(TEN, TEN.replace("7\n", "7\nnew\n"), [Owner("h1", 7, 7)]) == ["@@ -5,6 +5,7 @@ h1"]
    assert headers("", "a\n", [Owner("h1", 0, 0)]) == ["@@ -0,0 +1 @@ h1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("patches")


@settings(max_examples=60)
@example("a\n", "\na\n\n", [(0, 0), (0, 0)])
@given(TEXTS, TEXTS, st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), max_size=4))
def test_git_applies_it_in_both_directions(
    folder: Path, old: str, new: str, ranges: list[tuple[int, int]]
) -> None:
    if old == new or not old or not new:
        return
    length = len(split_lines(old))
    owners = [Owner(f"h{n}", min(a, length), min(a + b, length)) for n, (a, b) in enumerate(ranges)]
    sides = PatchSide("a", old, 0o100644), PatchSide("a", new, 0o100644)
    patch = unified(*sides, owners or [Owner("h9", 0, 0)]).encode()
    for start, end, words in ((old, new, []), (new, old, ["-R"])):
        (folder / "a").write_bytes(start.encode())
        git = ["git", "apply", "--whitespace=nowarn", *words, "-"]
        done = subprocess.run(git, cwd=folder, input=patch, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        assert (folder / "a").read_bytes() == end.encode()
