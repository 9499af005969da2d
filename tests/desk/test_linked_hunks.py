"""Hunks in other files that exchange the same names as one that is decided."""

from __future__ import annotations

import pytest

from blueline.desk.same_change import LONGEST
from blueline.journal.screens import MOST_LOOKED_FOR
from tests.support.project import Make, Project

CALL = "value = load(1)\n"


def renamed(project: Make, others: dict[str, str], more: str = "") -> Project:
    """An agent renames `load` in a.py, and does to other files what it says."""
    p = project({"a.py": f"{CALL}{more}", **dict.fromkeys(others, f"{CALL}{more}")})
    p.prompt()
    for path, text in {"a.py": CALL.replace("load", "read") + more, **others}.items():
        p.write(path, text)
    return p


def linked(p: Project, path: str = "a.py") -> set[str]:
    paths = {hunk["id"]: hunk["path"] for hunk in p.hunks()}
    return {paths[name] for name in p.reject(path)["linked"]}


def test_a_name_is_exchanged_for_another_and_not_for_a_longer_one(project: Make) -> None:
    others = {
        "b.py": CALL.replace("load", "read"),
        "c.py": CALL.replace("load", "reads"),
        "d.py": "read = 2\n",
    }
    assert linked(renamed(project, others)) == {"b.py"}


def test_names_may_have_any_letters(project: Make) -> None:
    p = project(dict.fromkeys(("a.py", "b.py", "ü.py"), "länge = 1\n"))
    p.prompt()
    for path in ("a.py", "b.py", "ü.py"):
        p.write(path, "größe = 1\n")
    assert linked(p) == {"b.py", "ü.py"}
    p.undo()
    assert linked(p, "ü.py") == {"a.py", "b.py"}


def test_a_change_that_nobody_compared_when_it_was_stored_is_compared_now(project: Make) -> None:
    long = f"value = read({'1' * LONGEST})\n"
    p = renamed(project, {"b.py": long, "c.py": long.replace("read", "reads")})
    assert linked(p) == {"b.py"}
    p.undo()
    assert linked(p, "b.py") == {"a.py"}


@pytest.mark.parametrize("count", [MOST_LOOKED_FOR, MOST_LOOKED_FOR + 1])
def test_of_however_many_names_one_is_enough(project: Make, count: int) -> None:
    before = "".join(f"old_{number}()\n" for number in range(count))
    p = project({"a.py": before, "b.py": f"old_{count - 1}(2)\n", "c.py": "other(2)\n"})
    p.prompt()
    p.write("a.py", before.replace("old", "new"))
    p.write("b.py", f"new_{count - 1}(2)\n")
    p.write("c.py", "others(2)\n")
    assert linked(p) == {"b.py"}


def test_what_is_decided_is_linked_to_nothing_any_more(project: Make) -> None:
    p = renamed(project, dict.fromkeys(("b.py", "c.py"), CALL.replace("load", "read")))
    p.accept("c.py")
    assert linked(p) == {"b.py"}
