"""A desk that answers what a test tells it to, and documents to answer with."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from blueline.desk.same_change import same_change

Document = Any


class FakeDesk:
    """Gives the answers it was made with, by the name of the verb, and remembers what it was asked."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers
        self.asked: list[tuple[str, tuple[Any, ...], Document]] = []
        self.warnings: list[str] = []
        self.mode = "review"
        self.is_open = False
        self.history = self

    def __enter__(self) -> Self:
        self.is_open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.is_open = False

    def __getattr__(self, verb: str) -> Callable[..., object]:
        def answer(*arguments: object, **options: object) -> object:
            assert self.is_open
            self.asked.append((verb, arguments, options))
            given = self.answers[verb]
            if isinstance(given, BaseException):
                raise given
            return given

        return answer


def hunk(**changes: object) -> Document:
    """One pending hunk, as `list` has it."""
    made: Document = {
        "id": "h4f2a9c10",
        "path": "src/a.py",
        "kind": "modify",
        "status": "pending",
        "turn": "t1",
        "subagent": None,
        "call": "c2",
        "tool": "Edit",
        "actor": {"kind": "agent", "name": "claude-code"},
        "old_start": 3,
        "old_lines": 1,
        "new_start": 3,
        "new_lines": 1,
        "old": "hello world\n",
        "new": "hello there\n",
        "builds_on": [],
        "built_on_by": [],
        "complete": True,
        "at": "2026-01-01T00:00:00Z",
        "held": False,
        "shared_with": [],
        "modified": False,
        "endings": False,
        "again": None,
        "committed": None,
        "queued": None,
        **changes,
    }
    made["same"] = same_change(made["kind"], made["old"], made["new"])
    return made


RECORDED = {"recorded": True, "by": "project", "why": "", "hint": ""}
UNRECORDED = {"recorded": False, "by": "", "why": "nobody watches", "hint": "blueline init"}


def listing(*hunks: Document, mode: str = "review", recording: Document = RECORDED) -> Document:
    return {
        "mode": mode,
        "recording": recording,
        "counts": {
            "hunks": len(hunks),
            "files": len({one["path"] for one in hunks}),
            "calls": len({one["call"] for one in hunks}),
            "turns": len({one["turn"] for one in hunks}),
        },
        "hunks": list(hunks),
    }


def turn(**changes: object) -> Document:
    return {
        "id": "t1",
        "prompt": "make it friendlier\nplease",
        "agent": "claude-code",
        "conversation": "conv-1",
        "started": "2026-01-01T00:00:00Z",
        "ended": "2026-01-01T00:01:00Z",
        "status": "pending",
        "hunks": ["h4f2a9c10"],
        "counts": {"pending": 1, "accepted": 0, "rejected": 0},
        "subagents": [],
        **changes,
    }


def subagent(**changes: object) -> Document:
    return {
        "id": "a1",
        "turn": "t1",
        "type": "general-purpose",
        "description": "the greeting",
        "started": "2026-01-01T00:00:00Z",
        "ended": "2026-01-01T00:01:00Z",
        "status": "pending",
        "hunks": ["h4f2a9c10"],
        "counts": {"pending": 1, "accepted": 0, "rejected": 0},
        **changes,
    }


def call(**changes: object) -> Document:
    return {
        "id": "c2",
        "turn": "t1",
        "subagent": None,
        "tool": "Edit",
        "path": "src/a.py",
        "started": "2026-01-01T00:00:00Z",
        "ended": "2026-01-01T00:01:00Z",
        "outcome": "done",
        "about": {},
        "status": "pending",
        "hunks": ["h4f2a9c10"],
        "counts": {"pending": 1, "accepted": 0, "rejected": 0},
        **changes,
    }


def file(**changes: object) -> Document:
    return {
        "path": "src/a.py",
        "status": "mixed",
        "hunks": ["h4f2a9c10", "h77"],
        "counts": {"pending": 1, "accepted": 1, "rejected": 0},
        "exists": True,
        "mode": "644",
        "operations": [
            {"at": "2026-01-01T00:00:00Z", "actor": {"kind": "external", "name": ""}, "call": None},
            {"at": "2026-01-01T00:00:00Z", "actor": {"kind": "agent", "name": "claude-code"}, "call": "c2"},
        ],
        **changes,
    }


def decision(**changes: object) -> Document:
    """One decision, as the log has it."""
    return {
        "id": "d7",
        "at": "2026-01-01T00:02:00Z",
        "verdict": "reject",
        "of": None,
        "stands": True,
        "reason": "",
        "by": "ada",
        "agent": "",
        "commit": "",
        "request": "",
        "returns": False,
        "hunks": ["h4f2a9c10"],
        "paths": ["src/a.py"],
        "written": ["src/a.py"],
        "kind": "decision",
        **changes,
    }


def decided(**changes: object) -> Document:
    """The answer to reject."""
    return {
        "decision": "d7",
        "verdict": "reject",
        "results": [
            {
                "hunk": "h4f2a9c10",
                "path": "src/a.py",
                "outcome": "applied",
                "reason": "",
                "modified": False,
            }
        ],
        "written": ["src/a.py"],
        "kept": [],
        "needs": [],
        "linked": [],
        **changes,
    }


def refused(*needs: Document, **changes: object) -> Document:
    """The answer to reject when a choice is needed."""
    return {
        **decided(decision=None, results=[], written=[], needs=list(needs)),
        "error": "other changes build on this",
        "hint": "choose",
        **changes,
    }
