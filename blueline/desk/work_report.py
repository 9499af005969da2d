"""What agents wrote, and what became of it: kept, corrected, rejected, by whom and where and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.project_store import Store
from blueline.model.ids import CALL

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.report import OutcomesDocument, ReportDocument, ReportRowDocument
    from blueline.contract.stored import StoredDecision

PENDING = "pending"
DAY = len("2026-11-16")

Groups = Mapping[str, Mapping[str, int]]
"""By name, how many changes came to what."""


class AgentChange(NamedTuple):
    """What is counted of one change. Empty is what is not known."""

    day: str
    agent: str
    model: str
    tool: str
    folder: str
    person: str
    """Who decided it."""
    outcome: str
    """kept, corrected, rejected or pending."""


def work_report(store: Store, since: str = "") -> ReportDocument:
    """All changes that agents made since a moment, or ever."""
    return report_of(counted(store, since), since)


def counted(store: Store, since: str = "") -> Counter[AgentChange]:
    """The same, as they are counted."""
    models = {
        CALL.id(call["number"]): model
        for call in store.index.calls.scan()
        if isinstance(model := call["about"].get("model"), str)
    }
    deciders = _deciders(store.decisions())
    return Counter(
        agent_change(hunk, models, deciders)
        for hunk in store.index.files.hunks("all")
        if hunk["actor"]["kind"] in ("agent", "shared") and hunk["at"] >= since
    )


def agent_change(
    hunk: HunkDocument, models: Mapping[str, str], deciders: Mapping[str, str] | None = None
) -> AgentChange:
    """`models` are those that calls were made with, `deciders` who decided a hunk, as far as is known."""
    outcome = _outcome(hunk)
    return AgentChange(
        day=hunk["at"][:DAY],
        agent=hunk["actor"]["name"],
        model=models.get(hunk["call"] or "", ""),
        tool=hunk["tool"] or "",
        folder=_folder(hunk["path"]),
        person="" if outcome == PENDING else (deciders or {}).get(hunk["id"], ""),
        outcome=outcome,
    )


def _deciders(decisions: Sequence[StoredDecision]) -> dict[str, str]:
    """Whose word each hunk came to what it is by: the latest that stands. An agent that was let decides in
    its own name."""
    return {
        hunk: one["agent"] or one["by"]
        for one in decisions
        if one["stands"] and one["verdict"] in ("accept", "reject")
        for hunk in one["hunks"]
    }


def report_of(found: Mapping[AgentChange, int], since: str = "") -> ReportDocument:
    """Some changes, with how many there are of each."""

    def by(names: Iterable[tuple[str, AgentChange]]) -> dict[str, Counter[str]]:
        groups: dict[str, Counter[str]] = {}
        for name, one in names:
            groups.setdefault(name, Counter())[one.outcome] += found[one]
        return groups

    return document(
        since,
        {
            "agents": by((one.agent, one) for one in found),
            "models": by((one.model, one) for one in found),
            "tools": by((one.tool, one) for one in found),
            "folders": by((one.folder, one) for one in found),
            "people": by((one.person, one) for one in found if one.outcome != PENDING),
            "weeks": by((week(one.day), one) for one in found),
        },
    )


def document(since: str, sections: Mapping[str, Groups]) -> ReportDocument:
    """The report, from what was counted by the names of each of its parts."""
    total: Counter[str] = Counter()
    for outcomes in sections["agents"].values():
        total.update(outcomes)
    return {
        "since": since or None,
        "total": _outcomes(total),
        "agents": rows(sections["agents"]),
        "models": rows(sections["models"]),
        "tools": rows(sections["tools"]),
        "folders": rows(sections["folders"]),
        "people": rows(sections["people"]),
        "weeks": sorted(rows(sections["weeks"]), key=lambda row: row["name"]),
    }


def rows(groups: Groups) -> list[ReportRowDocument]:
    """Most changes first."""
    found: list[ReportRowDocument] = [{"name": name, **_outcomes(one)} for name, one in groups.items()]
    return sorted(found, key=lambda row: (-row["changes"], row["name"]))


def _outcomes(found: Mapping[str, int]) -> OutcomesDocument:
    return {
        "changes": sum(found.values()),
        "kept": found.get("kept", 0),
        "corrected": found.get("corrected", 0),
        "rejected": found.get("rejected", 0),
        "pending": found.get(PENDING, 0),
    }


def _outcome(hunk: HunkDocument) -> str:
    if hunk["status"] == "accepted":
        return "corrected" if hunk["modified"] else "kept"
    return "rejected" if hunk["status"] == "rejected" else PENDING


def _folder(path: str) -> str:
    folder, slash, _ = path.partition("/")
    return folder if slash else "."


def week(day: str) -> str:
    """As ISO counts and writes it; empty for what is no day."""
    try:
        year, number, _ = date.fromisoformat(day).isocalendar()
    except ValueError:
        return ""
    return f"{year}-W{number:02}"
