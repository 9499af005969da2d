"""Which hunks are listed when somebody wants only some."""

from __future__ import annotations

from pathlib import Path

import pytest

from blueline.desk.hunk_filter import HunkWish
from blueline.desk.selectors import UnknownSelector
from tests.support.project import POEM, Project


@pytest.fixture
def p(tmp_path: Path) -> Project:
    made = Project(tmp_path, {"poem.txt": POEM, "src/a.py": "one\n", "src/b.py": "two\n"})
    made.prompt()
    made.edit("poem.txt", "line 5\n", "LINE 5\n")
    made.edit("src/a.py", "one", "ONE")
    made.stop()
    made.prompt()
    made.edit("src/b.py", "two", "TWO")
    made.edit("poem.txt", "line 9\n", "LINE 9\n")
    return made


def paths(p: Project, wish: HunkWish, status: str = "pending") -> list[str]:
    with p.desk() as desk:
        found = desk.list(status=status, wish=wish)["hunks"]
    return [f"{hunk['path']}:{hunk['new_start']}" for hunk in found]


def test_by_what_is_named(p: Project) -> None:
    assert paths(p, HunkWish(("src",))) == ["src/a.py:1", "src/b.py:1"]
    assert paths(p, HunkWish(("t2", "poem.txt:5"))) == ["poem.txt:5", "poem.txt:9", "src/b.py:1"]
    assert paths(p, HunkWish(("src",), turn="t1")) == ["src/a.py:1"]
    assert paths(p, HunkWish(("c1",))) == ["poem.txt:5"]
    with pytest.raises(UnknownSelector):
        paths(p, HunkWish(("nothing",)))


def test_by_agent_and_by_age(p: Project) -> None:
    assert len(paths(p, HunkWish(agent="claude-code"))) == 4
    assert paths(p, HunkWish(agent="codex")) == []
    times = sorted(hunk["at"] for hunk in p.hunks())
    assert len(paths(p, HunkWish(since=times[2]))) <= 4
    assert paths(p, HunkWish(since="9")) == []


def test_decided_ones_too(p: Project) -> None:
    p.accept("src/a.py")
    assert paths(p, HunkWish(("src",))) == ["src/b.py:1"]
    assert len(paths(p, HunkWish(("src/a.py",)), status="accepted")) == 1


def test_groups_have_only_what_is_wished_for(p: Project) -> None:
    with p.desk() as desk:
        (turn,) = desk.list(by="turn", wish=HunkWish(("src/a.py",)))["turns"]
        files = desk.list(by="file", wish=HunkWish(turn="t2"))["files"]
    assert (turn["id"], len(turn["hunks"])) == ("t1", 1)
    assert [(one["path"], len(one["hunks"])) for one in files] == [("poem.txt", 1), ("src/b.py", 1)]


def test_rule_b10_an_id_may_be_cut_as_long_as_it_means_one(p: Project) -> None:
    first = p.hunks()[0]["id"]
    start = next(
        first[:n]
        for n in range(2, 10)
        if not any(hunk["id"].startswith(first[:n]) for hunk in p.hunks() if hunk["id"] != first)
    )
    assert p.show(start)["id"] == first
    p.reject(start)
    assert first not in [hunk["id"] for hunk in p.hunks()]
    start = _shared(p)
    with pytest.raises(UnknownSelector, match="several hunks"), p.desk() as desk:
        desk.show(start)


def _shared(p: Project) -> str:
    """More changes, until two begin alike."""
    number = 0
    while True:
        names = [hunk["id"][:2] for hunk in p.hunks()]
        if twice := [name for name in names if names.count(name) > 1]:
            return str(twice[0])
        number += 1
        p.write(f"more{number}.py", "x\n")


def test_rule_b10_a_file_of_that_name_comes_before_the_beginning_of_an_id(p: Project) -> None:
    name = p.hunks()[0]["id"][:4]
    p.put(name, "mine\n")
    with p.desk() as desk:
        assert desk.list(wish=HunkWish((name,)))["hunks"] == []
