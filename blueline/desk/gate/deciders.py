"""Who decided: what agents and commits accepted, which the gate does not count (D5, D3), and who how much."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
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

AGENT_DECIDED, COMMIT_DECIDED = "agent-decided", "commit-decided"


def last_words(decisions: Iterable[StoredDecision]) -> dict[int, StoredDecision]:
    """For each accept and reject, the decision by which it stands or falls: itself, its last undo or redo."""
    found: dict[int, StoredDecision] = {}
    for one in sorted(decisions, key=lambda one: one["number"]):
        if one["verdict"] in ("accept", "reject"):
            found[one["number"]] = one
        elif one["verdict"] in ("undo", "redo") and one["of"] in found:
            found[one["of"]] = one
    return found


def accepted_by_nobody(store: Store) -> list[GateReason]:
    """What is accepted because an agent, or a commit, said so: a person has to look at it yet."""
    known = store.index.decisions.by_nobody()
    words = last_words(known)
    by_agents = {number: word for number, word in words.items() if word.get("agent")}
    by_commits = {number: word for number, word in words.items() if word.get("commit")}
    agents = ", ".join(sorted({word["agent"] for word in by_agents.values()}))
    return [
        *_reasons(store, known, by_agents, AGENT_DECIDED, f"{agents} and no person"),
        *_reasons(store, known, by_commits, COMMIT_DECIDED, "a commit and nobody else"),
    ]


def _reasons(
    store: Store,
    known: Iterable[StoredDecision],
    words: Mapping[int, StoredDecision],
    code: str,
    who: str,
) -> Iterator[GateReason]:
    """Why some decisions keep the gate closed, if anything is accepted by them."""
    paths: set[str] = set()
    counting: set[int] = set()
    for number in sorted({file for one in known if one["number"] in words for file in one["files"]}):
        file = store.ledger.file(number)
        for _, mark in file.pieces() if file is not None else ():
            if file is not None and (found := _word_on(mark, words, file.fallen)):
                counting.add(found)
                paths.add(file.live.path)
    if counting:
        numbers = sorted({words[number]["number"] for number in counting})
        ids = ", ".join(map(DECISION.id, numbers))
        yield GateReason(
            code=code,
            message=f"{who} accepted changes in {', '.join(sorted(paths)[:3])}"
            f"{f' and {len(paths) - 3} more' if len(paths) > 3 else ''} ({ids})",
            hint=f"take that back, then decide: blueline undo {DECISION.id(numbers[-1])}",
            about=tuple(map(DECISION.id, numbers)),
        )


def _word_on(mark: Mark, words: Mapping[int, StoredDecision], fallen: Collection[int]) -> int:
    """The one of these decisions by which a piece is accepted; 0 if it is not, or by another."""
    if mark.state != ACCEPTED:
        return 0
    for number, _ in reversed(mark.log):
        if number in words:
            return number
        if number not in fallen:
            return 0
    return 0


def who_decided(store: Store, changed: Collection[str]) -> list[DecidedDocument]:
    """Who accepted and rejected how much in these files, and in which; in all if there are none."""
    known = store.decisions()
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
