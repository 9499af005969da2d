"""Which changes are offered, which are committed, and which are both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from blueline.forge.forge_config import ForgeSettings, Mode
from blueline.forge.suggestion import Suggestion
from blueline.model.risk import ChangedTogether, Level, assess, at_least

Route = Literal["suggest-only", "suggest-and-commit", "commit-only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """What happens to each suggestion."""

    shown: tuple[Suggestion, ...] = ()
    committed: tuple[Suggestion, ...] = ()


def route(mode: Mode, threshold: Level, risk: Level) -> Route:
    """What happens to a change of some risk."""
    if mode != "hybrid":
        return mode
    return "suggest-only" if at_least(risk, threshold) else "commit-only"


def weighed(suggestions: Sequence[Suggestion], settings: ForgeSettings) -> list[Suggestion]:
    """The suggestions with their risk, and the reasons for it."""
    beside = ChangedTogether({one.path for one in suggestions})
    found = []
    for one in suggestions:
        risk = assess(one.change.subject, beside, settings.rules)
        reasons = tuple(f"{reason.rule}: {reason.message}" for reason in risk.reasons)
        found.append(replace(one, risk=risk.level, reasons=reasons))
    return found


def sort(suggestions: Sequence[Suggestion], mode: Mode, threshold: Level) -> Sorted:
    """The suggestions by what happens to them. One file is never half committed."""
    risks: dict[str, list[Level]] = {}
    for one in suggestions:
        risks.setdefault(one.path, []).append(one.risk)
    shown, committed = [], []
    for one in suggestions:
        worst = next((risk for risk in risks[one.path] if at_least(risk, threshold)), one.risk)
        way = route(mode, threshold, worst)
        if way != "commit-only":
            shown.append(one)
        if way != "suggest-only":
            committed.append(one)
    return Sorted(shown=tuple(shown), committed=tuple(committed))
