"""What Claude Code gets in a project: the commands /review and /ship, two agents and a skill.

They are files of the project, to be committed with it. Only what nobody else has written is written, and only
what is still as we wrote it is taken out.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blueline.kernel import disk
from blueline.kernel.plain_file import read_plain

if TYPE_CHECKING:
    from blueline.contract.setup import ProjectFileDocument

HERE = Path(__file__).parent / "files"
FOLDER = ".claude"
SKILL = f"{FOLDER}/skills/code-review"
STATE_LINK = f"{SKILL}/loop-state.json"
IGNORED = f"{SKILL}/.gitignore"
MEMORY = "installed-commands.json"


def files() -> dict[str, bytes]:
    """Path in a project, and content."""
    found = {
        f"{FOLDER}/{path.relative_to(HERE).as_posix()}": path.read_bytes()
        for path in sorted(HERE.rglob("*.md"))
    }
    # The state is this machine's own, and nothing to commit.
    return {**found, IGNORED: b"loop-state.json\n.gitignore\n"}


def install(root: Path, state: Path) -> list[ProjectFileDocument]:
    """Write what is missing, and what is ours and of an earlier version."""
    known = _known(state)
    done: list[ProjectFileDocument] = []
    for path, content in files().items():
        place = root / path
        before = _read(place)
        if before is None or (before != content and _digest(before) == known.get(path)):
            if not _is_inside(root, place):
                done.append({"path": path, "outcome": "left"})
                continue
            known["folders"] = [*known.get("folders", []), *_made(root, place.parent)]
            _write(place, content)
            known[path] = _digest(content)
            done.append({"path": path, "outcome": "written"})
        elif before == content:
            known.setdefault(path, _digest(content))
            done.append({"path": path, "outcome": "found"})
        else:
            done.append({"path": path, "outcome": "left"})
    link = root / STATE_LINK
    if not os.path.lexists(link) and link.parent.is_dir() and _is_inside(root, link):
        # Where the state is changes with no review; so no review ever changes the project's files.
        os.symlink(state / "loop-state.json", link)
    _remember(state, known)
    return done


def uninstall(root: Path, state: Path | None) -> list[ProjectFileDocument]:
    """Take out exactly what was written, where nobody has changed it since."""
    if state is None:
        return []
    known = _known(state)
    done: list[ProjectFileDocument] = []
    link = root / STATE_LINK
    if os.path.islink(link) and os.readlink(link) == str(state / "loop-state.json"):
        link.unlink()
    for path in [one for one in known if one != "folders"]:
        now = _read(root / path)
        if now is None:
            continue
        if _digest(now) == known[path]:
            (root / path).unlink()
            done.append({"path": path, "outcome": "removed"})
        else:
            done.append({"path": path, "outcome": "left"})
    for folder in reversed(known.get("folders", [])):
        try:
            (root / folder).rmdir()
        except OSError:
            continue  # somebody else has put something there
    (state / MEMORY).unlink(missing_ok=True)
    return done


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read(path: Path) -> bytes | None:
    """What is there; a link or a folder is somebody else's."""
    try:
        return read_plain(path, follow_links=False)
    except FileNotFoundError:
        return None
    except OSError:
        return b"\0"


def _is_inside(root: Path, place: Path) -> bool:
    return place.parent.resolve().is_relative_to(root.resolve())


def _made(root: Path, folder: Path) -> list[str]:
    """Make a folder, and say which had to be made, outermost first."""
    missing = [one for one in (folder, *folder.parents) if one.is_relative_to(root) and not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return [one.relative_to(root).as_posix() for one in reversed(missing)]


def _write(place: Path, content: bytes) -> None:
    temporary = place.with_name(f".{place.name}.blueline")
    temporary.write_bytes(content)
    os.replace(temporary, place)


def _known(state: Path) -> dict[str, Any]:
    try:
        found = json.loads((state / MEMORY).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(state: Path, known: dict[str, Any]) -> None:
    data = json.dumps(known).encode()
    disk.place(os.fsencode(state / MEMORY), data, os.fsencode(state / "blobs" / "tmp"))
