"""Payloads on nobody's machine at no particular time."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
OPENCODE_ID = re.compile(r"\b(ses|msg|prt|evt)_[0-9A-Za-z]{20,}\b")
GEMINI_TRANSCRIPT = re.compile(r"(session-[0-9T-]+)-[0-9a-f]{8}\b")
PROCESS_GROUP = re.compile(r"(Process Group PGID: )\d+")
SECONDS = re.compile(r"(Wall time: )[0-9.]+")

# A time is a time in each of these spellings, and has no value worth keeping in any.
TIMES = (
    (re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"), "2026-01-01T00:00:00.000Z"),
    (re.compile(r"\b20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d\b"), "2026-01-01T00-00-00"),
    (re.compile(r"\b20\d\d-\d\d-\d\dT\d\d-\d\d\b"), "2026-01-01T00-00"),
    (re.compile(r"\b20\d\d/\d\d/\d\d\b"), "2026/01/01"),
)
CLOCK_KEYS = ("timestamp", "created", "updated", "completed", "start", "end")
CHANCE_KEYS = {"slug": "a-name", "projectID": "project-0001"}


class Neutral:
    """Takes out of an agent's payloads what belongs to one machine. An id stays the same in all of them."""

    def __init__(self, project: Path, home: Path) -> None:
        self._project = str(project)
        self._home = str(home)
        self._ids: dict[str, str] = {}

    def __call__(self, payload: Any) -> Any:
        text = json.dumps(payload)
        text = text.replace(self._project, "/project").replace(self._home, "/home/person")
        # Without the slash in front: paths as diffs have them.
        text = text.replace(self._project[1:], "project")
        text = UUID.sub(lambda match: self._id(match[0], "00000000-0000-4000-8000-{:012d}"), text)
        text = OPENCODE_ID.sub(lambda match: self._id(match[0], match[1] + "_{:026d}"), text)
        for pattern, stand_in in TIMES:
            text = pattern.sub(stand_in, text)
        text = GEMINI_TRANSCRIPT.sub(r"\1-00000000", text)
        text = PROCESS_GROUP.sub(r"\g<1>1", text)
        text = SECONDS.sub(r"\g<1>0", text)
        return _timeless(json.loads(text))

    def _id(self, found: str, shape: str) -> str:
        if found not in self._ids:
            self._ids[found] = shape.format(len(self._ids) + 1)
        return self._ids[found]


def _timeless(value: Any) -> Any:
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: CHANCE_KEYS.get(key, 0 if key in CLOCK_KEYS and isinstance(item, int) else _timeless(item))
        for key, item in value.items()
    }
