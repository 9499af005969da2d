"""Letting an agent forget a turn: what it remembers to go on with, and what it is told."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from blueline.chat.transcript import AgentMemory, Entry, Transcript

LONGEST_HISTORY = 60_000
LONGEST_ANSWER = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """Begin as this conversation was at one of its messages."""

    session: str
    message: str
    marks: tuple[tuple[int, str], ...]
    """What is known of its messages up to there."""


def remembering(thread: Transcript, history: tuple[int, ...]) -> list[AgentMemory]:
    """The agent's conversations that hold just these turns, the latest first."""
    return [one for one in reversed(thread.sessions.values()) if one.turns == history]


def fork_for(thread: Transcript, history: tuple[int, ...]) -> Fork | None:
    """Where a conversation held just these turns, before it held more."""
    for one in reversed(thread.sessions.values()):
        marks = dict(one.marks)
        if history and one.turns[: len(history)] == history and history[-1] in marks:
            kept = tuple((turn, mark) for turn, mark in one.marks if turn in history)
            return Fork(session=one.name, message=marks[history[-1]], marks=kept)
    return None


def holds_just(thread: Transcript, history: tuple[int, ...], told: Iterable[str]) -> bool:
    """Whether these turns and no others were in a conversation, by what its agent tells people said in it.

    The first ones may be missing: an agent that began anew was told of them in other words.
    """
    known = {turn.prompt.strip() for turn in thread.turns.values()}
    prompts = [text.strip() for text in told if text.strip() in known]
    left = [thread.turns[number].prompt.strip() for number in history]
    return bool(prompts) and left[-len(prompts) :] == prompts


def retold(thread: Transcript, history: Collection[int]) -> str:
    """The turns that are left, told to an agent that was not there."""
    parts = []
    for number in history:
        said = [entry for entry in thread.entries if entry.turn == number]
        parts.append(_turn(thread.turns[number].prompt, said))
    text = "\n\n".join(parts)
    if len(text) > LONGEST_HISTORY:
        text = "[…]\n" + text[-LONGEST_HISTORY:]
    return (
        "This conversation goes on from an earlier one, of which you remember nothing. "
        "This is what was said and done, and still counts; the files are as it left them.\n\n"
        f"<earlier-conversation>\n{text}\n</earlier-conversation>"
    )


def _turn(prompt: str, entries: Iterable[Entry]) -> str:
    lines = [f"Person: {prompt}"]
    for entry in entries:
        if entry.kind == "agent" and entry.text.strip():
            lines.append(f"You: {entry.text.strip()[:LONGEST_ANSWER]}")
        elif entry.kind == "tool":
            lines.append(f"You used a tool: {entry.about.get('title', '')} ({entry.about.get('status', '')})")
    return "\n".join(lines)


def reasoned(reasons: Iterable[str]) -> list[str]:
    """What an agent is told of turns that it has forgotten, where a person said why they were taken back."""
    return [
        f"[An earlier attempt was taken back, files and conversation. The person said: {reason}]"
        for reason in reasons
    ]
