"""Hunks stand in a text that is not saved where a person would look for them."""

from __future__ import annotations

from pathlib import Path

from blueline.contract.editors import EditorRange, PlacedHunkDocument
from blueline.desk.screens.editor_file import is_saved, placed_hunks
from tests.support.notebooks import LOUDER, NAME, dumped, notebook_edit, three
from tests.support.project import POEM, Project


def placed(p: Project, path: str, text: str | None = None) -> list[PlacedHunkDocument]:
    with p.desk() as desk:
        page = desk.workbench.file(path)
    assert text is None or not is_saved(page, text)
    return placed_hunks(page, p.text(path) if text is None else text)


def lines(found: EditorRange | None) -> tuple[int, int]:
    assert found is not None
    return found["start"]["line"], found["end"]["line"]


def spanned(text: str, found: EditorRange) -> str:
    """The characters in a range of one line."""
    start, end = found["start"], found["end"]
    assert start["line"] == end["line"]
    line = text.split("\n")[start["line"]].encode("utf-16-le")
    return line[2 * start["character"] : 2 * end["character"]].decode("utf-16-le")


def test_in_the_saved_text(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": POEM})
    p.edit("a.md", "line 3\nline 4\n", "line three\nline 4b\n")
    p.edit("a.md", "line 9\n", "")
    first, second = placed(p, "a.md")
    assert lines(first["range"]) == (2, 3)
    assert [spanned(p.text("a.md"), word) for word in first["new_words"]] == ["three", "4b"]
    assert [spanned(first["old"] or "", word) for word in first["old_words"]] == ["3", "4"]
    assert [(word["at"]["line"], word["at"]["character"], word["text"]) for word in first["gone_words"]] == [
        (2, 5, "3"),
        (3, 5, "4"),
    ]
    assert second["range"] == {"start": {"line": 8, "character": 0}, "end": {"line": 8, "character": 0}}


def test_typing_above_moves_them_and_typing_inside_touches_them(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": POEM})
    p.edit("a.md", "line 3\n", "line three\n")
    p.edit("a.md", "line 9\n", "")
    text = "zero\n" + p.text("a.md").replace("three", "three 😀!")
    first, second = placed(p, "a.md", text)
    assert lines(first["range"]) == (3, 3)
    assert first["touched"]
    assert [spanned(text, one) for one in first["new_words"]] == ["three 😀!"]
    assert second["range"] == {"start": {"line": 9, "character": 0}, "end": {"line": 9, "character": 0}}
    assert not second["touched"]


def test_what_agents_write_while_one_types_is_ahead(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": POEM.removesuffix("\n")})
    text = "typed\n" + POEM.removesuffix("\n")
    p.edit("a.md", "line 3\n", "line three\n")
    p.edit("a.md", "line 9\n", "line 9\nline 9b\n")
    p.edit("a.md", "line 20", "line twenty")
    assert [hunk["ahead"] for hunk in placed(p, "a.md", text)] == [True, True, True]
    assert [lines(hunk["range"])[0] for hunk in placed(p, "a.md", text)] == [3, 10, 20]
    # Also if nothing in the new line is as it was.
    p.edit("a.md", "line 15\n", "something\nelse\n")
    assert [hunk["ahead"] for hunk in placed(p, "a.md", text)] == [True] * 4
    # One that is there, and one that somebody went on with.
    text = text.replace("line 3\n", "line three\n").replace("line 20", "line 20 and more")
    assert [hunk["ahead"] for hunk in placed(p, "a.md", text)] == [False, True, False, True]


def test_line_ends_and_the_mark_are_no_typing(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": b"\xef\xbb\xbfone\r\ntwo\r\nthree\n"})
    p.edit("a.md", "two", "zwei 😀")
    for text in ("one\nzwei 😀\nthree\n", "one\r\nzwei 😀\r\nthree\r\n"):
        with p.desk() as desk:
            page = desk.workbench.file("a.md")
        assert is_saved(page, text)
        (hunk,) = placed_hunks(page, text)
        assert hunk["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 7}}
        assert not hunk["touched"]


def test_what_is_held_stands_where_it_would_come_to_stand(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": POEM})
    p.set_mode("hold")
    p.edit("a.md", "line 3\n", "line three\n")
    (hunk,) = placed(p, "a.md", "zero\n" + POEM)
    assert hunk["held"]
    assert lines(hunk["range"]) == (3, 3)


def test_cells_have_no_place_in_a_text(tmp_path: Path) -> None:
    p = Project(tmp_path, {NAME: dumped(three())})
    p.prompt()
    notebook_edit(p, "load", LOUDER)
    assert [hunk["range"] for hunk in placed(p, NAME)] == [None, None]
