"""What a chat looks like in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.chat.conversation_documents import relative, shown_diff
from blueline.chat.transcript import Entry, TranscriptTurn
from blueline.model.ids import whole_number
from blueline.surfaces.cli.changes import unified
from blueline.surfaces.cli.phrases import count
from blueline.surfaces.cli.terminal import Screen, safe, visible

if TYPE_CHECKING:
    from blueline.contract.conversations import (
        AnswerOption,
        ChatStarted,
        ConversationsDocument,
        TurnDecision,
        TurnNeed,
    )
    from blueline.contract.hunks import PendingTurn

MOST_LINES = 80
STOPPING = "Stopping…"
HELP = (
    "Type what you want, and Enter. Ctrl-C stops a turn, Ctrl-D leaves.",
    "/accept      keep what the last turn did",
    "/reject      take the last turn back: files and conversation",
    "/undo        take that back",
    "/accept t3, /reject t3: the same for an earlier turn",
    "/quit        leave; `blueline chat --resume ID` goes on",
)
ENDS = {
    "cancelled": "Stopped. What landed is undecided.",
    "failed": "The turn failed. What landed is undecided.",
    "refusal": "The agent refused.",
    "max_tokens": "The agent stopped: its answer got too long.",
    "max_turn_requests": "The agent stopped: it asked its model too often.",
}


def listed(document: ConversationsDocument, screen: Screen) -> Iterator[str]:
    """The agents, and the conversations."""
    for agent in document["agents"]:
        why = (
            screen.paint(safe(agent["missing"]), "dim") if agent["missing"] else screen.paint("ready", "good")
        )
        yield f"{safe(agent['name']):16} {safe(agent['label']):16} {why}"
    for one in document["conversations"]:
        if not one["closed"]:
            state = "running" if one["running"] else count(len(one["turns"]), "turn")
            name = screen.paint(safe(one["id"]), "id")
            yield f"{name}  {safe(one['agent'])}  {state}  {safe(one['title'])}"


def greeting(document: ChatStarted, *, is_terminal: bool) -> Iterator[str]:
    if is_terminal:
        names = f"{safe(document['agent'])}, conversation {safe(document['id'])}"
        yield f"{names}. /help says more; Ctrl-D leaves."
        if document["composer"]:
            yield from back(document["composer"])


def back(text: str) -> Iterator[str]:
    """A prompt that is back in the composer: a terminal has none to put it into."""
    if text:
        yield "Your words, to be sent again or changed:"
        for line in text.splitlines():
            yield f"  {visible(line)}"


def status(entry: Entry) -> object:
    """Another one whenever an entry has to be printed again."""
    return entry.about.get("status") if entry.kind == "tool" else entry.kind


def streamed(entry: Entry, done: int | None, screen: Screen) -> str:
    """What has come of a message since."""
    text = entry.text[done or 0 :]
    lines = "\n".join(visible(line, tabs=True) for line in text.split("\n"))
    shown = screen.paint(lines, "dim") if entry.kind == "thought" else lines
    return shown if done else f"\n{shown}"


def entry(entry: Entry, screen: Screen, root: Path) -> Iterator[str]:
    """An entry that is not a message."""
    about = entry.about
    match entry.kind:
        case "tool":
            sign = {"completed": "+", "failed": "!"}.get(str(about.get("status")), "…")
            yield f"\n  {sign} {screen.paint(safe(about.get('title')), 'heading')}"
        case "plan":
            yield ""
            for step in about["steps"]:
                yield f"  - {safe(step['text'])} ({safe(step['status'])})"
        case "note":
            yield f"\n{screen.paint(visible(entry.text), 'warn')}"
        case _:
            return


def question(entry: Entry, screen: Screen, root: Path) -> Iterator[str]:
    """What the agent wants to be allowed, with what it would change."""
    about = entry.about
    yield f"\n{screen.paint('May it?', 'warn')} {safe(about['title'])}"
    if about.get("command"):
        yield f"  $ {safe(about['command'])}"
    for diff in map(shown_diff, about["diffs"]):
        place = "" if diff["line"] is None else f":{diff['line']}"
        yield f"  {screen.paint(safe(relative(root, diff['path'])) + place, 'heading')}"
        if diff["long"]:
            yield "  (too long to be shown here)"
            continue
        lines = [*unified(diff["diff"], screen)]
        for line in lines[:MOST_LINES]:
            yield f"  {line}"
        if len(lines) > MOST_LINES:
            yield f"  and {count(len(lines) - MOST_LINES, 'more line')}"
    for number, option in enumerate(about["options"], 1):
        yield f"  {number}  {safe(option['name'])}"


def chosen(line: str, options: Sequence[AnswerOption]) -> str | None:
    """The option that somebody typed: its number, or y or n."""
    word = line.strip().lower()
    number = whole_number(word) or 0
    if 0 < number <= len(options):
        return options[number - 1]["id"]
    kind = {"y": "allow_once", "yes": "allow_once", "n": "reject_once", "no": "reject_once"}.get(word)
    return next((one["id"] for one in options if one["kind"] == kind), None)


def ended(turn: TranscriptTurn, found: PendingTurn | None, screen: Screen) -> Iterator[str]:
    """The end of a turn, and what there is to decide."""
    yield ""
    if turn.stop in ENDS:
        yield screen.paint(ENDS[turn.stop], "warn")
    pending = found["pending"] if found else []
    if pending:
        files = sorted({hunk["path"] for hunk in pending})
        names = ", ".join(safe(path) for path in files[:MOST_LINES])
        edits = f"{count(len(pending), 'edit')} in {count(len(files), 'file')}"
        yield f"{screen.paint(turn.ledger, 'id')}: {edits} ({names}). /accept or /reject"


def moved(need: TurnNeed) -> Iterator[str]:
    """What has to be chosen about a file."""
    yield f"{safe(need['path'])}: {safe(need['why'])}"
    for line in need["lines"]:
        before = "nothing" if line["before"] is None else safe(line["before"])
        yield f"  line {line['line']} is now: {safe(line['now'])}"
        yield f"  {' ' * len(str(line['line']))}  before: {before}"


def decided(document: TurnDecision) -> Iterator[str]:
    """What became of a turn."""
    if not document["decisions"]:
        yield "Nothing changed: there was nothing left to decide."
        return
    verb = "Accepted" if document["verdict"] == "accept" else "Rejected"
    yield f"{verb} {count(document['edits'], 'edit')} in {count(len(document['files']), 'file')}."
    for one in document["skipped"]:
        yield f"  {safe(one['path'])}: {safe(one['reason']) or 'left out'}"
    for kept in document["kept"]:
        yield f"  {safe(kept['path'])}:{kept['line']} what you typed there was kept"
