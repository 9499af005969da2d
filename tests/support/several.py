"""Several projects of one person, on one machine."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from blueline.desk import state_folder
from tests.support.project import Project


def beside(project: Project, base: Path, files: Mapping[str, str | bytes] | None = None) -> Project:
    """Another project of the same person, in a folder named as `base`."""
    made = Project(base, files)
    made.root = made.root.rename(base / base.name)
    shutil.move(made.state, project.state.parent)  # else it would be one whose records are lost (D7)
    made.home, made.environ = project.home, project.environ
    made.state = state_folder.create(made.root, made.environ)
    return made


def work_tree(project: Project, base: Path, branch: str) -> Project:
    """A work tree of a project's repository, which is a project of its own."""
    tree = base / "tree"
    project.git("worktree", "add", "-b", branch, str(tree))
    made = beside(project, base, {path.name: path.read_bytes() for path in tree.glob("*.txt")})
    shutil.move(tree / ".git", made.root / ".git")
    project.git("worktree", "repair", str(made.root))
    return made
