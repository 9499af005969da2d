"""What is made from the contract is what is committed."""

from __future__ import annotations

import ast

import pytest

from tools.contract.__main__ import stale
from tools.contract.shapes import Shape, chapters
from tools.contract.tables import BEGIN, END, tables, with_keys
from tools.contract.typescript import spelled


def test_the_types_of_the_page_and_the_tables_of_the_docs_are_those_of_the_contract() -> None:
    assert stale() == [], "run: python -m tools.contract"


def test_every_document_has_words() -> None:
    shapes = [item for chapter in chapters() for item in chapter.items if isinstance(item, Shape)]
    assert [shape.name for shape in shapes if not shape.words] == []


def test_no_name_means_two_things() -> None:
    names = [item.name for chapter in chapters() for item in chapter.items]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("str", "string"),
        ("int | None", "number | null"),
        ("list[str]", "string[]"),
        ("list[str | None]", "(string | null)[]"),
        ("list[list[str | int]]", "(string | number)[][]"),
        ("dict[str, object]", "Record<string, unknown>"),
        ("Literal['a', 'b']", '"a" | "b"'),
        ("list[HunkDocument]", "HunkDocument[]"),
    ],
)
def test_a_type_is_spelled_as_typescript_does(written: str, expected: str) -> None:
    assert spelled(ast.parse(written, mode="eval").body) == expected


def test_what_typescript_has_no_words_for_is_refused() -> None:
    with pytest.raises(ValueError, match=r"tuple\[int\]"):
        spelled(ast.parse("tuple[int]", mode="eval").body)


def test_keys_keep_their_order_and_their_words() -> None:
    hunks = {item.name: item for chapter in chapters() if chapter.name == "hunks" for item in chapter.items}
    fields, moved = hunks["HunkFields"], hunks["MovedFrom"]
    assert isinstance(fields, Shape)
    assert fields.bases == ("MovedFrom",)
    assert [key.name for key in fields.keys][:3] == ["id", "path", "status"]
    assert isinstance(moved, Shape)
    (origin,) = moved.keys
    assert (origin.name, origin.is_optional) == ("from", True)
    assert origin.words.startswith("Of a rename")


def test_words_of_the_model_that_documents_use_come_along() -> None:
    assert {"ActorKind", "HunkOutcome", "Verdict"} <= {item.name for item in chapters()[0].items}


def test_tables_stand_between_their_marks_and_nothing_else_changes() -> None:
    page = tables(f"before\n\n{BEGIN}\nold\n{END}\nafter\n", chapters())
    assert page.startswith(f"before\n\n{BEGIN}\n\n## Words")
    assert page.endswith(f"{END}\nafter\n")
    assert tables(page, chapters()) == page


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        tables("nothing here", chapters())


def test_a_page_that_names_a_document_gets_a_table_of_all_its_keys() -> None:
    mark = "<!-- made by `python -m tools.contract`: keys of HunkDocument -->"
    page = with_keys(f"Before.\n\n{mark}\nold\n{END}\n\nAfter.\n", chapters())
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert page.startswith(f"Before.\n\n{mark}\n")
    assert page.endswith(f"{END}\n\nAfter.\n")
    assert "old" not in page.splitlines()
    assert "| `status` | `pending`, `accepted`, `rejected` |  |" in rows
    assert [row for row in rows if row.startswith(("| `from`?", "| `kind`", "| `old`"))] != []
    assert "[`ActorDocument`](contract.md#actordocument)" in page
