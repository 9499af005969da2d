"""What a comment asks for: commands at the start of a line, and everything else as feedback."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from blueline.forge.rendered import Paragraph, paragraphs

Verb = Literal["apply", "reject"]

MARK = "<!-- blueline"
"""Stands in everything that Blueline itself posts."""

LONGEST_REASON = 1_000
LONGEST_FEEDBACK = 20_000
MOST_COMMANDS = 20
LARGEST_NUMBER = 100_000

_COMMAND = re.compile(r"/(apply|reject)(?![\w/-])[ \t]*(.*)", re.IGNORECASE)
_HEAD = re.compile(r"(?:^|[ \t,])(?:at[ \t]+|@)`?([0-9a-f]{7,64})`?(?=$|[ \t])", re.IGNORECASE)
_BECAUSE = re.compile(r"(?:(?:^|[ \t])(?:because|since|—)|:)[ \t]+(.*)$", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentCommand:
    """One command. `problem` says what is wrong with it, and then it asks for nothing."""

    verb: Verb
    numbers: frozenset[int] = frozenset()
    everything: bool = False
    head: str = ""
    """The beginning of the commit that it is meant for, if it names one."""
    reason: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentRequest:
    """What a comment asks for: commands, or else words for the agent."""

    commands: tuple[CommentCommand, ...] = ()
    feedback: str = ""


def is_own(body: str) -> bool:
    """Whether a text is one of ours, or holds one."""
    return MARK in body


def parse(body: str) -> CommentRequest:
    """What a comment asks for, as it is shown: what is quoted, folded or code is no command."""
    source = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    commands: list[CommentCommand] = []
    for paragraph in paragraphs("\n".join(source)):
        for line in paragraph.lines:
            match = _COMMAND.fullmatch(line.rstrip())
            if match is None:
                continue
            if len(commands) < MOST_COMMANDS:
                commands.append(_command("apply" if match[1].lower() == "apply" else "reject", match[2]))
            _take_out(line, source, paragraph)
    text = "\n".join(source).strip()
    has_words = any(line.strip() and not line.lstrip().startswith(">") for line in source)
    return CommentRequest(commands=tuple(commands), feedback=text[:LONGEST_FEEDBACK] if has_words else "")


def _take_out(command: str, source: list[str], paragraph: Paragraph) -> None:
    """Take a command out of what is feedback."""
    for number in range(paragraph.first, paragraph.end):
        if source[number].strip() == command.strip():
            source[number] = ""
            return


def _command(verb: Verb, rest: str) -> CommentCommand:
    reason = ""
    if verb == "reject" and (because := _BECAUSE.search(rest)) is not None:
        rest, reason = rest[: because.start()], because[1].strip()[:LONGEST_REASON]
    head = ""
    if (named := _HEAD.search(rest)) is not None:
        head, rest = named[1].lower(), rest[: named.start()] + rest[named.end() :]
    words = rest.replace("`", " ").strip().lower()
    if words == "all" or (verb == "reject" and not words):
        return CommentCommand(verb=verb, everything=True, head=head, reason=reason)
    if not words:
        return CommentCommand(
            verb=verb, problem="it does not say which: `/apply all`, `/apply 1,3` or `/apply 2-4`"
        )
    numbers = _numbers(words)
    if numbers is None and verb == "reject":
        # Somebody gives a reason without the word: nothing is rejected by a guess.
        return CommentCommand(verb=verb, problem="it was not understood: `/reject`, or `/reject 2 because …`")
    if numbers is None:
        return CommentCommand(
            verb=verb, problem="it was not understood: `/apply all`, `/apply 1,3` or `/apply 2-4`"
        )
    return CommentCommand(verb=verb, numbers=numbers, head=head, reason=reason)


def _numbers(words: str) -> frozenset[int] | None:
    """The numbers of a list such as `1,3` or `2-4 7`; None if it is none."""
    found: set[int] = set()
    spaced = re.sub(r"[ \t]*-[ \t]*", "-", words)
    for part in re.split(r"[ \t,;]+|\band\b", spaced):
        if not part:
            continue
        first, dash, last = part.removeprefix("#").partition("-")
        last = last.removeprefix("#")
        if not _NUMBER.fullmatch(first) or (dash and not _NUMBER.fullmatch(last)):
            return None
        low, high = int(first), int(last) if dash else int(first)
        if not 1 <= low <= high <= LARGEST_NUMBER:
            return None
        found.update(range(low, high + 1))
    return frozenset(found) or None
