"""The way of one `list`, one `reject` and one click through the package: `python -m tools.traces`.

Of each: how many functions are called, in how many modules, and how often the next one called is in another
folder. With `--way`, also the modules in the order in which they are first come to.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from unittest.mock import patch

import blueline
from blueline.desk import Desk
from blueline.surfaces.cli.main import main, open_desk
from blueline.surfaces.web.project import Project as Served
from tests.support.project import Project

PACKAGE = str(Path(blueline.__file__).parent) + "/"
START = {"list": 276, "list again": 19, "reject": 230, "click": 763}
"""Changes of folder at the start of the round, measured in the same way."""


class Trace:
    """The modules that functions were called in, one after the other."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    @contextlib.contextmanager
    def following(self) -> Iterator[None]:
        sys.setprofile(self._see)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _see(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        # Comprehensions and lambdas are where they stand.
        if event == "call" and code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<"):
            self.calls.append(code.co_filename.removeprefix(PACKAGE).removesuffix(".py"))

    @property
    def changes(self) -> int:
        """How often the next function called is in another folder."""
        folders = [module.partition("/")[0] if "/" in module else "" for module in self.calls]
        return sum(one != other for one, other in itertools.pairwise(folders))

    @property
    def modules(self) -> list[str]:
        return list(dict.fromkeys(self.calls))


def command(project: Project, *words: str) -> Trace:
    trace = Trace()
    with contextlib.redirect_stdout(io.StringIO()), trace.following():
        main(["-C", str(project.root), *words])
    return trace


def click(project: Project) -> Trace:
    """What the workbench does for one click on Reject, and when it hears of the file that this wrote."""
    with open_desk(project.root) as desk:
        state = desk.state
        hunk = desk.workbench.overview()["hunks"][0]
    served = Served(project.root, state, open_desk, lambda root: None)
    served.listener = lambda news: None
    served._ask(lambda desk: served.screens(desk, hunk["path"]))

    def decide(desk: Desk) -> object:
        assert desk.workbench.stale({hunk["id"]: hunk["digest"]}) is None
        return desk.decide("reject", [hunk["id"]])

    trace = Trace()
    with trace.following():
        served._once("key", b"", decide, lambda desk: served.screens(desk, hunk["path"]))
        served.hint({hunk["path"]})
        served._ask(lambda desk: None)
    return trace


def traces(base: Path) -> Iterator[tuple[str, Trace]]:
    project = Project(base, {"a.py": "one\ntwo\nthree\n", "b.py": "x = 1\n"})
    with patch.dict(os.environ, project.environ, clear=True):
        project.prompt("change it")
        project.edit("a.py", "two\n", "TWO\n")
        yield "list", command(project, "list", "--json")
        yield "list again", command(project, "list", "--json")
        yield "reject", command(project, "reject", "a.py")
        project.edit("b.py", "x = 1\n", "x = 2\n")
        yield "click", click(project)


def report(write: Callable[[str], object], *, way: bool) -> None:
    write(f"{'':12}{'calls':>8}{'modules':>9}{'folder changes':>16}{'at the start':>14}\n")
    with tempfile.TemporaryDirectory() as folder:
        for name, trace in traces(Path(folder)):
            counts = f"{len(trace.calls):>8}{len(trace.modules):>9}{trace.changes:>16}{START[name]:>14}"
            write(f"{name:12}{counts}\n")
            if way:
                write("".join(f"    {module}\n" for module in trace.modules))


if __name__ == "__main__":
    report(sys.stdout.write, way="--way" in sys.argv)
