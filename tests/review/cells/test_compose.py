"""Lines of notebooks, and the bytes that are put together from them."""

from __future__ import annotations

import json
import warnings

import nbformat
from hypothesis import assume, given
from hypothesis import strategies as st

from blueline.diff.cell_edits import cell_edits
from blueline.model.ids import BlobId
from blueline.model.medium_names import WholeFile
from blueline.model.notebook import read
from blueline.model.projection import blocks, digest, projection
from blueline.review.cells.compose import composed
from tests.notebooks.strategies import notebooks, spelled
from tests.support.notebooks import code, dumped, notebook
from tests.support.texts import applied


class Past:
    """Whole notebooks that were seen, in order."""

    def __init__(self) -> None:
        self.wholes: tuple[WholeFile, ...] = ()
        self._contents: dict[str, bytes] = {}

    def saw(self, data: bytes, by: str) -> None:
        name = BlobId(f"{len(self._contents):040x}")
        self._contents[name] = data
        self.wholes = (*self.wholes, WholeFile(name, by, digest(projection(data))))  # type: ignore[arg-type]

    def bytes_for(self, lines: str) -> bytes:
        found = composed(lines, self.wholes, self._contents.get)
        return found if isinstance(found, bytes) else self._contents[found]


def is_valid(data: bytes) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(nbformat.from_dict(json.loads(data)))  # type: ignore[no-untyped-call]
    return True


@given(st.data())
def test_a_notebook_that_only_agents_touched_comes_back_as_it_was(data: st.DataObject) -> None:
    past = Past()
    first = data.draw(spelled(data.draw(notebooks())))
    past.saw(first, "person")
    for _ in range(data.draw(st.integers(0, 3))):
        later = data.draw(spelled(data.draw(notebooks())))
        assume(projection(later) != projection(first))
        past.saw(later, "agent")
    assert past.bytes_for(projection(first)) == first


@given(st.data())
def test_what_is_put_together_has_the_lines_that_were_wanted_and_is_valid(data: st.DataObject) -> None:
    past = Past()
    seen = [data.draw(spelled(data.draw(notebooks()))) for _ in range(data.draw(st.integers(1, 4)))]
    for one in seen:
        past.saw(one, data.draw(st.sampled_from(["person", "agent", "held"])))
    wanted = projection(data.draw(st.sampled_from(seen)))
    found = past.bytes_for(wanted)
    assert projection(found) == wanted
    assert is_valid(found)


@given(st.data())
def test_cells_on_disk_that_stay_are_not_touched(data: st.DataObject) -> None:
    past = Past()
    now = data.draw(spelled(data.draw(notebooks(names="abc"))))
    other = data.draw(spelled(data.draw(notebooks(names="abcdef"))))
    past.saw(other, "agent")
    past.saw(now, "person")
    lines = projection(other)
    found = past.bytes_for(lines).decode()
    notebook = read(now)
    wanted = {block.text for block in blocks(lines)}
    for cell, block in zip(notebook.cells, blocks(projection(now))[1:], strict=True):
        if block.id and block.text in wanted:
            assert notebook.raw(cell) in found


@given(st.data())
def test_whatever_decisions_leave_of_the_lines_a_valid_notebook_is_written(data: st.DataObject) -> None:
    past = Past()
    seen = data.draw(spelled(data.draw(notebooks())))
    past.saw(seen, "person")
    lines = projection(seen).split("\n")[:-1]
    kept = data.draw(st.lists(st.sampled_from(range(len(lines))), unique=True).map(sorted))
    text = "".join(f"{lines[number]}\n" for number in kept)
    found = past.bytes_for(text)
    assert is_valid(found)
    for number in kept:
        if not lines[number].startswith("\x1e") and lines[number].strip():
            assert lines[number] in "\n".join("".join(cell["source"]) for cell in json.loads(found)["cells"])
    past.saw(found, "person")
    assert past.bytes_for(text) == found
    assert applied(text, projection(found), cell_edits(text, projection(found))) == projection(found)


def test_text_with_a_picture_whose_cell_is_gone_is_not_taken_for_code() -> None:
    past = Past()
    cell = {
        "cell_type": "markdown",
        "id": "a",
        "metadata": {},
        "source": [],
        "attachments": {"a.png": {"image/png": "YQ=="}},
    }
    seen = dumped(notebook(cell))
    past.saw(seen, "person")
    lines = [line for line in projection(seen).split("\n")[:-1] if not line.startswith("\x1ecell")]
    found = past.bytes_for("".join(f"{line}\n" for line in lines))
    assert is_valid(found)
    assert [one["cell_type"] for one in json.loads(found)["cells"]] == ["markdown"]


PICTURE = {"a.png": {"image/png": "YQ=="}}


def test_a_picture_of_a_cell_that_is_gone_is_not_a_cells_of_code() -> None:
    past = Past()
    markdown = {"cell_type": "markdown", "id": "b", "metadata": {}, "source": [], "attachments": PICTURE}
    seen = dumped(notebook(code("a", "one"), markdown))
    past.saw(seen, "person")
    lines = [
        line
        for line in projection(seen).split("\n")[:-1]
        if not line.startswith(("\x1ecell mark", "\x1eend"))
    ]
    text = "".join(f"{line}\n" for line in lines)
    found = past.bytes_for(text)
    assert is_valid(found)
    assert [cell["source"] for cell in json.loads(found)["cells"]] == [["one\n"]]
    past.saw(found, "person")
    assert past.bytes_for(text) == found


def test_a_picture_that_somebody_has_put_into_a_cell_of_code_stays() -> None:
    past = Past()
    first, later = ({**code("a", source), "attachments": PICTURE} for source in ("one", "two"))
    past.saw(dumped(notebook(first)), "person")
    past.saw(dumped(notebook(later, code("b", "more"))), "agent")
    found = past.bytes_for(projection(dumped(notebook(later))))
    assert json.loads(found)["cells"] == [later]


def test_a_cell_that_came_back_beside_itself_gets_an_id_of_its_own() -> None:
    past = Past()
    past.saw(dumped(notebook(code("a", "one"), code("b", "two"))), "person")
    lines = projection(dumped(notebook(code("b", "two"))))
    text = projection(dumped(notebook(code("a", "one"), code("b", "two")))) + lines[lines.index("\x1ecell") :]
    found = past.bytes_for(text)
    assert is_valid(found)
    assert [cell["source"] for cell in json.loads(found)["cells"]] == [["one"], ["two"], ["two"]]
    past.saw(found, "person")
    assert past.bytes_for(text) == found


def test_a_version_that_is_too_old_for_ids_is_not_written() -> None:
    past = Past()
    past.saw(dumped(notebook(code("a", "one"))), "person")
    text = projection(dumped(notebook(code("a", "one")))).replace('"nbformat_minor":5', '"nbformat_minor":4')
    found = past.bytes_for(text)
    assert is_valid(found)
    assert json.loads(found)["nbformat_minor"] == 5
