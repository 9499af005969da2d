"""Which commits go out with a push, or come along with a merge."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.gate.git import Git
from blueline.gate.outgoing_commits import BEFORE, Pushed, commits_before, merged, outgoing, pushed, remember
from tests.gate.yard import Yard

A, B, NONE = "a" * 40, "b" * 40, "0" * 40


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (f"refs/heads/x {A} refs/heads/x {B}", [Pushed("refs/heads/x", A, B)]),
        (f"refs/heads/x {A} refs/heads/x {NONE}", [Pushed("refs/heads/x", A)]),
        (f"(delete) {NONE} refs/heads/x {B}", []),
        (f"refs/blueline/gate/{A} {A} refs/blueline/gate/{A} {NONE}", []),
        ("", []),
    ],
)
def test_git_says_what_is_pushed(line: str, found: list[Pushed]) -> None:
    assert list(pushed(line + "\n", {})) == found


def test_the_framework_says_it_in_the_environment() -> None:
    environ = {"PRE_COMMIT_TO_REF": A, "PRE_COMMIT_FROM_REF": B, "PRE_COMMIT_REMOTE_BRANCH": "refs/heads/x"}
    assert list(pushed("", environ)) == [Pushed("refs/heads/x", A, B)]


def test_what_others_have_does_not_go_out(yard: Yard) -> None:
    git = Git(yard.root, yard.project.environ)
    first = yard.git("rev-parse", "HEAD").strip()
    assert outgoing(git, ["HEAD"], []) == []
    names = []
    for number in range(3):
        yard.commit(str(number))
        names.append(yard.git("rev-parse", "HEAD").strip())
    assert outgoing(git, ["HEAD"], []) == names
    assert outgoing(git, ["HEAD"], [names[0], "", B]) == names[1:]
    yard.git("update-ref", "-d", "refs/remotes/origin/main")
    assert outgoing(git, ["HEAD"], []) == [first, *names]


def test_git_says_what_is_merged(yard: Yard) -> None:
    git = Git(yard.root, yard.project.environ)
    assert merged(git, {}) == ()
    assert merged(git, {f"GITHEAD_{A}": "topic", "GITHEAD_x": "no name"}) == (A,)
    (yard.root / ".git" / "MERGE_HEAD").write_text(f"{A}\n{B}\n")
    assert merged(git, {f"GITHEAD_{A}": "topic"}) == (A, B)


def test_the_commits_of_the_beginning_are_written_down_once(yard: Yard) -> None:
    git = Git(yard.root, yard.project.environ)
    (yard.state / BEFORE).unlink(missing_ok=True)
    first = yard.git("rev-parse", "HEAD").strip()
    yard.run("status")
    remember(git, yard.state)
    yard.commit("later")
    remember(git, yard.state)
    assert commits_before(yard.state) == [first]


@pytest.mark.parametrize("content", ["", "{}", "[1]", '["--all"]', "\xff"])
def test_what_cannot_be_read_excuses_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / BEFORE).write_bytes(content.encode("latin-1"))
    assert commits_before(tmp_path) == []
