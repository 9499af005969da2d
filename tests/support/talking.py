"""What an agent's hook says to it."""

from __future__ import annotations

import json
from typing import Any

from tests.support.project import Project

KEPT, BACK, BY_HAND = "Kept.", "Taken back,", "Taken back by hand"
CHANGED, AGAIN = "Changed by hand", "Brought back"


def answer(p: Project, name: str = "UserPromptSubmit", **fields: object) -> Any:
    """What the installed hook says to one event: nothing at all (None), or one JSON document."""
    given = {"prompt": "go on"} if name == "UserPromptSubmit" else {}
    code, out, err = p.hook(p.event(name, **given, **fields))
    assert (code, err) == (0, b"")
    return json.loads(out) if out else None


def heard(p: Project, name: str = "UserPromptSubmit", **fields: object) -> str:
    """The text that reaches the model; empty for nothing."""
    said = answer(p, name, **fields)
    if said is None:
        return ""
    assert [*said] == ["hookSpecificOutput"]
    assert [*said["hookSpecificOutput"]] == ["hookEventName", "additionalContext"]
    assert said["hookSpecificOutput"]["hookEventName"] == name
    return str(said["hookSpecificOutput"]["additionalContext"])


def section(text: str, title: str) -> str:
    """What stands below a title, up to the next."""
    lines = text.split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith(title))
    titles = (KEPT, BACK, BY_HAND, CHANGED, AGAIN, "And ")
    end = next((n for n, line in enumerate(lines) if n > start and line.startswith(titles)), len(lines))
    return "\n".join(lines[start:end])
