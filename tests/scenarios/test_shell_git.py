"""What git does to files, for the agent or the person: branches, stashes, commits, cleaning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.asking import answering
from tests.support.branches import pending, repository
from tests.support.orders import reject_one_by_one
from tests.support.project import POEM, Make, Project

THREE = POEM.replace("line 3\n", "THREE\n")
NINE = POEM.replace("line 9\n", "NINE\n")


@pytest.fixture(autouse=True)
def asked_here() -> Iterator[None]:
    with answering():
        yield


# Away and back


def work(p: Project) -> None:
    """The agent changes all kinds of things on a branch of its own, and commits them."""
    p.prompt()
    p.bash("git checkout -qb work")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.bash("sed -i 's/line 9$/NINE/' a.md; echo new > new.md; rm b.md; chmod +x sub/c.md; printf '\\0' > bin")
    p.bash("mkdir -p deep/er && echo deep > deep/er/d.md && ln -s a.md link")
    p.bash("git add -A && git commit -qm work")


@pytest.mark.parametrize(
    "commands",
    [
        ("git checkout -q main", "git checkout -q work"),
        ("git checkout -q main && git checkout -q work",),
        ("git checkout -q other", "git checkout -q main", "git checkout -q work"),
        ("git switch -q --detach main", "git switch -q work"),
        ("git stash -q; git checkout -q other", "git checkout -q work"),
        ("git branch keep && git reset -q --hard main", "git reset -q --hard keep"),
    ],
    ids=lambda commands: " | ".join(commands),
)
@pytest.mark.parametrize("who", ["agent", "agent, later turn", "person", "person, unseen"])
def test_z29_a_branch_switched_away_and_back_brings_the_pending_back_as_it_was(
    project: Make, commands: tuple[str, ...], who: str
) -> None:
    p = repository(project)
    before = p.on_disk()
    work(p)
    known, after = pending(p), p.on_disk()
    assert known
    if "later" in who:
        p.stop()
        p.prompt("again")
    for command in commands:
        if "agent" in who:
            p.bash(command)
        else:
            p.shell(command)
        if who == "person":
            p.hunks()
    assert p.on_disk() == after
    assert pending(p) == known
    reject_one_by_one(p, 1)
    assert p.on_disk() == before


@pytest.mark.parametrize("who", ["agent", "person"])
def test_z29_away_from_the_branch_nothing_of_it_is_asked_and_nothing_of_git_is_pending(
    project: Make, who: str
) -> None:
    p = repository(project)
    work(p)
    known, after = pending(p), p.on_disk()
    switch = p.bash if who == "agent" else p.shell
    switch("git checkout -q other")
    there = p.on_disk()
    # A file that was deleted there and is another one here may still be asked about; nothing new is.
    assert {hunk["id"] for hunk in p.hunks()} <= {hunk["id"] for hunk in known if hunk["path"] == "b.md"}
    # What comes now belongs to the other branch, and is decided there.
    p.bash("echo more >> only.md")
    (hunk,) = p.hunks("only.md")
    assert hunk["new"] == "more\n"
    p.reject(hunk["id"])
    assert p.on_disk() == there
    switch("git checkout -q work")
    assert p.on_disk() == after
    assert pending(p) == known


@pytest.mark.parametrize("who", ["agent", "person"])
def test_z29_what_was_decided_stays_decided_over_there_and_back(project: Make, who: str) -> None:
    p = repository(project)
    work(p)
    hunks = {(hunk["path"], hunk["kind"]): hunk["id"] for hunk in p.hunks()}
    p.accept(hunks["new.md", "create"])
    p.reject(hunks["b.md", "delete"])
    p.git("add", "-A")
    p.git("commit", "-qm", "decided")
    known, after = pending(p), p.on_disk()
    for branch in ("main", "work"):
        (p.bash if who == "agent" else p.shell)(f"git checkout -q {branch}")
    assert p.on_disk() == after
    assert pending(p) == known


@pytest.mark.parametrize("who", ["agent", "person", "person, unseen"])
@pytest.mark.parametrize("edit", [True, False], ids=["and edited", "only renamed"])
def test_z29_a_rename_is_followed_away_and_back(project: Make, who: str, edit: bool) -> None:
    p = repository(project)
    before = p.on_disk()
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.bash("git checkout -qb work && mkdir new && mv sub/c.md a.md new/ && rmdir sub")
    if edit:
        p.bash("sed -i 's/line 9$/NINE/' new/a.md; chmod +x new/c.md")
    p.bash("git add -A && git commit -qm work")
    known, after = pending(p), p.on_disk()
    # From a branch without the file at all, an agent's way back is asked about as its work once more.
    for branch in ("main", "work") if who == "agent" else ("main", "work", "other", "work"):
        (p.bash if who == "agent" else p.shell)(f"git checkout -q {branch}")
        if who == "person":
            p.hunks()
    assert p.on_disk() == after
    assert pending(p) == known
    reject_one_by_one(p, 1)
    assert p.on_disk() == before


def test_z29_a_move_is_told_with_both_commits(project: Make) -> None:
    p = repository(project)
    p.prompt()
    p.bash("git checkout -q other")
    told = p.calls()[-1]["about"]["git"]
    assert (told["from_branch"], told["to_branch"], told["files"]) == ("main", "other", 3)
    assert told["from"] == p.git("rev-parse", "main").strip()
    assert told["to"] == p.git("rev-parse", "other").strip()
    assert p.hunks(status="all") == []


def test_z29_an_edit_made_together_with_a_move_is_the_agents(project: Make) -> None:
    p = repository(project)
    p.prompt()
    p.bash("git checkout -q other && sed -i 's/line 3$/THREE/' a.md && echo mine > new.md")
    assert [(hunk["kind"], hunk["path"]) for hunk in p.hunks()] == [("modify", "a.md"), ("create", "new.md")]
    p.reject()
    assert (p.text("a.md"), p.exists("new.md"), p.text("b.md")) == (POEM, False, "b of other\n")


def test_z29_a_fast_forward_to_what_others_made_is_nobodys_edit(project: Make, tmp_path: Path) -> None:
    p = repository(project)
    p.shell(f"git clone -q . {tmp_path}/clone && git remote add origin {tmp_path}/clone")
    theirs = "cd ../clone && git checkout -q main && echo theirs >> a.md && git commit -qam theirs"
    p.shell(theirs.replace("../clone", str(tmp_path / "clone")))
    p.prompt()
    p.edit("b.md", "b", "B")
    p.bash("git fetch -q origin && git merge -q --ff-only origin/main")
    assert p.text("a.md") == POEM + "theirs\n"
    assert [hunk["path"] for hunk in p.hunks()] == ["b.md"]
    p.reject()
    assert (p.text("a.md"), p.text("b.md")) == (POEM + "theirs\n", "b\n")


# Commits


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/line 3$/THREE/' a.md && git commit -qam one",
        "git checkout -qb work && sed -i 's/line 3$/THREE/' a.md && git commit -qam one",
        "sed -i 's/line 3$/THREE/' a.md && git commit -qam one && git tag v1 && git branch keep",
        "sed -i 's/line 3$/THREE/' a.md && git add -A && git commit -q --amend --no-edit",
        "sed -i 's/line 3$/THREE/' a.md && git stash -q && git stash pop -q",
        "git checkout -q --detach && sed -i 's/line 3$/THREE/' a.md && git commit -qam x && git branch y",
        "sed -i 's/line 3$/THREE/' a.md && git commit -qam x && git reset -q HEAD~1",
        "sed -i 's/line 3$/THREE/' a.md && git commit -qam x && git push -q --set-upstream origin main",
        "sed -i 's/line 3$/THREE/' a.md && git commit -qam x && git push -q origin main && git fetch -q",
    ],
)
def test_z29_an_edit_committed_by_the_same_command_stays_reviewable(project: Make, command: str) -> None:
    p = repository(project)
    p.shell(
        "git init -q --bare ../remote.git && git remote add origin ../remote.git && git push -q origin main"
    )
    p.prompt()
    p.bash(command)
    (hunk,) = p.hunks()
    assert (hunk["path"], hunk["old"], hunk["new"]) == ("a.md", "line 3\n", "THREE\n")
    where = p.git("rev-parse", "HEAD")
    p.reject()
    # Z30: no decision moves a branch.
    assert (p.text("a.md"), p.git("rev-parse", "HEAD")) == (POEM, where)


@pytest.mark.parametrize(
    "command",
    [
        "git cherry-pick other",
        "git checkout -q other -- b.md only.md && git rm -q sub/c.md && git commit -qm taken",
        "git diff other~1 other | git apply --index && git commit -qm applied",
    ],
)
def test_z29_a_commit_that_is_made_now_is_reviewed_whatever_made_it(project: Make, command: str) -> None:
    p = repository(project)
    p.put("a.md", NINE)
    p.git("commit", "-qam", "nine")
    before = p.on_disk()
    p.prompt()
    p.bash(command)
    assert {(hunk["kind"], hunk["path"]) for hunk in p.hunks()} == {
        ("modify", "b.md"),
        ("create", "only.md"),
        ("delete", "sub/c.md"),
    }
    p.reject()
    assert p.on_disk() == before


@pytest.mark.parametrize("command", ["git merge -q --no-edit other", "git rebase -q other"])
def test_z29_what_a_merge_takes_as_it_is_from_a_branch_that_was_there_is_nobodys_edit(
    project: Make, command: str
) -> None:
    p = repository(project)
    p.put("a.md", NINE)
    p.git("commit", "-qam", "nine")
    p.prompt()
    p.bash(command)
    assert p.hunks() == []
    p.bash(f"git reset -q --hard ORIG_HEAD; {command}; echo more >> b.md; git commit -qam more")
    assert {(hunk["kind"], hunk["path"]) for hunk in p.hunks()} == {("modify", "b.md")}


# Losing what is not committed


@pytest.mark.parametrize(
    "command",
    ["git checkout -q .", "git restore .", "git reset -q --hard", "git stash -q", "git checkout -qf other"],
)
def test_what_a_person_had_not_committed_comes_back(project: Make, command: str) -> None:
    p = repository(project)
    p.put("a.md", NINE)
    p.put("b.md", "b by hand\n")
    p.prompt()
    p.bash(command)
    assert p.text("a.md") == POEM
    assert {"a.md", "b.md"} <= {hunk["path"] for hunk in p.hunks()}
    p.reject("a.md", "b.md")
    assert (p.text("a.md"), p.text("b.md")) == (NINE, "b by hand\n")


@pytest.mark.parametrize(
    "command", ["git checkout -q .", "git reset -q --hard", "git stash -q", "git checkout -qf other"]
)
def test_what_a_person_typed_into_a_file_under_review_comes_back(project: Make, command: str) -> None:
    p = repository(project)
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.sub("a.md", "line 9\n", "by hand\n")
    p.hunks()
    p.bash(command)
    assert p.text("a.md") == POEM
    p.reject()
    assert p.text("a.md") == POEM.replace("line 9\n", "by hand\n")


def test_a_stash_takes_the_pending_away_and_brings_it_back(project: Make) -> None:
    p = repository(project)
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.bash("echo more >> b.md; echo new > new.md")
    known, after = pending(p), p.on_disk()
    for stash, pop in (("git stash -qu", "git stash pop -q"), ("git stash -qu; git checkout -q other", "")):
        p.bash(stash)
        assert not p.exists("new.md")
        p.bash(pop or "git checkout -q main && git stash pop -q")
        assert p.on_disk() == after
        assert pending(p) == known
    p.reject()
    assert (p.text("a.md"), p.text("b.md"), p.exists("new.md")) == (POEM, "b\n", False)


@pytest.mark.parametrize("seed", range(3))
def test_z25_what_git_clean_removed_comes_back(project: Make, seed: int) -> None:
    p = repository(project, {".gitignore": ".env\nlogs/\n*.key\n"})
    p.put(".env", "TOKEN=abc\n").chmod(0o600)
    p.put("logs/deep/a.log", "log\n")
    p.put("my.key", b"\0key")
    p.put("untracked/notes.md", "notes\n")
    (p.root / "hollow").mkdir()
    (p.root / "untracked/link").symlink_to("notes.md")
    before = p.on_disk()
    p.prompt()
    p.bash("git clean -fdxq")
    assert not p.exists(".env")
    assert not p.exists("hollow")
    reject_one_by_one(p, seed)
    assert p.on_disk() == before


def test_z25_cleaning_a_project_whose_settings_nobody_committed(project: Make) -> None:
    p = project({"a.md": POEM, ".gitignore": ".blueline\n.env\n", ".env": "TOKEN=abc\n"})
    p.git("init", "-q")
    p.git("add", "-A")
    p.git("commit", "-qm", "start")
    p.prompt()
    call = p.call("Bash", "a.md")._replace(given={"command": "git clean -fdxq"})
    assert p.hook(p.before(call)) == (0, b"", b"")
    p.shell("git clean -fdxq")
    assert p.hook(p.after(call)) == (0, b"", b"")
    if not p.exists(".blueline"):
        p.command("init")
    assert ".env" in {hunk["path"] for hunk in p.hunks()}
    p.reject(".env")
    assert p.text(".env") == "TOKEN=abc\n"
