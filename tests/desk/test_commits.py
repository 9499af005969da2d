"""A commit counts as a look (rule D3), with git itself."""

from __future__ import annotations

import pygit2
import pytest

from tests.support.branches import repository
from tests.support.project import Make, Project

CONFIG = ".blueline/config.toml"


def committed(p: Project) -> list[tuple[str, str | None]]:
    """The new text of what is pending, and the commit that has it."""
    return [(hunk["new"], hunk["committed"]) for hunk in p.hunks()]


def head(p: Project) -> str:
    return p.git("rev-parse", "HEAD").strip()


@pytest.fixture
def p(project: Make) -> Project:
    """A repository in which an agent has changed two places of a file, that are undecided."""
    p = repository(project)
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "line 12\n", "TWELVE\n")
    return p


@pytest.mark.parametrize("looked", [True, False], ids=["looked before", "never looked"])
def test_d3_what_a_person_commits_is_committed_and_stays_undecided(p: Project, looked: bool) -> None:
    if looked:
        assert committed(p) == [("THREE\n", None), ("TWELVE\n", None)]
    p.git("commit", "-qam", "mine")
    assert committed(p) == [("THREE\n", head(p)), ("TWELVE\n", head(p))]
    assert p.command("list").stdout.count("(committed)") == 2
    assert "committed: " + head(p)[:10] in p.command("show", p.hunks()[0]["id"]).stdout
    assert [reason["code"] for reason in p.status()["gate"]["reasons"]].count("undecided") == 1
    done = p.command("accept", "--committed")
    assert (done.returncode, p.hunks(), p.text("a.md").count("THREE")) == (0, [], 1)
    p.undo()
    assert committed(p) == [("THREE\n", head(p)), ("TWELVE\n", head(p))]


def test_d3_only_what_is_in_the_commit_as_it_stands_in_the_file(p: Project) -> None:
    p.hunks()
    p.sub("a.md", "TWELVE\n", "line 12\n")
    p.git("add", "a.md")
    p.sub("a.md", "line 12\n", "TWELVE\n")
    p.git("commit", "-qm", "a part of it")
    assert committed(p) == [("THREE\n", head(p)), ("TWELVE\n", None)]
    p.command("accept", "--committed")
    assert committed(p) == [("TWELVE\n", None)]
    assert p.command("accept", "--committed").returncode == 0
    assert committed(p) == [("TWELVE\n", None)]


def test_d3_what_is_changed_after_the_commit_is_committed_no_more(p: Project) -> None:
    p.git("commit", "-qam", "mine")
    was = head(p)
    p.sub("a.md", "THREE\n", "THREE and more\n")
    assert committed(p) == [("THREE and more\n", None), ("TWELVE\n", was)]
    p.git("commit", "-qam", "corrected")
    assert committed(p) == [("THREE and more\n", head(p)), ("TWELVE\n", was)]


def test_d3_a_commit_that_is_amended_or_made_by_another_program(p: Project) -> None:
    p.git("commit", "-qam", "mine")
    first = head(p)
    assert {commit for _, commit in committed(p)} == {first}
    p.git("commit", "-q", "--amend", "-m", "another message")
    assert head(p) != first
    assert {commit for _, commit in committed(p)} == {head(p)}
    p.edit("b.md", "b\n", "B\n")
    git = pygit2.Repository(str(p.root))
    git.index.add("b.md")
    git.index.write()
    me = pygit2.Signature("somebody", "somebody@example.org")
    made = git.create_commit("HEAD", me, me, "by a program", git.index.write_tree(), [git.head.target])
    assert {hunk["path"]: hunk["committed"] for hunk in p.hunks()}["b.md"] == str(made)


def test_d3_a_commit_that_is_taken_back_is_none(p: Project) -> None:
    p.git("commit", "-qam", "mine")
    assert [commit for _, commit in committed(p)] == [head(p)] * 2
    p.git("reset", "-q", "--soft", "HEAD~1")
    assert [commit for _, commit in committed(p)] == [None] * 2
    p.git("commit", "-qam", "again")
    assert [commit for _, commit in committed(p)] == [head(p)] * 2


def test_d3_a_commit_that_an_agent_makes_settles_nothing(p: Project) -> None:
    p.bash("git commit -qam 'by the agent'")
    assert [commit for _, commit in committed(p)] == [None] * 2
    # Nor does one of a person on top of it, in which nothing of that is changed.
    p.put("b.md", "mine\n")
    p.git("commit", "-qam", "mine")
    assert [commit for _, commit in committed(p)] == [None] * 2


def test_d3_new_files_deleted_ones_and_what_is_not_text(project: Make) -> None:
    p = repository(project, {"gone.md": "gone\n", "bytes": b"\0one", "run.sh": "run\n"})
    p.prompt()
    p.bash("rm gone.md; printf '\\0two' > bytes; chmod +x run.sh; echo new > new.md; mv sub/c.md moved.md")
    kinds = {hunk["path"]: hunk["kind"] for hunk in p.hunks()}
    assert sorted(kinds.values()) == ["binary", "create", "delete", "mode", "rename"]
    p.git("add", "new.md", "gone.md", "bytes")
    p.git("commit", "-qm", "three of them")
    found = {hunk["path"] for hunk in p.hunks() if hunk["committed"]}
    assert found == {"new.md", "gone.md", "bytes"}
    p.git("add", "-A")
    p.git("commit", "-qm", "the others")
    assert {hunk["path"] for hunk in p.hunks() if hunk["committed"] == head(p)} == {"run.sh", "moved.md"}


def test_d3_with_on_commit_it_is_accepted_by_the_commit_and_by_nobody(p: Project) -> None:
    p.put(CONFIG, 'on_commit = "accept"\n')
    p.hunks()
    p.git("commit", "-qam", "mine")
    assert p.hunks() == []
    (entry,) = [entry for entry in p.log() if entry["kind"] == "decision"]
    assert (entry["verdict"], entry["by"], entry["commit"]) == ("accept", "", head(p))
    assert f"Commit:  {head(p)[:10]}\n" in p.command("log").stdout
    assert f"commit {head(p)[:10]}" in p.command("show", entry["id"]).stdout
    assert "commit-decided" in [reason["code"] for reason in p.status()["gate"]["reasons"]]
    p.undo(entry["id"])
    assert [new for new, _ in committed(p)] == ["THREE\n", "TWELVE\n"]
    assert p.hunks() != []  # and another look does not accept it once more
    p.accept()
    assert "commit-decided" not in [reason["code"] for reason in p.status()["gate"]["reasons"]]


def test_d3_what_an_agent_writes_into_the_config_accepts_nothing(p: Project) -> None:
    p.bash(f"""mkdir -p .blueline && echo 'on_commit = "accept"' > {CONFIG}""")
    p.git("add", "-A")
    p.git("commit", "-qm", "all of it")
    assert len(p.hunks()) == 3


def test_d3_a_config_that_says_something_else_is_told_of(p: Project) -> None:
    p.put(CONFIG, 'on_commit = "reject"\n')
    p.git("commit", "-qam", "mine")
    assert len(p.hunks()) == 2
    assert p.warnings == [f'{CONFIG} was not taken up: on_commit can only be "accept"']


def test_d3_the_index_made_anew_knows_it(p: Project) -> None:
    p.git("commit", "-qam", "mine")
    before = committed(p)
    p.index.unlink()
    assert committed(p) == before
