"""Git's own hooks, beside those that are there: before a commit and before a push they ask the gate."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.errors import BluelineError
from blueline.gate.git import Git

if TYPE_CHECKING:
    from blueline.contract.setup import GitHookDocument

NAMES = ("pre-commit", "pre-push")
MARK = "# blueline: asks the gate; `blueline init --uninstall` takes it out"
BEFORE = ".before-blueline"
"""What was there before has this behind its name, and still runs, first."""

SCRIPT = """\
#!/bin/sh
{mark}
given=$(cat)
before="$0{before}"
if [ -x "$before" ]; then
  printf '%s\\n' "$given" | "$before" "$@" || exit $?
fi
if [ ! -x {python} ]; then
  echo 'blueline: {name}: the gate cannot be asked: Blueline is not where it was' >&2
  exit 1
fi
printf '%s\\n' "$given" | exec {python} -I -m blueline gate hook {name} "$@"
"""


def folder_of(git: Git) -> Path:
    """Where git looks for hooks: by `core.hooksPath`, or in the repository that all its worktrees share."""
    found = git.ask("rev-parse", "--path-format=absolute", "--git-path", "hooks")
    return Path(found)


def script(name: str) -> str:
    return SCRIPT.format(mark=MARK, before=BEFORE, python=shlex.quote(sys.executable), name=name)


def install(root: Path, environ: Mapping[str, str]) -> list[GitHookDocument]:
    """Install the hooks; what was there stays, and runs before ours."""
    folder = folder_of(Git(root, environ))
    folder.mkdir(parents=True, exist_ok=True)
    done: list[GitHookDocument] = []
    for name in NAMES:
        place, before = folder / name, folder / (name + BEFORE)
        is_ours = _is_ours(place)
        if place.exists() and not is_ours:
            if before.exists():
                raise BluelineError(
                    f"{place} and {before} are both there, and neither is ours",
                    hint="remove or rename the second one",
                )
            os.rename(place, before)
        changed = not is_ours or place.read_text() != script(name)
        if changed:
            temporary = folder / f".{name}.blueline"
            temporary.write_text(script(name))
            temporary.chmod(0o755)
            os.replace(temporary, place)
        done.append({"name": name, "path": str(place), "changed": changed, "beside": before.exists()})
    return done


def uninstall(root: Path, environ: Mapping[str, str]) -> list[GitHookDocument]:
    """Take the hooks out, and put back what was there before."""
    folder = folder_of(Git(root, environ))
    done: list[GitHookDocument] = []
    for name in NAMES:
        place, before = folder / name, folder / (name + BEFORE)
        if not _is_ours(place):
            continue
        if before.exists():
            os.replace(before, place)
        else:
            place.unlink()
        done.append({"name": name, "path": str(place), "changed": True})
    return done


def _is_ours(place: Path) -> bool:
    try:
        return MARK in place.read_text(errors="replace")
    except OSError:
        return False


def pushed(given: str, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is about to be pushed, by what git or the pre-commit framework says: ref and commit."""
    if "PRE_COMMIT_TO_REF" in environ:
        yield environ.get("PRE_COMMIT_REMOTE_BRANCH", ""), environ["PRE_COMMIT_TO_REF"]
        return
    for line in given.splitlines():
        words = line.split()
        if len(words) != 4:
            continue
        _, commit, ref, _ = words
        # A deletion brings nothing; statements of the gate are no files.
        if set(commit) != {"0"} and not ref.startswith("refs/blueline/"):
            yield ref, commit
