"""Keeping or taking back a whole turn, as a chat asks for it and is told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from blueline.desk import Desk
from blueline.desk.selectors import UnknownSelector
from blueline.errors import BluelineError
from blueline.model.dependents import FileChoice
from blueline.model.verdict import Verdict

if TYPE_CHECKING:
    from blueline.contract.conversations import TurnDecision, TurnNeed
    from blueline.contract.decisions import DecisionDocument, NeedDocument


class StillRunning(BluelineError):
    """The turn has not ended: what it will have done is not known."""


class NoSuchTurn(UnknownSelector):
    """There is no such turn."""


def decide(
    desk: Desk, verdict: Verdict, turn: str, choices: Mapping[str, FileChoice], reason: str = ""
) -> TurnDecision:
    """Keep or take back what is undecided of a turn. If something has to be chosen first, nothing happens."""
    found = desk.conversing.turn(turn)
    if found is None:
        raise NoSuchTurn(f"there is no turn {turn!r}", hint="see: blueline list --by turn")
    if found["ended"] is None:
        raise StillRunning(f"{turn} is still running", hint="wait for its end, or stop it")
    done = desk.decide(verdict, [turn], choices=choices, reason=reason)
    answer = _answer(turn, verdict, done)
    if needs := _asked(done["needs"]):
        answer["needs"] = needs
        answer["error"] = f"{', '.join(sorted(need['path'] for need in needs))} moved on since"
        answer["hint"] = "choose for each file: take it back anyway, or keep it"
    return answer


def _asked(needs: Sequence[NeedDocument]) -> list[TurnNeed]:
    """What has to be chosen, file by file."""
    files: dict[str, TurnNeed] = {}
    for need in needs:
        path = need["path"]
        known = files.setdefault(
            path, {"path": path, "why": _why(need), "choices": _choices(need), "lines": []}
        )
        known["lines"] += need.get("lines", [])
    return [*files.values()]


def _why(need: NeedDocument) -> str:
    if need.get("built_on_by"):
        return "other changes build on it"
    if need.get("shared_with"):
        return f"it may be the work of {', '.join(need['shared_with'])} as well"
    if need.get("why") == "corrected":
        return "you changed what the agent wrote"
    if need.get("why") == "before-unknown":
        return "what it held before is not known"
    return "it was changed just now"


def _choices(need: NeedDocument) -> list[FileChoice]:
    if need.get("built_on_by") or need.get("lines"):
        return ["anyway", "alone", "keep"]
    return ["anyway", "keep"] if need.get("shared_with") else ["keep"]


def _answer(turn: str, verdict: Verdict, done: DecisionDocument) -> TurnDecision:
    applied = [result for result in done["results"] if result["outcome"] in ("applied", "queued")]
    conversations, rewind = done.get("conversations", []), done.get("rewind", [])
    return {
        "turn": turn,
        "verdict": verdict,
        "decisions": [done["decision"]] if done["decision"] else [],
        "edits": len(applied),
        "files": sorted({result["path"] for result in applied}),
        "skipped": [result for result in done["results"] if result["outcome"] in ("skipped", "conflict")],
        "written": done["written"],
        "kept": done["kept"],
        "needs": [],
        "conversation": conversations[0] if conversations else None,
        "rewind": rewind[0] if rewind else None,
    }
