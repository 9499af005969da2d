"""Notebooks of all kinds, for hypothesis."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tests.support.notebooks import Cell, Notebook

LINES = st.sampled_from(["a = 1", "b = 2", "", "print(a)", "# Titel ä", "x\r", "\tdeep", "1", "a = 1  # two"])
SOURCES = st.lists(LINES, max_size=5).map("\n".join)
METADATA = st.fixed_dictionaries(
    {},
    optional={
        "tags": st.lists(st.sampled_from(["x", "y"]), unique=True, max_size=2),
        "slideshow": st.just({"slide_type": "skip"}),
        "collapsed": st.booleans(),
        "execution": st.sampled_from([{}, {"iopub.status.busy": "now"}]),
    },
)
OUTPUTS = st.lists(
    st.sampled_from(["1\n", "ä\n", "<b>hey</b>"]).map(
        lambda text: {"output_type": "stream", "name": "stdout", "text": [text]}
    ),
    max_size=2,
)


@st.composite
def cells(draw: st.DrawFn, name: str | None) -> Cell:
    kind = draw(st.sampled_from(["code", "code", "markdown", "raw"]))
    source = draw(SOURCES)
    cell: dict[str, Any] = {
        "cell_type": kind,
        "metadata": draw(METADATA),
        "source": source if draw(st.booleans()) else source.splitlines(keepends=True),
    }
    if name is not None:
        cell["id"] = name
    if kind == "code":
        cell["outputs"] = draw(OUTPUTS)
        cell["execution_count"] = draw(st.none() | st.integers(1, 9))
    elif kind == "markdown" and draw(st.booleans()):
        cell["attachments"] = {"a.png": {"image/png": draw(st.sampled_from(["YQ==", "Yg=="]))}}
    return {key: cell[key] for key in draw(st.permutations(sorted(cell)))}


@st.composite
def notebooks(draw: st.DrawFn, names: str = "abcdef") -> Notebook:
    minor = draw(st.sampled_from([4, 5, 5]))
    chosen = draw(st.lists(st.sampled_from(names), unique=True, max_size=5))
    found = [draw(cells(name if minor == 5 else None)) for name in chosen]
    title = draw(st.sampled_from([{}, {"title": "t"}, {"language_info": {"name": "python", "version": "3"}}]))
    return {"cells": found, "metadata": title, "nbformat": 4, "nbformat_minor": minor}


@st.composite
def spelled(draw: st.DrawFn, found: Notebook) -> bytes:
    """A notebook as bytes, in one of many layouts."""
    indent = draw(st.sampled_from([None, 1, 2, 4, "\t"]))
    end = draw(st.sampled_from(["", "\n"]))
    text = json.dumps(found, indent=indent, ensure_ascii=draw(st.booleans()), sort_keys=draw(st.booleans()))
    return (text + end).encode()
