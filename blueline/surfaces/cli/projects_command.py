"""`blueline projects`: what is known on this machine, and forgetting one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from blueline.desk import known_projects
from blueline.desk.people import must_be_a_person
from blueline.errors import DONE
from blueline.surfaces.cli.phrases import hint, moment
from blueline.surfaces.cli.request import Request, UsageError, write
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from blueline.contract.projects import KnownProjectsDocument


def projects(request: Request) -> int:
    given = request.arguments
    forgotten = None
    if given.forget:
        must_be_a_person(os.environ, "forget a project")
        project = known_projects.named(given.forget, os.environ)
        if not given.yes and not _is_meant(request, project):
            return DONE
        known_projects.forget(project)
        forgotten = project.key
    document: KnownProjectsDocument = {
        "projects": [
            {"key": one.key, "root": one.root, "there": one.is_there, "bytes": one.size, "used": one.used}
            for one in known_projects.known(os.environ)
        ],
        "forgotten": forgotten,
    }
    return request.answer(document, listed)


def _is_meant(request: Request, project: known_projects.KnownProject) -> bool:
    if not request.is_conversation:
        raise UsageError(
            "this removes all that is stored about a project, and nobody is here to be asked",
            hint="say --yes if you mean it",
        )
    what = f"All that is stored about {safe(project.root)} ({project.size:,} bytes) goes for good."
    write(f"{what} Forget it? [y/N] ", sys.stderr)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    write("Nothing was removed.\n", sys.stderr)
    return False


def listed(document: KnownProjectsDocument, screen: Screen) -> Iterator[str]:
    """One line for each."""
    if document["forgotten"]:
        yield f"Forgot {safe(document['forgotten'])}."
    if not document["projects"]:
        yield "No project is known here."
        yield hint("blueline init, in a project", screen)
        return
    for one in document["projects"]:
        gone = "" if one["there"] else f"  {screen.paint('gone', 'warn')}"
        size = f"{one['bytes'] / 1_000_000:.1f} MB"
        yield f"{safe(one['key'])}  {moment(one['used'])}  {size:>9}  {safe(one['root'])}{gone}"
    yield hint("blueline projects --forget KEY removes what is stored about one", screen)
