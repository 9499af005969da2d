"""Imports that were organised, told from what people type (rule D2)."""

from __future__ import annotations

import pytest

from blueline.diff.formatted_lines import Lines
from blueline.diff.import_lines import organised


def applied(old: str, new: str, asked: set[int]) -> str:
    """The old text with nothing but its imports organised as in the new one."""
    for one in reversed(organised(Lines(old), Lines(new), asked)):
        old = old[: one.start] + one.text + old[one.end :]
    return old


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("import os\nimport b, a\n", "import a\nimport b\nimport os\n", {1}),
        ("from a import c, b\n", "from a import b, c\n", {0}),
        ("from a import b\nfrom a import c\n", "from a import b, c\n", {1}),
        ("import os\nimport b, a, unused\n", "import a\nimport b\nimport os\n", {1}),
        ("import {b, a} from 'm'\n", 'import { a, b } from "m";\n', {0}),
        ("#include <b>\n#include <a>\nint x;\n", "#include <a>\n#include <b>\nint x;\n", {0, 1}),
    ],
)
def test_the_same_names_in_other_lines_are_the_same_imports(old: str, new: str, asked: set[int]) -> None:
    assert applied(old, new, asked) == new


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        # A word that is new is typed, and words elsewhere are no imports.
        ("import b, a\n", "import a\nimport mine\n", {0}),
        ("x = f(b, a)\n", "x = f(a, b)\n", {0}),
        # Nobody asked about it, or a name is gone that was there before.
        ("import b, a\n", "import a\nimport b\n", set()),
        ("from a import b\nfrom a import c\n", "from a import c\n", {1}),
    ],
)
def test_what_else_is_done_is_left(old: str, new: str, asked: set[int]) -> None:
    assert applied(old, new, asked) == old


def test_lines_that_are_no_imports_are_left_to_others() -> None:
    old, new = "import b, a\ny = 1\nx = f(b, a)\n", "import a\nimport b\ny = 1\nx = f(a, b)\n"
    assert applied(old, new, {0, 2}) == "import a\nimport b\ny = 1\nx = f(b, a)\n"
