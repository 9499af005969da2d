"""What happened, as text: newest first, in whole or a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from blueline.surfaces.cli.phrases import (
    NO_PROMPT,
    SHORT_COMMIT,
    called,
    count,
    hint,
    moment,
    overridden,
    some,
    verdict,
)
from blueline.surfaces.cli.terminal import Screen, first_line, fitted, safe, visible

if TYPE_CHECKING:
    from blueline.contract.log import (
        CallLogged,
        DecisionLogged,
        LogDocument,
        LogEntry,
        NoteLogged,
        TurnLogged,
    )

FEW_PATHS = 3
MOST_LINES = 12
"""Of a prompt: all of it is what `show` is for."""


def history(document: LogDocument, screen: Screen) -> Iterator[str]:
    """The answer to `log`: a paragraph for each, as git does; the calls of a turn below its prompt."""
    entries = document["entries"]
    turns = {entry["id"] for entry in entries if entry["kind"] == "turn"}
    calls: dict[str, list[CallLogged]] = {}
    for entry in reversed(entries):
        if entry["kind"] == "call":
            calls.setdefault(entry["turn"], []).append(entry)
    if not entries:
        yield from _nothing(screen)
        return
    for entry in entries:
        if entry["kind"] == "turn":
            yield from _turn(entry, calls.get(entry["id"], ()), screen)
        elif entry["kind"] == "decision":
            yield from _decision(entry, screen)
        elif entry["kind"] != "call" or entry["turn"] not in turns:
            yield from _other(entry, screen)
        else:
            continue
        yield ""
    yield from _end(document, screen)


def _nothing(screen: Screen) -> Iterator[str]:
    yield "Nothing has happened here yet."
    yield hint("let an agent work in this project, then: blueline list", screen)


def unmatched(document: LogDocument, screen: Screen) -> Iterator[str]:
    """The answer to `log` of something of which there is none."""
    yield "Nothing that happened is what you asked for."
    yield hint("blueline log shows everything", screen)


def _end(document: LogDocument, screen: Screen) -> Iterator[str]:
    for one in document["tally"]:
        if one["rejected"]:
            who = f"{safe(one['agent'])} {safe(one['tool'])}"
            yield screen.paint(f"rejected of {who}: {one['rejected']} of {one['edits']}", "dim")
    yield hint("blueline show ID tells more, blueline undo ID undoes a decision", screen)


def _head(kind: str, name: str, facts: Sequence[tuple[str, str]], screen: Screen) -> Iterator[str]:
    yield screen.paint(f"{kind} {safe(name)}", "warn")
    width = max(len(label) for label, _ in facts) + 1
    for label, value in facts:
        if value:
            yield f"{f'{label}:'.ljust(width)} {value}"


def _body(text: str) -> Iterator[str]:
    lines = text.strip("\n").split("\n")
    yield ""
    yield from (f"    {visible(line, tabs=True)}".rstrip() for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"    … {count(len(lines) - MOST_LINES, 'more line')}"


def _turn(entry: TurnLogged, calls: Sequence[CallLogged], screen: Screen) -> Iterator[str]:
    running = "" if entry["ended"] else ", still running"
    facts = [("Agent", f"{safe(entry['agent'])}{running}"), ("Date", moment(entry["at"]))]
    yield from _head("turn", entry["id"], facts, screen)
    yield from _body(entry["prompt"] if entry["prompt"].strip() else NO_PROMPT)
    if calls:
        yield ""
    width = max((len(call["id"]) for call in calls), default=0)
    for call in calls:
        yield f"    {screen.paint(safe(call['id']).ljust(width), 'id')}  {called(call)}"


def _decision(entry: DecisionLogged, screen: Screen) -> Iterator[str]:
    agent = f" ({safe(entry['agent'])})" if entry["agent"] else ""
    commit = safe(entry["commit"])[:SHORT_COMMIT]
    facts = [
        ("Verdict", f"{_answer(entry)}{_undone(entry)}{_wrote(entry)}"),
        ("By", f"{safe(entry['by'])}{agent}{', at the hub' if entry['request'] else ''}"),
        ("Commit", commit),
        ("Date", moment(entry["at"])),
    ]
    yield from _head("decision", entry["id"], facts, screen)
    if entry["reason"].strip():
        yield from _body(entry["reason"])


def _other(entry: LogEntry, screen: Screen) -> Iterator[str]:
    yield from _head(entry["kind"], entry["id"], [("Date", moment(entry["at"]))], screen)
    yield from _body(_entry(entry))


def oneline(document: LogDocument, screen: Screen) -> Iterator[str]:
    """The answer to `log --oneline`."""
    entries = document["entries"]
    if not entries:
        yield from _nothing(screen)
        return
    width = max(len(entry["id"]) for entry in entries)
    styles = {"turn": "heading", "call": "dim"}
    for entry in entries:
        at = moment(entry["at"])
        text = _entry(entry)
        text = fitted(text, screen.width - len(at) - width - 4) if screen.watched else text
        identifier = screen.paint(safe(entry["id"]).ljust(width), "id")
        yield f"{screen.paint(at, 'dim')}  {identifier}  {screen.paint(text, styles.get(entry['kind'], ''))}"
    yield ""
    yield from _end(document, screen)


def noted(entry: NoteLogged) -> str:
    """`note (must-fix, sent) on src/a.py:3`."""
    where = safe(entry["path"] or entry["of"]) + (f":{entry['line']}" if entry["line"] else "")
    return f"note ({safe(entry['note'])}, {safe(entry['status'])}) on {where}"


def _entry(entry: LogEntry) -> str:
    if entry["kind"] == "turn":
        running = "" if entry["ended"] else " (still running)"
        return f"{safe(entry['agent'])}{running}: {first_line(entry['prompt']) or NO_PROMPT}"
    if entry["kind"] == "call":
        return called(entry)
    if entry["kind"] == "note":
        return f"{noted(entry)}: {first_line(entry['text'])}"
    if entry["kind"] == "override":
        return f"gate {overridden(entry)}"
    reason = first_line(entry["reason"])
    because = f", because: {reason}" if reason else ""
    agent = f" by {safe(entry['agent'])}" if entry["agent"] else ""
    agent = f" by {safe(entry['by'])} at the hub" if entry["request"] else agent
    commit = f" by commit {safe(entry['commit'])[:SHORT_COMMIT]}" if entry["commit"] else ""
    return f"{_answer(entry)}{agent}{commit}{_undone(entry)}{because}{_wrote(entry)}"


def _answer(entry: DecisionLogged) -> str:
    """`reject 2 hunks in src/a.py`."""
    where = f" in {some(entry['paths'], FEW_PATHS)}" if entry["paths"] else ""
    return f"{verdict(entry)} {count(len(entry['hunks']), 'hunk')}{where}"


def _undone(entry: DecisionLogged) -> str:
    return "" if entry["stands"] else " (undone)"


def _wrote(entry: DecisionLogged) -> str:
    """Which files were written, unless it is those that it is about."""
    others = entry["written"] if {*entry["written"]} - {*entry["paths"]} else []
    return f", wrote {some(others, FEW_PATHS)}" if others else ""
