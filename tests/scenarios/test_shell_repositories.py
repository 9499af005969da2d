"""Where the bytes from before come from, and repositories of every kind: none of them has to be well."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.support.branches import pending, repository
from tests.support.project import POEM, Make, Project
from tests.support.systems import CANNOT

# The bytes from before


def test_z16_a_file_that_git_has_with_other_line_ends(project: Make) -> None:
    p = project({".gitattributes": "* text=auto\n", "crlf.txt": b"one\r\ntwo\r\n", "lf.txt": b"one\ntwo\n"})
    p.git("init", "-q")
    p.git("add", "-A")
    p.git("commit", "-qm", "start")
    assert p.git("status", "--porcelain") == ""
    before = p.on_disk()
    p.prompt()
    p.bash("echo more >> crlf.txt; rm lf.txt")
    p.reject()
    assert p.on_disk() == before


FILTERS = {
    "in the tree": ".gitattributes",
    "below": "sub/.gitattributes",
    "in the repository": ".git/info/attributes",
    "of the person": "../home/config/git/attributes",
}


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "untracked"])
@pytest.mark.parametrize("where", FILTERS.values(), ids=FILTERS)
def test_z16_a_file_that_git_has_with_other_bytes_of_the_same_length(
    project: Make, where: str, tracked: bool
) -> None:
    p = project({"sub/a.txt": "attack at dawn\n", "b.md": "b\n"})
    p.git("init", "-q")
    p.git("config", "filter.turn.clean", "tr a-z n-za-m")
    p.git("config", "filter.turn.smudge", "tr a-z n-za-m")
    p.put(where, "*.txt filter=turn\n")
    p.git("add", "sub/a.txt", "b.md")
    if tracked and not where.startswith((".git/", "../")):
        p.git("add", where)
    p.git("commit", "-qm", "start")
    assert "dawn" not in p.git("show", "HEAD:sub/a.txt")
    before = p.on_disk()
    p.prompt()
    p.bash("echo at noon > sub/a.txt")
    p.reject()
    assert p.on_disk() == before


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_z32_a_file_that_git_was_told_not_to_look_at(project: Make, flag: str) -> None:
    p = repository(project)
    p.git("update-index", flag, "b.md")
    p.put("b.md", "B\n")
    p.prompt()
    p.bash("echo more >> b.md")
    p.reject()
    assert p.text("b.md") == "B\n"


def test_z32_a_file_that_changed_in_the_same_moment_as_it_was_added(project: Make) -> None:
    p = project({f"f{number}.md": "1\n" for number in range(40)})
    p.git("init", "-q")
    p.git("add", "-A")
    for number in range(40):
        p.put(f"f{number}.md", "2\n")
    p.prompt()
    p.bash("for n in $(seq 0 39); do echo 3 > f$n.md; done")
    p.reject()
    assert {p.text(f"f{number}.md") for number in range(40)} == {"2\n"}


@pytest.mark.parametrize("damage", ["garbage", "empty", "lock", "missing", "cut"])
def test_z32_an_index_of_git_that_is_damaged_or_locked(project: Make, damage: str) -> None:
    p = repository(project)
    index = p.root / ".git/index"
    match damage:
        case "garbage":
            index.write_bytes(b"DIRC\0\0\0\2 and no more of it")
        case "empty":
            index.write_bytes(b"")
        case "lock":
            (p.root / ".git/index.lock").write_bytes(b"")
        case "missing":
            index.unlink()
        case _:
            index.write_bytes(index.read_bytes()[:100])
    held = index.read_bytes() if index.exists() else None
    p.prompt()
    p.bash("echo more >> a.md; rm b.md")
    assert {hunk["path"] for hunk in p.hunks()} == {"a.md", "b.md"}
    assert (index.read_bytes() if index.exists() else None) == held
    p.reject()
    assert (p.text("a.md"), p.text("b.md")) == (POEM, "b\n")


INDEXES = {
    "second version": "git update-index --index-version 2",
    "fourth version": "git update-index --index-version 4",
    "split": "git update-index --split-index",
    "untracked cache": "git update-index --untracked-cache",
    "sparse": "git sparse-checkout init --cone --sparse-index && git sparse-checkout set sub",
    "not looked at": "git config core.ignoreStat true && git config core.trustctime false",
    "without modes": "git config core.fileMode false && chmod +x b.md",
    "packed": "git gc -q && git pack-refs --all",
}


@pytest.mark.parametrize("command", INDEXES.values(), ids=INDEXES)
def test_z32_whatever_kind_of_index_git_keeps(project: Make, command: str) -> None:
    p = repository(project)
    p.shell(command)
    before = p.on_disk()
    p.prompt()
    p.bash("echo more >> a.md; rm b.md; chmod 600 sub/c.md; mkdir node_modules; touch node_modules/x")
    assert {hunk["path"] for hunk in p.hunks()} == {"a.md", "b.md", "sub/c.md"}
    assert all(hunk["complete"] for hunk in p.hunks())
    shutil.rmtree(p.root / "node_modules")
    p.reject()
    assert p.on_disk() == before


def _git_version(p: Project) -> tuple[int, ...]:
    return tuple(int(part) for part in p.git("--version").split()[2].split(".")[:2])


@pytest.mark.parametrize("option", ["--object-format=sha256", "--ref-format=reftable"])
def test_x10_a_repository_of_a_newer_kind(project: Make, option: str) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    if option.endswith("reftable") and _git_version(p) < (2, 45):
        pytest.skip(f"{CANNOT}this git is older than {option}")
    p.git("init", "-q", "-b", "main", option)
    p.shell("git add -A && git commit -qm start && git branch other")
    before = p.on_disk()
    p.prompt()
    p.bash("sed -i 's/line 3$/THREE/' a.md && rm b.md && git commit -qam work")
    assert {hunk["path"] for hunk in p.hunks()} == {"a.md", "b.md"}
    p.bash("git checkout -q other")
    p.bash("git checkout -q main")
    p.reject()
    assert p.on_disk() == before


def test_z31_bytes_that_git_has_lost_are_not_made_up(project: Make) -> None:
    p = repository(project)
    p.prompt()
    p.bash("ls")
    shutil.rmtree(p.root / ".git/objects")
    p.bash("rm -rf .git; echo more >> a.md; echo new > new.md")
    (lost,) = p.hunks("a.md")
    assert lost["complete"] is False
    assert "incomplete" in p.gate() or "undecided" in p.gate()
    assert p.asked("reject", "a.md")
    p.reject("new.md")
    assert not p.exists("new.md")


def test_z31_a_repository_that_the_command_itself_removed(project: Make) -> None:
    p = repository(project)
    before = p.on_disk()
    p.prompt()
    p.bash("rm -rf .git && echo more >> a.md")
    (hunk,) = p.hunks()
    if hunk["complete"]:
        p.reject()
        assert p.on_disk() == before
    else:
        assert p.asked("reject", "a.md")


# Other kinds of repositories


def test_x10_without_git_everything_is_the_same(project: Make) -> None:
    p = project({"a.md": POEM, "build/x": "x\n", ".env": "1\n"})
    before = p.on_disk()
    p.prompt()
    p.bash("echo more >> a.md; rm .env build/x; mkdir new")
    assert len(p.hunks()) == 4
    p.reject()
    assert p.on_disk() == before


def test_x10_a_repository_without_a_commit(project: Make) -> None:
    p = project({"a.md": POEM})
    p.git("init", "-q", "-b", "main")
    p.prompt()
    p.bash("echo more >> a.md; git add -A; git commit -qm first")
    assert [hunk["path"] for hunk in p.hunks()] == ["a.md"]
    p.bash("git checkout -q --orphan empty; git rm -rfq .")
    p.bash("git checkout -qf main")
    assert [hunk["path"] for hunk in p.hunks()] == ["a.md"]
    p.reject()
    assert p.text("a.md") == POEM


def test_x10_a_project_that_is_a_part_of_a_repository(project: Make) -> None:
    p = project({"a.md": POEM})
    p.shell(
        "cd .. && git init -q -b main && echo o > outer.md && git add project outer.md && git commit -qm s"
    )
    p.shell(
        "cd .. && git checkout -qb other && echo other > project/b.md && git add project && git commit -qm o"
    )
    p.shell("cd .. && git checkout -q main")
    before = p.on_disk()
    p.prompt()
    p.bash("echo more >> a.md; echo x >> ../outer.md")
    assert [hunk["path"] for hunk in p.hunks()] == ["a.md"]
    p.bash("cd .. && git commit -qam work && git checkout -q other")
    assert p.hunks() == []
    p.bash("git checkout -q main")
    assert [hunk["path"] for hunk in p.hunks()] == ["a.md"]
    p.reject()
    assert p.on_disk() == before


def test_x10_a_work_tree_of_another_repository(project: Make, tmp_path: Path) -> None:
    first = tmp_path / "first"
    first.mkdir()
    p = project({})
    p.shell(
        f"cd {first} && git init -q -b main && printf '%s' 'a' > a.md && git add -A && git commit -qm start"
    )
    p.shell(f"git -C {first} worktree add -qf --detach wt && mv {first}/wt/.git {first}/wt/a.md .")
    p.shell(f"git -C {first} worktree repair {p.root} && git checkout -q -b work")
    p.prompt()
    p.bash("echo bc > a.md && git commit -qam work")
    known = pending(p)
    p.bash("git checkout -q --detach main")
    assert (p.read("a.md"), p.hunks()) == (b"a", [])
    p.bash("git checkout -q work")
    assert pending(p) == known
    p.reject()
    assert p.read("a.md") == b"a"


def test_x10_a_shallow_clone(project: Make) -> None:
    first = repository(project)
    first.put("a.md", POEM + "newer\n")
    first.git("commit", "-qam", "newer")
    p = project()
    p.shell(f"git clone -q --depth 1 --no-single-branch file://{first.root} ../clone && mv ../clone/.git .")
    p.git("reset", "-q", "--hard")
    before = p.on_disk()
    p.prompt()
    p.bash("git checkout -qb work && sed -i 's/line 3$/THREE/' a.md && rm b.md && git commit -qam work")
    known = pending(p)
    assert {hunk["path"] for hunk in known} == {"a.md", "b.md"}
    p.bash("git checkout -q origin/other")
    p.bash("git checkout -q work")
    assert pending(p) == known
    p.reject()
    assert p.on_disk() == before


@pytest.mark.parametrize("kind", ["submodule", "nested", "nested, no commit", "bare inside"])
def test_z27_z28_repositories_inside(project: Make, tmp_path: Path, kind: str) -> None:
    p = project({"a.md": POEM})
    p.git("init", "-q")
    p.git("add", "-A")
    p.git("commit", "-qm", "start")
    if kind == "submodule":
        p.shell(f"git init -q {tmp_path}/lib && cd {tmp_path}/lib && echo l > lib.md && git add -A")
        p.shell(f"git -C {tmp_path}/lib commit -qm l")
        p.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", f"{tmp_path}/lib", "inner")
        p.git("commit", "-qm", "with submodule")
    elif kind == "bare inside":
        p.shell("git init -q --bare inner && echo l > inner/lib.md")
    else:
        p.shell("git init -q inner && echo l > inner/lib.md")
        if kind == "nested":
            p.shell("cd inner && git add -A && git commit -qm l")
    before = p.on_disk()
    p.prompt()
    p.bash("echo more >> inner/lib.md; echo new > inner/new.md; echo more >> a.md")
    assert {hunk["path"] for hunk in p.hunks()} == {"a.md", "inner/lib.md", "inner/new.md"}
    if kind == "nested":
        p.bash("cd inner && git add -A && git commit -qm more && git checkout -q HEAD~1")
        p.bash("cd inner && git checkout -q -")
        assert {hunk["path"] for hunk in p.hunks()} == {"a.md", "inner/lib.md", "inner/new.md"}
    p.reject()
    assert p.on_disk() == before
    p.bash("git init -q fresh; git init -q deep/fresh")
    p.reject()
    assert {path: held for path, held in p.on_disk().items() if path in before} == before


def test_qs4_a_git_folder_that_is_not_one(project: Make, tmp_path: Path) -> None:
    for number, said in enumerate((b"gitdir: /nowhere\n", b"nonsense", b"", b"gitdir: .\n", b"gitdir: \0\n")):
        p = project({"a.md": POEM, ".git": said, "x": str(number)})
        p.prompt()
        p.bash("echo more >> a.md")
        p.reject()
        assert p.text("a.md") == POEM
    p = project({"a.md": POEM})
    os.symlink(tmp_path, p.root / ".git")
    p.prompt()
    p.bash("echo more >> a.md")
    p.reject()
    assert p.text("a.md") == POEM
