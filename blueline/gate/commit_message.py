"""The message of a commit, proposed from what was asked for and what was decided."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from blueline.hosts.inert_text import unlinked
from blueline.model.visible import visible

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument
    from blueline.contract.log import LogEntry

LONGEST_SUBJECT = 72
LONGEST_LINE = 100
LONGEST_REASON = 1000
MOST_TURNS = 20


def proposed(entries: Sequence[LogEntry], *, since: str, kept: Collection[str], is_reviewed: bool) -> str:
    """A message for all that happened since a time. Entries are those of the log, newest first.

    `kept` are the turns of which something is left: what was taken back is nothing that a commit is about.
    """
    after = _moment(since)
    recent = [one for one in reversed(entries) if _moment(one["at"]) >= after]
    turns = [one for one in recent if one["kind"] == "turn" and one["id"] in kept and _line(one["prompt"])]
    asked = [one for one in turns if not _line(one["prompt"]).startswith("/")]
    accepted, rejected = (
        {
            hunk
            for one in recent
            if one["kind"] == "decision" and one["stands"] and one["verdict"] == verdict
            for hunk in one["hunks"]
        }
        for verdict in ("accept", "reject")
    )
    subject = (
        _cut(_line(asked[0]["prompt"]), LONGEST_SUBJECT)
        if asked
        else "Reviewed changes"
        if is_reviewed
        else "Changes"
    )
    body = []
    if len(asked) > 1:
        body += [f"- {_cut(_line(one['prompt']), LONGEST_LINE)}" for one in asked[:MOST_TURNS]]
        body += [f"- and {len(asked) - MOST_TURNS} more"] if len(asked) > MOST_TURNS else []
        body.append("")
    agents = sorted({one["agent"] for one in asked if one["agent"]})
    if accepted or rejected:
        by = f" of {', '.join(agents)}" if agents else ""
        parts = [f"{len(accepted)} change{'s' * (len(accepted) != 1)}{by} kept"] if accepted else []
        parts += [f"{len(rejected)} taken back"] if rejected else []
        body.append(f"{'Reviewed' if is_reviewed else 'Decided'} with Blueline: {', '.join(parts)}.")
    return "\n".join([subject, "", *body]).rstrip() + "\n"


def with_override(message: str, gate: GateDocument) -> str:
    """A message that says so where somebody opened the gate all the same."""
    override = gate["override"]
    if override is None:
        return message
    codes = ", ".join(sorted({reason["code"] for reason in gate["reasons"]}))
    who, until = _line(override["by"]), override["expires"]
    said = f"The gate was overridden by {who} until {until}, passing over {codes}:"
    if said in message:
        return message  # somebody was shown it as a proposal, and sends it back
    reason = unlinked(visible(" ".join(override["reason"].split())))
    return f"{message.rstrip()}\n\n{said}\n{_cut(reason, LONGEST_REASON)}\n"


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _line(text: str | None) -> str:
    """The first line that is not blank; git takes one that begins with a hash for a remark."""
    lines = [line.strip().lstrip("#").strip() for line in (text or "").splitlines() if line.strip()]
    return unlinked(visible(lines[0])) if lines else ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
