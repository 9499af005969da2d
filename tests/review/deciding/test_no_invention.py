"""Rule D0, property 9: no decision writes a line that nobody wrote."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.model.dependents import Dependents
from blueline.review.deciding.sides import Sides
from blueline.review.deciding.taken_back import turned, turning_needs
from tests.support.history import SALT, History
from tests.support.touches import PLACES, TOUCHES, Touch, Toucher
from tests.support.toy_formatter import formatted, joined, undecided_words
from tests.support.typed_words import TypedWords

WHO = ("agent", "another", "person")
WHAT = ("accept", "ask", "with", "keep", "lines", "all", "undo", "redo")


class Edited(NamedTuple):
    """Somebody does something to the text, perhaps near a hunk."""

    who: str
    near: bool
    place: int
    touches: list[Touch]


class Answered(NamedTuple):
    """A hunk, some lines, everything, or a decision, named by a number, gets an answer."""

    what: str
    place: int


class Formatted(NamedTuple):
    """A formatter's pass over everything, or over every other line."""

    source: random.Random
    joins: bool
    every: int


EDITS = st.builds(Edited, st.sampled_from(WHO), st.booleans(), PLACES, TOUCHES)
ANSWERS = st.builds(Answered, st.sampled_from(WHAT), PLACES)
PASSES = st.builds(Formatted, st.randoms(use_true_random=False), st.booleans(), st.integers(1, 2))


@given(st.integers(1, 4), st.lists(EDITS | EDITS | ANSWERS, max_size=12))
def test_no_line_is_made_up_whatever_people_correct(lines: int, steps: list[Edited | Answered]) -> None:
    go_through(lines, steps)


@given(st.integers(1, 4), st.lists(EDITS | EDITS | ANSWERS | PASSES, max_size=12))
def test_no_line_is_made_up_whenever_a_formatter_runs(
    lines: int, steps: list[Edited | Answered | Formatted]
) -> None:
    go_through(lines, steps)


def go_through(lines: int, steps: Sequence[Edited | Answered | Formatted]) -> None:
    toucher = Toucher()
    text = toucher.first(lines)
    history, typed = History(text), TypedWords(text)
    for step in steps:
        if isinstance(step, Answered):
            answer(history, step.what, step.place)
            typed.decided(history.text or "")
            continue
        if isinstance(step, Formatted):
            known = undecided_words(history.file)
            new = after_a_pass(history.text or "", step)
            typed.typed(new)
            history.person(new)
            assert (history.text, undecided_words(history.file)) == (new, known)
            continue
        touches = moved(history, step.touches, step.place) if step.near else step.touches
        new = toucher.touched(history.text or "", touches)
        typed.typed(new)
        if step.who == "person":
            history.person(new)
        else:
            history.agent(new, conversation=step.who)


def after_a_pass(text: str, step: Formatted) -> str:
    """The text as a formatter leaves it."""
    numbers = itertools.count()
    new = formatted(text, step.source, lambda _: next(numbers) % step.every == 0)
    return joined(new, step.source) if step.joins else new


def moved(history: History, touches: list[Touch], place: int) -> list[Touch]:
    """The same touches, on the lines of a hunk."""
    found = history.hunks()
    if not found:
        return touches
    _, new = Sides(history.file).of(found[place % len(found)].hunk)
    size = max(new.end - new.start, 1)
    return [touch._replace(line=new.start + touch.line % size) for touch in touches]


def answer(history: History, what: str, place: int) -> None:
    """Decide about a hunk, some lines or everything, or turn a decision, if nothing has to be chosen."""
    if what in ("undo", "redo"):
        number = place % max(history.decision, 1) + 1
        stands = what == "redo"
        if number > history.decision or (number in history.file.fallen) != stands:
            return
        planned = turned(history.file, number, stands=stands, number=history.decision + 1, salt=SALT)
        if not turning_needs(planned):
            history.turn(number, stands=stands)
        return
    found = history.hunks()
    if not found:
        return
    dependents: Dependents = "with" if what in ("with", "all") else "keep" if what == "keep" else "ask"
    pieces = [*found[place % len(found)].hunk.pieces]
    if what == "all":
        pieces = history.everything()
    elif what == "lines":
        line = place % max((history.text or "").count("\n"), 1) + 1
        pieces = history.lines(line, line + place % 3)
    history.decide("accept" if what == "accept" else "reject", pieces, dependents=dependents)


def test_what_an_agent_did_to_a_correction_is_asked_about_and_goes_with_it() -> None:  # D1, B2
    history = History("old line\n")
    history.agent("timeout 60\n")
    history.person("timeout 45\n")
    history.agent("timeout 45ms\n", conversation="another")
    first, second = history.call(1), history.call(2)
    (later,) = [seen.hunk.id for seen in history.hunks() if seen.hunk.operation.call == 2]
    needs = history.decide("reject", first).needs
    assert [need.built_on_by for need in needs if need.built_on_by] == [(later,)]
    assert "moved-on" not in {need.why for need in needs}
    history.decide("reject", first, dependents="with")
    assert (history.text, second != []) == ("old line\n", True)


@pytest.mark.parametrize("typed", ["ww15 = w2(w3)\n", "mine\nw11 = w2(w3)\n"])
def test_an_undo_leaves_nothing_of_a_line_but_what_was_typed_into_it(typed: str) -> None:
    history = History("w1 = w2(w3)\n")
    history.agent("w13 w14\n")
    history.decide("reject", history.everything())
    history.person(typed)
    planned = turned(history.file, 1, stands=False, number=2, salt=SALT)
    assert [need.why for need in turning_needs(planned)] == ["moved-on"]


def test_an_undo_leaves_no_comma_of_a_formatter_alone_on_a_line() -> None:
    history = History("w1 = w2(w3)\n")
    history.agent("w1 = ()\n")
    history.person("w1 =\n    ( ,\n)\n")
    history.decide("reject", history.everything())
    history.person("w1\n    = w2( w3,\n)\n")
    planned = turned(history.file, 1, stands=False, number=2, salt=SALT)
    assert [need.why for need in turning_needs(planned)] == ["moved-on"]
