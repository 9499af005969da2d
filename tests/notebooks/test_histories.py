"""Random histories: agents and people change a notebook in every way, and answers fall in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.notebooks import NAME, Notebook, agent, code, dumped, markdown, notebook, on_disk, person
from tests.support.project import Dependents, Project, Verdict

FEW = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
VERDICTS: st.SearchStrategy[Verdict] = st.sampled_from(("accept", "reject"))
DEPENDENTS: st.SearchStrategy[Dependents] = st.sampled_from(("with", "keep"))
BASE = notebook(
    code("one", "alpha = 1\nbeta = 2\ngamma = 3", outputs=[], count=1),
    markdown("two", "# Title\n\nSome words here."),
    code("three", "for item in range(3):\n    print(item)"),
    code("four", "done = True"),
)


class History:
    """Does one random thing after the other, and remembers every word that a person typed."""

    def __init__(self, p: Project, data: st.DataObject, *, with_ids: bool = True) -> None:
        self.p = p
        self._with_ids = with_ids
        self._data = data
        self._count = 0
        self.typed: list[str] = []

    def word(self, by: str) -> str:
        self._count += 1
        return f"{by}{self._count:03d}"

    def change(self, found: Notebook, by: str, *, keep: bool = False) -> None:
        """One change of a notebook; with `keep`, nothing goes that a person had typed."""
        draw = self._data.draw
        cells = found["cells"]
        options = ["add", "run", "rename"] + (["edit", "edit", "line", "move", "tags"] if cells else [])
        options += ["delete", "type"] if cells and not keep else []
        what = draw(st.sampled_from(options))
        place = draw(st.integers(0, max(len(cells) - 1, 0)))
        word = self.word(by)
        if what == "add":
            cells.insert(draw(st.integers(0, len(cells))), self._new(word))
        elif what == "run":
            for cell in cells:
                if cell["cell_type"] == "code":
                    cell["outputs"], cell["execution_count"] = [], self._count
        elif what == "rename":
            found["metadata"]["title"] = word
        elif what in ("edit", "line"):
            self._edit(cells[place], what, word, keep=keep)
        elif what == "move":
            cells.insert(draw(st.integers(0, len(cells) - 1)), cells.pop(place))
        elif what == "tags":
            cells[place]["metadata"]["tags"] = [word]
        elif what == "delete":
            cells.pop(place)
        elif what == "type" and cells[place]["cell_type"] == "code":
            cells[place] = markdown(cells[place].get("id"), "".join(cells[place]["source"]))
        if by == "mine" and what in ("add", "edit", "line"):
            self.typed.append(word)

    def _new(self, word: str) -> dict[str, Any]:
        return code(word if self._with_ids else None, f"new_{word} = 1\nlast_{word} = 2")

    def _edit(self, cell: dict[str, Any], what: str, word: str, *, keep: bool) -> None:
        lines = "".join(cell["source"]).split("\n")
        at = self._data.draw(st.integers(0, len(lines) - 1))
        if what == "edit" and not (keep and "mine" in lines[at]):
            lines[at] = f"{lines[at]} {word}"
        else:
            lines.insert(at, f"whole {word}")
        cell["source"] = "\n".join(lines).splitlines(keepends=True)

    def decide(self) -> None:
        pending = self.p.hunks()
        if not pending:
            return
        chosen = self._data.draw(st.lists(st.sampled_from(pending), min_size=1, max_size=3))
        verdict = self._data.draw(VERDICTS)
        keep = self._data.draw(DEPENDENTS)
        before = self.p.read(NAME)
        done = self.p.decide(verdict, [hunk["id"] for hunk in chosen], dependents=keep)
        if "error" in done:
            return
        if verdict == "accept" and not any(hunk["held"] for hunk in pending):
            assert self.p.read(NAME) == before
        elif verdict == "reject" and self._data.draw(st.booleans()):
            after = self.p.read(NAME)
            self.p.undo()
            assert self.p.read(NAME) == before
            with self.p.desk() as desk:
                desk.redo()
            assert self.p.read(NAME) == after

    def look(self) -> None:
        on_disk(self.p)
        shown = self.p.hunks(status="all")
        assert all("\x1e" not in (hunk["old"] or "") + (hunk["new"] or "") for hunk in shown)


def project(tmp_path_factory: pytest.TempPathFactory, *, with_ids: bool = True) -> Project:
    p = Project(tmp_path_factory.mktemp("history"), {NAME: dumped(BASE if with_ids else without_ids())})
    p.prompt()
    return p


def without_ids() -> Notebook:
    """The same notebook as an older Jupyter wrote it."""
    cells = [{key: value for key, value in cell.items() if key != "id"} for cell in BASE["cells"]]
    return {**BASE, "cells": cells, "nbformat_minor": 4}


@FEW
@given(st.data())
def test_reject_all_gives_back_what_only_agents_changed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    p = project(tmp_path_factory)
    history = History(p, data)
    for _ in range(data.draw(st.integers(1, 5))):
        agent(p, lambda found: history.change(found, "its"), indent=data.draw(st.sampled_from([None, 1, 2])))
        history.look()
    p.decide("reject", [], dependents="with")
    assert p.hunks() == []
    assert on_disk(p) == json.loads(dumped(BASE)) or json.loads(p.read(NAME))["cells"] == [
        {**cell, "execution_count": now["execution_count"]} if cell["cell_type"] == "code" else cell
        for cell, now in zip(BASE["cells"], on_disk(p)["cells"], strict=True)
    ]
    assert p.check()["problems"] == []


@FEW
@given(st.data(), st.booleans())
def test_nothing_that_somebody_typed_is_lost(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, with_ids: bool
) -> None:
    p = project(tmp_path_factory, with_ids=with_ids)
    history = History(p, data, with_ids=with_ids)
    for _ in range(data.draw(st.integers(2, 7))):
        step = data.draw(st.sampled_from(["agent", "agent", "person", "decide"]))
        if step == "agent":
            agent(p, lambda found: history.change(found, "its", keep=True))
        elif step == "person":
            person(p, lambda found: history.change(found, "mine", keep=True))
        else:
            history.decide()
        history.look()
        text = p.text(NAME)
        assert [word for word in history.typed if word not in text] == []
    before = p.read(NAME)
    p.decide("accept", [])
    assert p.read(NAME) == before
    assert p.check()["problems"] == []


@FEW
@given(st.data(), st.booleans())
def test_every_history_leaves_a_valid_notebook_and_a_sound_journal(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, with_ids: bool
) -> None:
    p = project(tmp_path_factory, with_ids=with_ids)
    history = History(p, data, with_ids=with_ids)
    for _ in range(data.draw(st.integers(2, 7))):
        step = data.draw(st.sampled_from(["agent", "person", "decide", "hold"]))
        if step == "decide":
            history.decide()
        elif step == "person":
            person(p, lambda found: history.change(found, "mine"))
        else:
            p.set_mode("hold" if step == "hold" else "review")
            agent(p, lambda found: history.change(found, "its"))
            p.set_mode("review")
        history.look()
    known = p.hunks()
    assert p.check()["problems"] == []
    (p.state / "index.sqlite").unlink()
    assert p.hunks() == known


# R15: a text file, and the one cell of a notebook, with the same source.

TEXTS = st.lists(
    st.sampled_from(["one", "two", "three words here", "four", "", "five"]), min_size=1, max_size=6
)


@FEW
@given(st.data())
def test_r15_the_same_script_over_a_text_and_a_cell_gives_the_same_decisions(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    base: Path = tmp_path_factory.mktemp("same")
    first = "\n".join(data.draw(TEXTS)) + "\n"
    p = Project(base, {"a.txt": first, NAME: dumped(notebook(code("only", first)))})
    p.prompt()

    def source() -> str:
        return "".join(on_disk(p)["cells"][0]["source"])

    for _ in range(data.draw(st.integers(1, 5))):
        step = data.draw(st.sampled_from(["agent", "agent", "person", "decide"]))
        if step == "decide":
            texts, cells = p.hunks("a.txt"), p.hunks(NAME)
            assert [(h["old"], h["new"], h["new_start"]) for h in texts] == [
                (h["old"], h["new"], h["new_start"]) for h in cells
            ]
            if texts:
                number = data.draw(st.integers(0, len(texts) - 1))
                verdict = data.draw(VERDICTS)
                for group in (texts, cells):
                    p.decide(verdict, [group[number]["id"]], dependents="with")
        else:
            lines = source().split("\n")[:-1]
            at = data.draw(st.integers(0, len(lines)))
            lines[at : at + data.draw(st.integers(0, 2))] = data.draw(TEXTS)
            text = "\n".join(lines) + "\n"
            for path, content in (("a.txt", text.encode()), (NAME, dumped(notebook(code("only", text))))):
                if step == "agent":
                    p.write(path, content)
                else:
                    p.put(path, content)
        assert source() == p.text("a.txt")
