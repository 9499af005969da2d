"""Keeping or taking back a whole turn: one question, one answer, and one thing to undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from blueline.chat.rewind import rewinding_there
from blueline.desk import Desk
from blueline.errors import BluelineError
from blueline.model.choices import FileChoice

Document = Any


class StillRunning(BluelineError):
    """The turn has not ended: what it will have done is not known."""


class NoSuchTurn(BluelineError):
    """There is no such turn."""


def accept(desk: Desk, turn: str, reason: str = "") -> Document:
    """Keep what is undecided of a turn."""
    found = _ended(desk, turn)
    if not found["pending"]:
        return _answer(found, "accept", [])
    return _answer(found, "accept", [desk.decide("accept", [turn], reason=reason)])


def reject(desk: Desk, turn: str, choices: Mapping[str, FileChoice], reason: str = "") -> Document:
    """Take back what is undecided of a turn. If something has to be chosen first, nothing happens."""
    found = _ended(desk, turn)
    done = desk.decide("reject", [turn], choices=choices, reason=reason)
    return _asked(found, done["needs"]) if done["needs"] else _answer(found, "reject", [done])


def _ended(desk: Desk, turn: str) -> Document:
    found = desk.conversing.turn(turn)
    if found is None:
        raise NoSuchTurn(f"there is no turn {turn!r}", hint="see: blueline list --by turn")
    if found["ended"] is None:
        raise StillRunning(f"{turn} is still running", hint="wait for its end, or stop it")
    return found


def _asked(turn: Document, needs: Sequence[Document]) -> Document:
    """What has to be chosen, file by file."""
    files: dict[str, Document] = {}
    for need in needs:
        path = need["path"]
        files.setdefault(path, {"path": path, "why": _why(need), "choices": _choices(need)})
    return {
        **_answer(turn, "reject", []),
        "needs": [*files.values()],
        "error": f"{', '.join(sorted(files))} moved on since",
        "hint": "choose for each file: take it back anyway, or keep it",
    }


def _why(need: Document) -> str:
    if need.get("built_on_by"):
        return "other changes build on it"
    if need.get("shared_with"):
        return f"it may be the work of {', '.join(need['shared_with'])} as well"
    if need.get("why") == "before-unknown":
        return "what it held before is not known"
    return "it was changed just now"


def _choices(need: Document) -> list[FileChoice]:
    if need.get("built_on_by"):
        return ["anyway", "alone", "keep"]
    return ["anyway", "keep"] if need.get("shared_with") else ["keep"]


def _answer(turn: Document, verdict: str, done: Sequence[Document]) -> Document:
    results = [result for one in done for result in one["results"]]
    applied = [result for result in results if result["outcome"] in ("applied", "queued")]
    document = {
        "turn": turn["id"],
        "verdict": verdict,
        "decisions": [one["decision"] for one in done if one["decision"]],
        "edits": len(applied),
        "files": sorted({result["path"] for result in applied}),
        "skipped": [
            result for result in results if result["outcome"] not in ("applied", "queued", "already")
        ],
        "written": [path for one in done for path in one["written"]],
        "kept": [kept for one in done for kept in one["kept"]],
        "needs": [],
    }
    if verdict == "reject":
        document["rewind"] = rewinding_there(turn)
    return document
