"""The hunks that a file knows after a decision are those that it has."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from blueline.desk.documents import hunk_rows
from blueline.journal.rows import HunkRow
from blueline.model.answer import UNDECIDED
from blueline.model.dependents import Dependents
from blueline.model.verdict import Verdict
from blueline.review.choices import Choices
from blueline.review.deciding.hunks import Hunk, hunks, known_hunks
from blueline.review.deciding.planning import plan
from blueline.review.deciding.relations import all_relations, relations
from blueline.review.deciding.shown_hunks import shown_file
from blueline.review.deciding.sides import Side, sides_of
from blueline.review.file import File
from blueline.review.file_values import dump_file, load_file
from tests.support.history import SALT, History
from tests.support.texts import TEXTS

STEPS = st.lists(st.tuples(TEXTS, st.booleans(), st.integers(0, 7)), min_size=1, max_size=6)
"""A text, whether an agent wrote it, and what is decided then: nothing, all of it, or one of its hunks."""


@given(TEXTS, STEPS)
def test_they_are_those_that_would_be_worked_out(before: str, steps: list[tuple[str, bool, int]]) -> None:
    history = History(before)
    for text, is_agent, choice in steps:
        (history.agent if is_agent else history.person)(text)
        _rows(history, history.file)  # known from here on, as in a desk that stays
        _decide(history, choice)
        _are_right(history)


@given(TEXTS, STEPS, st.sampled_from(["accept", "reject"]), st.sampled_from(["ask", "with", "keep"]))
def test_what_is_planned_for_known_hunks_is_what_would_be_planned(
    before: str, steps: list[tuple[str, bool, int]], verdict: Verdict, dependents: Dependents
) -> None:
    history = History(before)
    for text, is_agent, choice in steps:
        (history.agent if is_agent else history.person)(text)
        _decide(history, choice)
    again = load_file(json.loads(json.dumps(dump_file(history.file))))
    for hunk in hunks(history.file, SALT):
        assert _planned(history.file, hunk, verdict, dependents) == _planned(again, hunk, verdict, dependents)


LINES = st.lists(
    st.sampled_from(["", "a", "b b", "c\r"]) | st.integers(0, 30).map(lambda n: f"line {n}"),
    min_size=4,
    max_size=16,
)
EDITS = st.lists(
    st.tuples(st.integers(0, 15), st.integers(0, 2), st.lists(st.sampled_from(["x", "y z", ""]), max_size=2)),
    min_size=2,
    max_size=6,
)
"""Where lines go, how many, and which come in their place."""


@given(
    LINES, st.booleans(), st.lists(EDITS, min_size=1, max_size=2), st.lists(st.integers(0, 99), max_size=6)
)
def test_what_they_show_is_what_would_be_worked_out(
    lines: list[str], has_end: bool, edits: list[list[tuple[int, int, list[str]]]], choices: list[int]
) -> None:
    """One hunk after the other is decided, in a file of several."""

    def text(some: list[str]) -> str:
        return "\n".join(some) + "\n" * has_end

    history = History(text(lines))
    for turn in edits:
        for at, count, more in turn:
            lines = [*lines[:at], *more, *lines[at + count :]]
        history.agent(text(lines))
    for choice in choices:
        _rows(history, history.file)
        pending = [one.hunk for one in history.hunks() if one.hunk.state == "pending"]
        if pending:
            verdict: Verdict = "accept" if choice % 2 else "reject"
            history.decide(verdict, pending[choice // 2 % len(pending)].pieces, dependents="with")
            _are_right(history)


def test_one_hunk_of_many_is_answered_without_a_look_at_the_others() -> None:
    history = History("".join(f"{n}\n\n" for n in range(20)))
    history.agent("".join(f"{n} more\n\n" for n in range(20)))
    every = hunks(history.file, SALT)
    history.decide("reject", every[7].pieces)

    assert known_hunks(history.file, SALT) is not None
    _are_right(history)


def test_the_other_hunks_show_what_they_did_further_up_or_down() -> None:
    history = History("".join(f"{n}\n\n" for n in range(20)))
    history.agent("".join(f"{n} more\n{n} again\n\n" for n in range(20)))
    _rows(history, history.file)
    before, every = sides_of(history.file), hunks(history.file, SALT)
    (first_old, first_new), (last_old, last_new) = (before.of(every[n]) for n in (0, 19))
    history.decide("reject", every[7].pieces)

    assert len(sides_of(history.file)._known) == 19
    now = hunks(history.file, SALT)
    assert sides_of(history.file).of(now[0]) == (first_old, first_new)
    moved = Side(last_new.start - 1, last_new.end - 1, last_new.text)
    assert sides_of(history.file).of(now[19]) == (last_old, moved)
    _are_right(history)


def test_all_hunks_are_answered_at_once() -> None:
    history = History("one\ntwo\nthree\n")
    history.agent("ONE\ntwo\nTHREE\n")
    history.decide("accept", history.everything())

    known = known_hunks(history.file, SALT)
    assert known is not None
    assert [(hunk.state, hunk.signature) for hunk in known] == [("accepted", (1,)), ("accepted", (1,))]
    _are_right(history)


def test_a_hunk_that_has_to_do_with_another_is_worked_out() -> None:
    history = History("one\ntwo\n")
    history.agent("one\nagent\ntwo\n")
    history.agent("one\nagent\nagent again\ntwo\n")
    first, *_ = hunks(history.file, SALT)
    history.decide("accept", first.pieces)

    assert known_hunks(history.file, SALT) is None


def _planned(file: File, hunk: Hunk, verdict: Verdict, dependents: Dependents) -> object:
    """All of a plan, but that a hunk was imagined to be answered."""
    chosen = {file.number: (file, hunk.pieces)}
    found = plan(chosen, verdict, decision=99, salt=SALT, choices=Choices(dependents=dependents))
    results = [(one.hunk.id, one.hunk.pieces, one.outcome, one.reason) for one in found.results]
    files = [(dump_file(one.after), one.changes, one.passes) for one in found.files]
    return results, files, found.kept, found.needs


def _decide(history: History, choice: int) -> None:
    verdict: Verdict = "accept" if choice % 2 else "reject"
    if choice in (1, 2):
        history.decide(verdict, history.everything(), dependents="with")
    elif choice > 2 and (found := history.hunks()):
        history.decide(verdict, found[choice % len(found)].hunk.pieces, dependents="with")


def _are_right(history: History) -> None:
    again = load_file(json.loads(json.dumps(dump_file(history.file))))
    found = hunks(history.file, SALT)
    assert found == hunks(again, SALT)
    assert all_relations(history.file, found) == relations(again, found)
    sides, worked_out = sides_of(history.file), sides_of(again)
    assert [sides.of(hunk) for hunk in found] == [worked_out.of(hunk) for hunk in found]
    assert _rows(history, history.file) == _rows(history, again)


def _rows(history: History, file: File) -> list[HunkRow]:
    """All that is stored of the hunks of a file, for which what they show and build on is worked out."""
    return hunk_rows(file, shown_file(history.ledger, file, UNDECIDED))
