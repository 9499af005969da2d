"""The first look at a tree, and other questions that need git: asked by a hook, answered by this process."""

import os
import posix
import stat
import sys
from pathlib import Path

from blueline.hook import capture, tree_index, tree_scan
from blueline.kernel import counting_rules, disk, refs, sight
from blueline.workspace.repository import ProjectRepository


def main(root: str, state: str, question: str) -> None:
    """Answer one question. Its lines come on standard input, the answers go to standard output."""
    lines = [line for line in sys.stdin.buffer.read().split(b"\0") if line]
    repository = ProjectRepository.of(Path(root))
    answers: list[bytes] = []
    match question:
        case "index":
            index(Path(root), Path(state), repository)
        case "copy":
            answers = [_copy(repository, name, Path(state)) for name in lines]
        case "ignored":
            answers = [_answer(repository is not None and repository.is_ignored(path)) for path in lines]
        case "tracked":
            answers = [_answer(repository is None or repository.is_tracked(path)) for path in lines]
        case _:
            sys.exit(2)
    sys.stdout.buffer.write(b"\0".join(answers))


def _answer(yes: bool) -> bytes:
    return b"yes" if yes else b"no"


def _copy(repository: ProjectRepository | None, name: bytes, state: Path) -> bytes:
    content = repository.content(name) if repository else None
    return b"" if content is None else disk.put_blob(os.fsencode(state) + b"/blobs", content).encode()


def first_look(root: Path, state: Path) -> int:
    """As `index`, for whoever does not hold the lock; 0 if the tree is known already."""
    with capture.Capture(os.fsencode(root.resolve()), os.fsencode(state)) as known:
        return 0 if known.knows_tree else index(root.resolve(), state, ProjectRepository.of(root))


def index(root: Path, state: Path, repository: ProjectRepository | None) -> int:
    """Look at a whole tree for the first time; how many files are in it.

    Of a file that git has byte for byte, nothing is stored: git's object is remembered, and copied when the
    file changes.
    """
    folder = os.fsencode(state)
    followed = counting_rules.read_rules(folder)
    objects = repository.objects() if repository else {}
    many = capture.Many(folder + b"/blobs", one_by_one=0)

    def known(path: bytes, found: posix.stat_result) -> bytes:
        name = objects.get(path)
        if name is None or not stat.S_ISREG(found.st_mode) or found.st_size > followed.largest:
            return b""
        # Git's word for it is not enough: filters, and files it was told not to look at, differ.
        try:
            content = sight.read_still(os.fsencode(root), path, found)
        except OSError:
            return b""
        if content is None or refs.git_name(content, len(name)) != name:
            return b""
        return b"git %o %d %s" % (stat.S_IMODE(found.st_mode), found.st_size, name)

    def is_counted(path: bytes, name: bytes) -> bool:
        if refs.is_work_tree(os.fsencode(root) + b"/" + path):
            return True  # a project of its own
        if name in followed.dependencies:
            return repository is None or not repository.is_tracked(path)
        return name in followed.builds and repository is not None and repository.is_ignored(path)

    found = tree_index.TreeIndex()
    look = tree_scan.TreeScan(
        os.fsencode(root), found, followed, many.put, is_counted, skipped=capture.state_home(folder)
    )
    look.run(known)
    many.finish()
    found.save(folder + b"/tree", folder + b"/blobs/tmp")
    return sum(len(tree_index.split(names)) for _, (_, names, _, _) in found.folders.items())
