"""Git's own hooks, beside those that are there: before a commit, a merge and a push they ask the gate."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk import Desk
from blueline.desk.gate.fact_finder import GateQuestion
from blueline.desk.state_folder import NoProjectHere, find
from blueline.errors import BluelineError
from blueline.gate.git import Git
from blueline.gate.outgoing_commits import commits_before, merged, outgoing, pushed

if TYPE_CHECKING:
    from blueline.contract.setup import GitHookDocument

NAMES = ("pre-commit", "pre-merge-commit", "pre-push")
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
  [ -d {where}/.blueline ] || exit 0
  echo 'blueline: {name}: the gate cannot be asked: Blueline is not where it was' >&2
  exit 1
fi
printf '%s\\n' "$given" | exec {python} -I -m blueline -C {where} gate hook {name} "$@"
"""


def folder_of(git: Git) -> Path:
    """Where git looks for hooks: by `core.hooksPath`, or in the repository that all its worktrees share."""
    found = git.ask("rev-parse", "--path-format=absolute", "--git-path", "hooks")
    return Path(found)


def is_shared(git: Git) -> bool:
    """Whether other repositories may use the folder of the hooks, or other people get it with the project."""
    folder = os.path.realpath(folder_of(git))
    common = os.path.realpath(git.ask("rev-parse", "--path-format=absolute", "--git-common-dir"))
    if _is_within(folder, common):
        return False
    top = os.path.realpath(git.ask("rev-parse", "--show-toplevel"))
    # Some tools keep hooks in a folder of the project that git ignores.
    return (
        not _is_within(folder, top)
        or git.run("check-ignore", "--quiet", f"{folder}/{NAMES[0]}").returncode != 0
    )


def _is_within(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder.rstrip("/") + "/")


def script(name: str, where: str = ".") -> str:
    """A hook's text. Git starts it at the top of the work tree; `where` is the project in that."""
    words = {"python": shlex.quote(sys.executable), "where": shlex.quote(where)}
    return SCRIPT.format(mark=MARK, before=BEFORE, name=name, **words)


def is_asked(start: Path, environ: Mapping[str, str]) -> bool:
    """Whether a repository whose hook runs has a project in it. One around it is another repository's."""
    try:
        root = os.path.realpath(find(start, environ)[0])
    except NoProjectHere:
        return False
    # Git names the repository of a hook in the environment, which counts only for what it starts itself.
    done = Git(start, environ).run("rev-parse", "--show-toplevel")
    top = os.path.realpath(os.fsdecode(done.stdout).rstrip("\n"))
    return done.returncode != 0 or _is_within(root, top)


def install(root: Path, environ: Mapping[str, str], *, is_shared_wanted: bool) -> list[GitHookDocument]:
    """Install the hooks; what was there stays, and runs before ours."""
    git = Git(root, environ)
    folder = folder_of(git)
    where = "."
    if not is_shared(git):
        top = git.ask("rev-parse", "--show-toplevel")
        where = os.path.relpath(os.path.realpath(root), os.path.realpath(top))
    elif not is_shared_wanted:
        return [_left(folder, name) for name in NAMES]
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
        changed = not is_ours or place.read_text() != script(name, where)
        if changed:
            temporary = folder / f".{name}.blueline"
            temporary.write_text(script(name, where))
            temporary.chmod(0o755)
            os.replace(temporary, place)
        done.append({"name": name, "path": str(place), "changed": changed, "beside": before.exists()})
    return done


def _left(folder: Path, name: str) -> GitHookDocument:
    return {"name": name, "path": str(folder / name), "changed": False, "left": "shared"}


def uninstall(root: Path, environ: Mapping[str, str], *, is_shared_wanted: bool) -> list[GitHookDocument]:
    """Take the hooks out, and put back what was there before."""
    git = Git(root, environ)
    folder = folder_of(git)
    if is_shared(git) and not is_shared_wanted:
        return [_left(folder, name) for name in NAMES if _is_ours(folder / name)]
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


def questions(name: str, given: str, desk: Desk, environ: Mapping[str, str]) -> Iterator[GateQuestion]:
    """What a hook asks the gate; `given` is what git told it. What others have already is not asked about."""
    git, known = Git(desk.root, environ), commits_before(desk.state)
    if name == "pre-push":
        for one in pushed(given, environ):
            # The last of them is what others will see as a whole, and is asked about as that.
            for commit in outgoing(git, [one.commit], [one.there, *known])[:-1]:
                yield GateQuestion(commit=commit, is_between=True)
            yield GateQuestion(commit=one.commit)
        return
    others = merged(git, environ)
    for commit in outgoing(git, others, ["HEAD", *known]) if others else ():
        yield GateQuestion(commit=commit, is_between=True)
    yield GateQuestion(is_staged=True, index_file=environ.get("GIT_INDEX_FILE", ""), merged=others)


def is_ours(folder: Path) -> bool:
    """Whether a hook of ours is there."""
    return any(_is_ours(folder / name) for name in NAMES)


def _is_ours(place: Path) -> bool:
    try:
        return MARK in place.read_text(errors="replace")
    except OSError:
        return False
