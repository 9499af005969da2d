"""Who decided: what agents accepted, which the gate does not count (rule D5), and who decided how much."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from blueline.desk.project_store import Store
from blueline.model.answer import ACCEPTED
from blueline.model.ids import DECISION
from blueline.model.loop import GateReason
from blueline.review.weave.mark import Mark

if TYPE_CHECKING:
    from blueline.contract.gate import DecidedDocument
    from blueline.contract.stored import StoredDecision

MOST_FILES = 100


def last_words(decisions: Iterable[StoredDecision]) -> dict[int, StoredDecision]:
    """For each accept and reject, the decision by which it stands or falls: itself, its last undo or redo."""
    found: dict[int, StoredDecision] = {}
    for one in sorted(decisions, key=lambda one: one["number"]):
        if one["verdict"] in ("accept", "reject"):
            found[one["number"]] = one
        elif one["verdict"] in ("undo", "redo") and one["of"] in found:
            found[one["of"]] = one
    return found


def accepted_by_agents(store: Store) -> list[GateReason]:
    """What is accepted because an agent said so: a person has to look at it yet."""
    known = store.index.decisions.scan()
    if not any(one.get("agent") for one in known):
        return []
    words = last_words(known)
    by_agents = {number: word for number, word in words.items() if word.get("agent")}
    paths: set[str] = set()
    counting: set[int] = set()
    for number in sorted({file for one in known if one["number"] in by_agents for file in one["files"]}):
        file = store.ledger.file(number)
        if file is None:
            continue
        for _, mark in file.pieces():
            if found := _word_on(mark, by_agents, file.fallen):
                counting.add(found)
                paths.add(file.live.path)
    if not counting:
        return []
    numbers = sorted({by_agents[number]["number"] for number in counting})
    ids = ", ".join(map(DECISION.id, numbers))
    agents = ", ".join(sorted({by_agents[number]["agent"] for number in counting}))
    return [
        GateReason(
            code="agent-decided",
            message=f"{agents} and no person accepted changes in {', '.join(sorted(paths)[:3])}"
            f"{f' and {len(paths) - 3} more' if len(paths) > 3 else ''} ({ids})",
            hint=f"take that back, then decide: blueline undo {DECISION.id(numbers[-1])}",
            about=tuple(map(DECISION.id, numbers)),
        )
    ]


def _word_on(mark: Mark, by_agents: Mapping[int, StoredDecision], fallen: Collection[int]) -> int:
    """The decision on a piece that an agent had the last word on, if the piece is accepted by it; else 0."""
    if mark.state != ACCEPTED:
        return 0
    for number, _ in reversed(mark.log):
        if number in by_agents:
            return number
        if number not in fallen:
            return 0
    return 0


def who_decided(store: Store, changed: Collection[str]) -> list[DecidedDocument]:
    """Who accepted and rejected how much in these files, and in which; in all if there are none."""
    known = store.index.decisions.scan()
    words = last_words(known)
    paths = dict(store.index.files.paths())
    found: dict[tuple[str, str], DecidedDocument] = {}
    files: dict[tuple[str, str], set[str]] = {}
    for one in known:
        if not one["stands"] or one["number"] not in words:
            continue
        about = {paths[number] for number in one["files"] if number in paths}
        if changed and about.isdisjoint(changed):
            continue
        word = words[one["number"]]
        who = word["by"], word.get("agent", "")
        entry = found.setdefault(
            who, {"by": who[0], "agent": who[1], "accepted": 0, "rejected": 0, "files": []}
        )
        entry["accepted" if one["verdict"] == "accept" else "rejected"] += len(one["hunks"])
        files.setdefault(who, set()).update(about)
    for who, entry in found.items():
        entry["files"] = sorted(files[who])[:MOST_FILES]
    return sorted(found.values(), key=lambda entry: (entry["by"], entry["agent"]))
