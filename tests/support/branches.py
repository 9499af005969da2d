"""A project in git with two branches, and what is pending in it."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.project import POEM, Document, Make, Project


def repository(project: Make, files: Mapping[str, str | bytes] | None = None) -> Project:
    """A project in git, all of it committed on the branch `main`, with a branch `other` that differs."""
    p = project({"a.md": POEM, "b.md": "b\n", "sub/c.md": "c\n", **(files or {})})
    p.git("init", "-q", "-b", "main")
    p.git("add", "-A")
    p.git("commit", "-qm", "start")
    p.git("checkout", "-qb", "other")
    p.put("b.md", "b of other\n")
    p.put("only.md", "only in other\n")
    p.git("rm", "-q", "sub/c.md")
    p.git("add", "-A")
    p.git("commit", "-qm", "other")
    p.git("checkout", "-q", "main")
    return p


def pending(p: Project) -> list[Document]:
    """What is pending, but for numbers that git has no influence on."""
    keys = ("id", "kind", "path", "old", "new", "call", "turn", "actor", "status")
    return [{key: hunk[key] for key in keys} for hunk in p.hunks()]
