"""A small tree with a little of everything in it, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable

from tests.support.orders import reject_one_by_one
from tests.support.project import POEM, Document, Make, Project


def found(p: Project, *keys: str) -> list[tuple[object, ...]]:
    """Kind and path of what is pending, or other things of it."""
    return sorted(tuple(hunk[key] for key in keys or ("kind", "path")) for hunk in p.hunks())


def about(p: Project) -> Document:
    """What else is known of the last call."""
    known: Document = p.calls()[-1]["about"]
    return known


def check_back_and_forth(p: Project, before: dict[str, object], seeds: Iterable[int] = range(2)) -> None:
    """To reject gives what was there before, to undo that what the command left; to accept, nothing new."""
    after = p.on_disk()
    for seed in seeds:
        made = reject_one_by_one(p, seed)
        assert p.on_disk() == before
        for decision in reversed(made):
            p.undo(decision)
        assert p.on_disk() == after
    known = len(p.log("decision"))
    decision = str(p.reject()["decision"])
    assert (p.on_disk(), p.hunks()) == (before, [])
    assert len(p.log("decision")) == known + 1, "nobody else wrote, so nothing had to be planned again"
    p.undo(decision)
    assert p.on_disk() == after
    p.accept()
    assert (p.on_disk(), p.hunks()) == (after, [])


def small_tree(project: Make) -> Project:
    p = project(
        {
            "a.md": POEM,
            "run.sh": "#!/bin/sh\necho hi\n",
            "empty": "",
            "picture.bin": b"\0\xff\xfe" * 50,
            "sub/b.md": "one\ntwo\n",
            "sub/deep/c.md": "three\n",
            ".gitignore": ".env\nignored/\n",
            ".env": "SECRET=1\n",
        }
    )
    (p.root / "run.sh").chmod(0o750)
    (p.root / "link").symlink_to("a.md")
    (p.root / "hollow/inner").mkdir(parents=True)
    return p
