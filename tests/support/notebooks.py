"""Notebooks for tests, and what agents and people do to them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import nbformat

from tests.support.project import Project

Cell = dict[str, Any]
Notebook = dict[str, Any]

LOAD = "import csv\nrows = list(csv.reader(open('a.csv')))\nlen(rows)"
LOUDER = "import csv, json\nrows = list(csv.reader(open('a.csv')))\nlen(rows) + 1"
SHOW = "for row in rows:\n    print(row)\n\ndone = True"
NAME = "n.ipynb"


def code(
    name: str | None, source: str, *, outputs: list[Any] | None = None, count: int | None = None
) -> Cell:
    """A code cell, with its keys in the order in which Jupyter writes them."""
    cell: Cell = {"cell_type": "code", "execution_count": count}
    if name is not None:
        cell["id"] = name
    return {**cell, "metadata": {}, "outputs": outputs or [], "source": source.splitlines(keepends=True)}


def markdown(name: str | None, source: str) -> Cell:
    cell: Cell = {"cell_type": "markdown"}
    if name is not None:
        cell["id"] = name
    return {**cell, "metadata": {}, "source": source.splitlines(keepends=True)}


def printed(text: str) -> list[Any]:
    """What a cell that printed something holds."""
    return [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}]


def notebook(*cells: Cell, minor: int = 5, **metadata: Any) -> Notebook:
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}


def dumped(found: Notebook, indent: int | None = 1, end: str = "\n") -> bytes:
    """The bytes of a notebook as Jupyter writes them."""
    return (json.dumps(found, indent=indent, ensure_ascii=False) + end).encode()


def three() -> Notebook:
    """A notebook with three cells, of which two were run."""
    return notebook(
        code(
            "load",
            "import csv\nrows = list(csv.reader(open('a.csv')))\nlen(rows)",
            outputs=printed("12\n"),
            count=1,
        ),
        markdown("about", "# Rows\n\nWhat they say."),
        code("show", "for row in rows:\n    print(row)\n\ndone = True", outputs=printed("a\nb\n"), count=2),
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python", "version": "3.11.7"},
    )


def on_disk(p: Project, path: str = NAME) -> Notebook:
    """The notebook as it is, which is a valid one."""
    found: Notebook = json.loads(p.read(path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(nbformat.from_dict(found))  # type: ignore[no-untyped-call]
    return found


def sources(p: Project, path: str = NAME) -> list[str]:
    return ["".join(cell["source"]) for cell in on_disk(p, path)["cells"]]


def ids(p: Project, path: str = NAME) -> list[str | None]:
    return [cell.get("id") for cell in on_disk(p, path)["cells"]]


def cell_of(found: Notebook, name: str) -> Cell:
    return next(cell for cell in found["cells"] if cell.get("id") == name)


def set_source(found: Notebook, name: str, source: str) -> None:
    cell_of(found, name)["source"] = source.splitlines(keepends=True)


def agent(
    p: Project, change: Callable[[Notebook], object], path: str = NAME, *, indent: int | None = 1
) -> str:
    """The agent writes the whole notebook anew, changed."""
    found = json.loads(p.read(path))
    change(found)
    return p.write(path, dumped(found, indent))


def person(
    p: Project, change: Callable[[Notebook], object], path: str = NAME, *, indent: int | None = 1
) -> None:
    """Somebody saves from Jupyter."""
    found = json.loads(p.read(path))
    change(found)
    p.put(path, dumped(found, indent))


def notebook_edit(p: Project, name: str, source: str, path: str = NAME) -> str:
    """What Claude Code's NotebookEdit does: one cell gets another source and loses its outputs, and the whole
    file is written anew, with an indent of one and no last newline."""

    def act() -> None:
        found = json.loads(p.read(path))
        cell = cell_of(found, name)
        cell["source"] = source
        if cell["cell_type"] == "code":
            cell["execution_count"], cell["outputs"] = None, []
        p.put(path, json.dumps(found, indent=1, ensure_ascii=False))

    given = {"notebook_path": str(p.root / path), "cell_id": name, "new_source": source}
    return p.tool("NotebookEdit", path, act, **given)
