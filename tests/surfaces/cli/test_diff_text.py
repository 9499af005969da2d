"""Other looks at a diff."""

from __future__ import annotations

from blueline.surfaces.cli.diff_text import by_words, stat
from blueline.surfaces.cli.terminal import Screen

PLAIN = Screen(width=40)


def test_a_graph_is_as_wide_as_there_is_room_for() -> None:
    files = [
        {"path": "long.py", "added": 900, "removed": 100, "binary": False},
        {"path": "a", "added": 1, "removed": 0, "binary": False},
        {"path": "b.png", "added": 0, "removed": 0, "binary": True},
    ]
    lines = [*stat(files, PLAIN)]  # type: ignore[arg-type]
    assert max(map(len, lines[:-1])) <= 40
    assert lines[1] == " a       |    1 +"
    assert lines[2] == " b.png   |  Bin"
    assert lines[-1] == " 3 files changed, 901 insertions(+), 100 deletions(-)"


def test_word_by_word() -> None:
    diff = "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@ h1\n same\n-one two\n-gone\n+one 2\n+new\x1b\n"
    assert [*by_words(diff, PLAIN)] == [
        "--- a/a",
        "+++ b/a",
        "@@ -1,3 +1,3 @@ h1",
        "same",
        "one [-two-]{+2+}",
        "[-gone-]",
        "{+new\\x1b+}",
    ]


def test_lines_that_only_come_or_go_are_marked_line_by_line() -> None:
    assert [*by_words("@@ -1,2 +0,0 @@\n-one\n-two\n", PLAIN)][1:] == ["[-one-]", "[-two-]"]
    assert [*by_words("@@ -0,0 +1,2 @@\n+one\n+two\n", PLAIN)][1:] == ["{+one+}", "{+two+}"]
