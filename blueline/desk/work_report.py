"""What agents wrote, and what became of it: kept, corrected, rejected, by whom and where and when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from blueline.desk.project_store import Store
from blueline.model.ids import CALL

if TYPE_CHECKING:
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.report import OutcomesDocument, ReportDocument, ReportRowDocument


def work_report(store: Store, since: str = "") -> ReportDocument:
    """All changes that agents made since a moment, or ever."""
    found = [
        hunk
        for hunk in store.index.files.hunks("all")
        if hunk["actor"]["kind"] in ("agent", "shared") and hunk["at"] >= since
    ]
    models = {
        CALL.id(call["number"]): model
        for call in store.index.calls.scan()
        if isinstance(model := call["about"].get("model"), str)
    }
    return counted(found, models, since)


def counted(found: list[HunkDocument], models: Mapping[str, str], since: str = "") -> ReportDocument:
    """The same for some hunks. `models` are those that calls were made with, as far as they are known."""

    def by(name: Callable[[HunkDocument], str]) -> list[ReportRowDocument]:
        return sorted(_rows(found, name), key=lambda row: (-row["changes"], row["name"]))

    return {
        "since": since or None,
        "total": _outcomes(found),
        "agents": by(lambda hunk: hunk["actor"]["name"]),
        "models": by(lambda hunk: models.get(hunk["call"] or "", "")),
        "tools": by(lambda hunk: hunk["tool"] or ""),
        "folders": by(lambda hunk: _folder(hunk["path"])),
        "weeks": sorted(_rows(found, lambda hunk: _week(hunk["at"])), key=lambda row: row["name"]),
    }


def _rows(found: Iterable[HunkDocument], name: Callable[[HunkDocument], str]) -> list[ReportRowDocument]:
    groups: dict[str, list[HunkDocument]] = {}
    for hunk in found:
        groups.setdefault(name(hunk), []).append(hunk)
    return [{"name": one, **_outcomes(group)} for one, group in groups.items()]


def _outcomes(found: Iterable[HunkDocument]) -> OutcomesDocument:
    outcomes = [_outcome(hunk) for hunk in found]
    return {
        "changes": len(outcomes),
        "kept": outcomes.count("kept"),
        "corrected": outcomes.count("corrected"),
        "rejected": outcomes.count("rejected"),
        "pending": outcomes.count("pending"),
    }


def _outcome(hunk: HunkDocument) -> str:
    if hunk["status"] == "accepted":
        return "corrected" if hunk["modified"] else "kept"
    return "rejected" if hunk["status"] == "rejected" else "pending"


def _folder(path: str) -> str:
    folder, slash, _ = path.partition("/")
    return folder if slash else "."


def _week(at: str) -> str:
    try:
        year, week, _ = datetime.fromisoformat(at).isocalendar()
    except ValueError:
        return ""
    return f"{year}-W{week:02}"
