"""What git does to files outside any call is git's: not taken back by hand, and no rejection."""

from __future__ import annotations

import pytest

from tests.support.branches import repository
from tests.support.project import Document, Make, Project
from tests.support.talking import heard


@pytest.fixture
def p(project: Make) -> Project:
    """A repository with an agent's change, and a file that it made, both undecided and not committed."""
    p = repository(project)
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.write("new.md", "new\n")
    p.hunks()
    return p


def decisions(p: Project) -> list[Document]:
    return [entry for entry in p.log() if entry["kind"] == "decision"]


def tally(p: Project) -> tuple[int, int]:
    """How many changes were rejected, and how many are pending, by the log's own count."""
    with p.desk() as desk:
        found = desk.log()["tally"]
    return sum(row["rejected"] for row in found), sum(row["pending"] for row in found)


AWAY_AND_BACK = {
    "a stash": ("git stash -q", "git stash pop -q"),
    "a stash that is kept": ("git stash -q", "git stash apply -q"),
    "a stash with new files": ("git stash -qu", "git stash pop -q"),
    "a branch": (
        "git add -A && git commit -qm work && git branch work && git reset -q --hard HEAD~1",
        "git reset -q --hard work",
    ),
    "another branch": (
        "git checkout -qb work && git add -A && git commit -qm work && git checkout -q main",
        "git checkout -q work",
    ),
}


@pytest.mark.parametrize(("away", "back"), AWAY_AND_BACK.values(), ids=AWAY_AND_BACK)
@pytest.mark.parametrize("looks", [True, False], ids=["a command in between", "none"])
def test_git_takes_away_and_brings_back(p: Project, away: str, back: str, looks: bool) -> None:
    before = p.hunks()
    if "commit" in away:
        # Each of them alone: what was committed and taken away at once was never seen in between.
        first, away = away.rsplit(" && ", 1)
        p.shell(first)
        p.hunks()
    p.shell(away)
    if looks:
        assert "THREE" not in "".join(hunk["new"] for hunk in p.hunks())
        assert tally(p)[0] == 0
        assert p.command("list", "--status", "rejected").stdout.count("THREE") == 0
        assert {entry["verdict"] for entry in decisions(p)} == {"by-git"}
        assert "by hand" not in p.command("log").stdout
        assert "git took away 1 hunk" in p.command("log").stdout
    p.shell(back)
    same = [{**hunk, "committed": None} for hunk in p.hunks()]
    assert same == before
    assert tally(p) == (0, 2)
    assert all(entry["verdict"] == "by-git" for entry in decisions(p))
    if looks:
        taken = next(entry for entry in decisions(p) if not entry["returns"])
        shown = p.command("show", taken["id"]).stdout
        assert "decided anew since" in shown
        assert "stands" not in shown
        assert "git brought back" in p.command("log").stdout
    assert heard(p) == ""


@pytest.mark.parametrize("name", ["a branch", "another branch"])
def test_git_takes_away_what_was_committed_since_anybody_looked(p: Project, name: str) -> None:
    before = p.hunks()
    away, back = AWAY_AND_BACK[name]
    p.shell(away)
    assert (p.hunks(), tally(p)[0]) == ([], 0)
    assert {entry["verdict"] for entry in decisions(p)} == {"by-git"}
    p.shell(back)
    assert [{**hunk, "committed": None} for hunk in p.hunks()] == before
    assert all(entry["verdict"] == "by-git" for entry in decisions(p))


def test_git_before_the_command_of_an_agent(p: Project) -> None:
    p.shell("git stash -q")
    p.bash("true")
    assert [entry["verdict"] for entry in decisions(p)] == ["by-git"]
    p.shell("git stash pop -q")
    p.bash("true")
    assert [entry["verdict"] for entry in decisions(p)] == ["by-git"] * 2
    assert tally(p) == (0, 2)


def test_what_a_person_takes_back_is_by_hand_whatever_git_does_besides(p: Project) -> None:
    p.sub("a.md", "THREE\n", "line 3\n")
    p.git("add", "b.md")
    p.git("commit", "-q", "--allow-empty", "-m", "something else")
    assert [hunk["path"] for hunk in p.hunks()] == ["new.md"]
    (entry,) = decisions(p)
    assert (entry["verdict"], tally(p)) == ("by-hand", (1, 1))
    assert "taken back by hand" in p.command("log").stdout
    assert "stands" in p.command("show", entry["id"]).stdout
    p.sub("a.md", "line 3\n", "THREE\n")
    p.hunks()
    assert "put back by hand" in p.command("log").stdout
    assert "decided anew since" in p.command("show", entry["id"]).stdout
