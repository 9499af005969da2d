"""What people said on the host, handed on to the agent through the desk."""

from __future__ import annotations

from blueline.desk.pending_files import PendingFiles
from blueline.forge.offer import Feedback, Offer
from blueline.forge.suggestion import Suggestion
from blueline.model.ids import TURN


def hand_on(desk: PendingFiles, offer: Offer) -> int:
    """Give the agents of an offer what was said since; how many words were new to them."""
    return sum(_hand_on(desk, offer, words) for words in offer.feedback)


def _hand_on(desk: PendingFiles, offer: Offer, words: Feedback) -> int:
    about = [one for one in offer.suggestions if not words.numbers or one.number in words.numbers]
    # Those that were not made from anything that an agent did here have none.
    turns = dict.fromkeys(name for one in about for name in one.of if TURN.number(name) is not None)
    key = f"{offer.repository}#{offer.number}, comment {words.comment}"
    if words.verdict != "feedback":
        key += f", {words.verdict}"  # one comment can do several things
    kind = "keep" if words.verdict == "applied" else "change"
    return desk.hand_on(key, turns, _text(words, about), kind)


def _text(words: Feedback, about: list[Suggestion]) -> str:
    named = ", ".join(f"{one.number} ({one.path})" for one in about)
    if words.verdict == "feedback":
        beside = f", on suggestion {named}" if words.numbers else ""
        return f"{words.by} on GitHub{beside}: {words.text}"
    because = f" because {words.text}" if words.text else ""
    return f"{words.by} on GitHub {words.verdict} suggestion {named}{because}"
