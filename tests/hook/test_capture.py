"""Looks at the tree by processes that run at once, die, or find something broken."""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from blueline.hook import capture, tree_scan
from blueline.journal.observation import Observation, sightings
from blueline.kernel import disk
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular
from blueline.model.tree_look import Sighting
from tests.support.hook_process import HookProject, command


def event(project: HookProject, name: str, key: str) -> bytes:
    about = {"tool_name": "Bash", "tool_input": {"command": "…"}, "tool_use_id": key}
    common = {"session_id": "s", "cwd": str(project.root), "hook_event_name": name}
    return json.dumps(common | about).encode()


def seen(project: HookProject, found: Observation) -> tuple[Sighting, ...]:
    """What an observation says has changed, wherever that is written."""
    assert found.tree is not None
    assert not found.tree.unknown, found.tree.unknown
    if found.changes_blob is None:
        return found.tree.sightings
    return sightings(project.blobs.get(found.changes_blob) or b"")


def on_disk(project: HookProject) -> dict[str, FileState]:
    """All that is there, but for the project's own settings."""
    found: dict[str, FileState] = {}
    for here, folders, names in os.walk(project.root):
        for name in names + [one for one in folders if os.path.islink(os.path.join(here, one))]:
            place = Path(here) / name
            path = str(place.relative_to(project.root))
            if place.is_symlink():
                found[path] = Link(target=os.readlink(place))
            else:
                content = place.read_bytes()
                mode, size = place.stat().st_mode & 0o7777, len(content)
                found[path] = Regular(mode=mode, size=size, blob=disk.blob_id(content))  # type: ignore[arg-type]
    return found


def told(project: HookProject, start: dict[str, FileState]) -> dict[str, FileState]:
    """What all looks together say is there; each goes on where the one before it stopped."""
    known = dict(start)
    for found in project.observations():
        if found.tree is None:
            continue
        for one in seen(project, found):
            if isinstance(one.before, Folder) or isinstance(one.after, Folder):
                continue
            before = known.get(one.path, Absent())
            assert one.before == before or isinstance(one.before, Absent) == isinstance(before, Absent), one
            if isinstance(one.before, Regular):
                assert one.before == before, one
            known.pop(one.path, None)
            if not isinstance(one.after, Absent | Other):
                known[one.path] = one.after
    return known


def test_bytes_that_several_files_hold_are_made_durable_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs = os.fsencode(tmp_path / "blobs")
    put, stored = disk.put_blob, []

    def noted(blobs: bytes, content: bytes) -> str:
        stored.append(content)
        return put(blobs, content)

    monkeypatch.setattr(disk, "put_blob", noted)
    many = capture.Many(blobs, one_by_one=2)
    held = [b"one\n", b"one\n", b"two\n", b"three\n", b"one\n", b"three\n"]
    assert [many.put(content) for content in held] == [disk.blob_id(content) for content in held]
    many.finish()
    assert stored == [b"one\n", b"two\n"]
    assert all(disk.is_stored(disk.blob_path(blobs, disk.blob_id(content))) for content in held)


def test_looks_at_once_tell_one_story(project: HookProject) -> None:
    for number in range(30):
        project.put(f"d{number % 4}/f{number}.md", f"{number}\n")
    project.record(event(project, "PreToolUse", "first"))
    start = on_disk(project)
    chance, running = random.Random(1), []
    for worker in range(3):
        folder = project.home / f"events{worker}"
        folder.mkdir()
        for number in range(8):
            name = "PreToolUse" if number % 2 == 0 else "PostToolUse"
            (folder / f"{number}").write_bytes(event(project, name, f"w{worker}-{number // 2}"))
        script = f"for n in 0 1 2 3 4 5 6 7; do {command()} < {folder}/$n || exit 1; done"
        running.append(subprocess.Popen(["sh", "-c", script], cwd=project.root, env=project.environment))
    number = 0
    while any(process.poll() is None for process in running):
        number += 1
        path = f"d{chance.randrange(5)}/f{chance.randrange(30)}.md"
        place = project.root / path
        match chance.randrange(4):
            case 0 if place.exists():
                place.unlink()
            case 1 if place.exists():
                place.replace(project.root / f"moved{number % 7}.md")
            case _:
                project.put(path, f"new {number}\n")
        time.sleep(0)
    assert [process.wait() for process in running] == [0, 0, 0]
    project.record(event(project, "PostToolUse", "first"))
    assert told(project, start) == on_disk(project)


SAVED = """
import posix, os
write = posix.rename
posix.rename = lambda a, b: os._exit(9) if os.path.basename(b).startswith(b"tree") else write(a, b)
"""


@pytest.mark.parametrize(
    "where", ["before the record", "after the record", "while it is saved", "while all of it is saved"]
)
def test_x01_a_hook_that_dies_in_the_middle_of_a_look(project: HookProject, where: str) -> None:
    project.put("a.md", "one\n")
    project.put("d/b.md", "b\n")
    project.record(event(project, "PreToolUse", "1"))
    project.put("a.md", "two\n")
    (project.root / "d/b.md").rename(project.root / "c.md")
    prelude = {
        "before the record": "import disk, os\ndisk.append = lambda *_: os._exit(9)",
        "after the record": "import capture, os\ncapture.Capture.save = lambda *_: os._exit(9)",
        "while it is saved": SAVED,
        "while all of it is saved": SAVED + "import tree_index\ntree_index.MOST_SINCE = -1",
    }[where]
    code, _, _ = project.run(event(project, "PostToolUse", "1"), prelude)
    assert code == 9
    last = project.record(event(project, "PreToolUse", "2"))
    assert {one.path for one in seen(project, last)} >= {"a.md", "c.md", "d/b.md"}
    project.put("a.md", "three\n")
    last = project.record(event(project, "PostToolUse", "2"))
    assert {one.path for one in seen(project, last)} == {"a.md"}


def test_many_changes_at_once_stand_in_a_blob(project: HookProject) -> None:
    project.record(event(project, "PreToolUse", "1"))
    for number in range(2000):
        project.put(f"made/by/a/script/number-{number}.md", f"{number}\n")
    last = project.record(event(project, "PostToolUse", "1"))
    assert last.changes_blob is not None
    found = seen(project, last)
    assert len(found) == 2000
    for one in found[::97]:
        assert isinstance(one.after, Regular)
        assert project.blobs.get(one.after.blob) == (project.root / one.path).read_bytes()
        assert one.before == Absent(missing_folder="made")


def test_a_tree_with_many_folders_is_looked_at_by_several_processes(project: HookProject) -> None:
    assert tree_scan.FEW_FOLDERS < 400
    for number in range(400):
        project.put(f"d{number}/f.md", f"{number}\n")
    project.record(event(project, "PreToolUse", "1"))
    start = on_disk(project)
    for number in range(0, 400, 13):
        project.put(f"d{number}/f.md", f"new {number}\n")
        project.put(f"d{number + 1}/g.md", "g\n")
    (project.root / "d399").rename(project.root / "d400")
    last = project.record(event(project, "PostToolUse", "1"))
    assert len(seen(project, last)) == 31 + 31 + 2
    assert told(project, start) == on_disk(project)


def test_a_state_folder_inside_the_project_is_not_looked_at(tmp_path: Path) -> None:
    project = HookProject(tmp_path / "project", tmp_path / "project")
    (project.root / ".blueline").mkdir(parents=True)
    project.put("a.md", "one\n")
    project.record(event(project, "PreToolUse", "1"))
    project.put("a.md", "two\n")
    last = project.record(event(project, "PostToolUse", "1"))
    assert {one.path for one in seen(project, last)} == {"a.md"}


def test_a_lock_that_nobody_gives_up_is_said(project: HookProject) -> None:
    project.put("a.md", "one\n")
    project.record(event(project, "PreToolUse", "1"))
    root, state = os.fsencode(project.root), os.fsencode(project.state)
    with capture.Capture(root, state):
        impatient = "import capture\ncapture.PATIENCE_NS = 0"
        last = project.record(event(project, "PostToolUse", "1"), impatient)
        assert last.tree is not None
        assert last.tree.unknown == "another look takes too long"
    project.put("a.md", "two\n")
    last = project.record(event(project, "PreToolUse", "2"))
    assert {one.path for one in seen(project, last)} == {"a.md"}


def test_nothing_of_the_tree_is_imported(project: HookProject) -> None:
    """Not by the hook, and not by the process it asks about git."""
    for name in ("sitecustomize", "usercustomize", "disk", "tree", "pygit2", "blueline", "json", "os"):
        project.put(f"{name}.py", f"open({str(project.root / 'OWNED')!r}, 'w')\n")
    subprocess.run(["git", "init", "-q"], cwd=project.root, env=project.environment, check=True)
    project.put(".gitignore", "build/\n")
    project.record(event(project, "PreToolUse", "1"))
    project.put("build/x", "x")
    project.record(event(project, "PostToolUse", "1"), PYTHONPATH=str(project.root))
    assert not (project.root / "OWNED").exists()
