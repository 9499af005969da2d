"""What is answered to a comment, and what a commit says of itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from blueline.forge.applied import SuggestionOutcome
from blueline.forge.blocks import HEAD_DIGITS
from blueline.forge.commands import MARK
from blueline.forge.objects import clean
from blueline.forge.offer import Person
from blueline.forge.suggestion import Suggestion
from blueline.hosts.inert_text import code, named, plain, unlinked
from blueline.model.visible import visible

MOST_NAMED = 50
NO_REPLY = "{user}+{login}@users.noreply.github.com"
"""The address that GitHub knows an account by without telling anybody its real one."""

EARLY = "Nothing was done: this was written before the list was made. Here is what can be applied now."
NOTHING_WAITS = "No pending suggestions to apply."


def answer_mark(comment: int) -> str:
    """The first line of an answer."""
    return f"{MARK} answer={comment} -->"


def applied_line(outcomes: Sequence[SuggestionOutcome]) -> str:
    """Applied 2, skipped 1: … ."""
    done = [one for one in outcomes if one.result != "skipped"]
    left = [one for one in outcomes if one.result == "skipped"]
    line = f"Applied {len(done)}"
    if left:
        line += f", skipped {len(left)}: {_listed(left)}"
    already = [one for one in done if one.result == "already"]
    more = f" ({_listed(already)})" if already else ""
    return f"{line}{more}."


def _listed(outcomes: Iterable[SuggestionOutcome]) -> str:
    every = list(outcomes)
    words = [
        f"**{one.number}** {named(one.path) + ' ' if one.path else ''}{one.reason}"
        for one in every[:MOST_NAMED]
    ]
    if len(every) > MOST_NAMED:
        words.append(f"and {len(every) - MOST_NAMED} more")
    return "; ".join(words)


def committed_line(commit: str, branch: str) -> str:
    return f"Commit {commit} on {code(branch)}."


def rejected_line(rejected: Sequence[Suggestion], left: Sequence[SuggestionOutcome], why: str) -> str:
    numbers = ", ".join(f"**{one.number}**" for one in rejected[:MOST_NAMED])
    line = f"Rejected {len(rejected)}" + (f": {numbers}" if rejected else "")
    if left:
        line += f"; left {len(left)}: {_listed(left)}"
    return f"{line}." + (f" Because {plain(why)}" if why and rejected else "")


def moved_line(branch: str, shown: str, now: str) -> str:
    return (
        f"Nothing was done: {code(branch)} was at `{shown[:HEAD_DIGITS]}` when the list was made, "
        f"and is at `{now[:HEAD_DIGITS]}` now. Here is what still fits."
    )


def gone_line(gone: Sequence[SuggestionOutcome]) -> str:
    return f"Not in the list any more: {_listed(gone)}."


def message(outcomes: Sequence[SuggestionOutcome], thread: int, people: Iterable[Person]) -> str:
    """The message of a commit that applies suggestions, with the people named."""
    done = [one for one in outcomes if one.result == "applied"]
    count = f"{len(done)} {'suggestion' if len(done) == 1 else 'suggestions'}"
    lines = [f"blueline: apply {count} from #{thread}", ""]
    lines += [f"- {one.number}. {unlinked(visible(one.path))}" for one in done[:MOST_NAMED]]
    if len(done) > MOST_NAMED:
        lines.append(f"- and {len(done) - MOST_NAMED} more")
    names = dict.fromkeys(f"Co-authored-by: {clean(one.name)} <{clean(one.email)}>" for one in people)
    return "\n".join([*lines, "", *names]) + "\n"


def account(login: str, user: int) -> Person:
    """An account as a commit names it."""
    return Person(name=login, email=NO_REPLY.format(user=user, login=login))
