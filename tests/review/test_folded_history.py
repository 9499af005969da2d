"""What was decided long ago becomes the baseline, and nothing that is open is another by it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.model.verdict import Verdict
from blueline.review.choices import Choices
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.planning import Need, Plan, plan
from blueline.review.deciding.sides import Sides
from blueline.review.file import File
from blueline.review.file_values import dump_file, load_file
from blueline.review.folded_history import FoldLimit, foldable, folded
from tests.support.history import SALT, History
from tests.support.texts import TEXTS

LATE = "9999"
"""Everything was before that."""


class Told(NamedTuple):
    """Somebody leaves a text."""

    who: str
    text: str


class Chosen(NamedTuple):
    """An answer about one of the hunks."""

    verdict: Verdict
    hunk: int
    dependents: str


class Turned(NamedTuple):
    """One of the decisions falls, or stands again."""

    decision: int
    stands: bool


LINES = st.lists(
    st.sampled_from(("one two three", "one 2 three", "four", "four five", "", "  six", "seven")), max_size=6
)
TEXT = TEXTS | LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))
STEPS = st.lists(
    st.builds(Told, st.sampled_from(("one", "two", "person")), TEXT)
    | st.builds(
        Chosen,
        st.sampled_from(("accept", "accept", "reject")),
        st.integers(0, 5),
        st.sampled_from(("ask", "with", "keep")),
    )
    | st.builds(Turned, st.integers(1, 4), st.booleans()),
    min_size=3,
    max_size=14,
)


def went(before: str, steps: list[Told | Chosen | Turned]) -> History:
    history = History(before)
    for step in steps:
        take(history, step)
    return history


def take(history: History, step: Told | Chosen | Turned) -> None:
    match step:
        case Told("person", text):
            history.person(text)
        case Told(who, text):
            history.agent(text, conversation=who)
        case Chosen():
            known = history.hunks()
            if known:
                pieces = known[step.hunk % len(known)].hunk.pieces
                history.decide(step.verdict, pieces, dependents=step.dependents)  # type: ignore[arg-type]
        case Turned():
            if step.decision <= history.decision and history.ledger.decision(step.decision) is not None:
                history.turn(step.decision, stands=step.stands)


def fold(file: File, kept: int, last: int) -> File | None:
    """The file with all folded but what the last decisions were about."""
    op = foldable(file, FoldLimit(LATE, last - kept))
    found = folded(file, op, SALT) if op else None
    return None if found is None else load_file(json.loads(json.dumps(dump_file(found))))


def shown(file: File, after: int) -> list[tuple[object, ...]]:
    sides = Sides(file)
    found = [hunk for hunk in hunks(file, SALT) if hunk.operation.number > after and hunk.listed]
    return [(hunk.id, hunk.state, hunk.pieces, *map(_side, sides.of(hunk))) for hunk in found]


def _side(side: object) -> tuple[object, object]:
    return getattr(side, "start"), getattr(side, "text")  # noqa: B009


def planned(
    file: File, hunk: Hunk, verdict: Verdict, dependents: str
) -> tuple[object, object, Sequence[Need]]:
    found: Plan = plan(
        {file.number: (file, hunk.pieces)},
        verdict,
        decision=99,
        salt=SALT,
        choices=Choices(dependents=dependents),  # type: ignore[arg-type]
    )
    texts = [(one.after.live.text, one.after.baseline.text) for one in found.files]
    results = [(one.hunk.id, one.outcome) for one in found.results]
    return texts, results, found.needs


@settings(max_examples=400)
@given(TEXT, STEPS, st.integers(0, 3))
def test_what_is_open_stays_as_it_was(before: str, steps: list[Told | Chosen | Turned], kept: int) -> None:
    file = (history := went(before, steps)).file
    less = fold(file, kept, history.decision)
    if less is None:
        return
    assert (less.live.text, less.baseline.text) == (file.live.text, file.baseline.text)
    assert (less.live.path, less.live.mode) == (file.live.path, file.live.mode)
    assert shown(less, 0) == shown(file, less.folded)
    for hunk in hunks(less, SALT):
        for verdict in ("accept", "reject"):
            for dependents in ("ask", "with", "keep"):
                before_it, after_it = (planned(one, hunk, verdict, dependents) for one in (file, less))
                assert after_it[:2] == before_it[:2], (hunk.id, verdict, dependents)
                asked, asks = before_it[2], after_it[2]
                # D0 looks at what stands around a line: with less hidden there, it knows more lines.
                assert asks == asked or (asks == [] and [one.why for one in asked] == ["moved-on"])
    for decision in range(less.settled + 1, history.decision + 1):
        for stands in (False, True):
            was, now = (one.with_decision(decision, stands=stands) for one in (file, less))
            assert (now.live.text, now.baseline.text) == (was.live.text, was.baseline.text)
            assert shown(now, 0) == shown(was, less.folded)


class Further(NamedTuple):
    """Somebody replaces some lines by new ones, and perhaps somebody decides about what is pending."""

    who: str
    line: int
    lines: int
    words: int
    then: str


FURTHER = st.lists(
    st.builds(
        Further,
        st.sampled_from(("one", "two", "person")),
        st.integers(0, 6),
        st.integers(0, 2),
        st.integers(0, 2),
        st.sampled_from(("", "", "accept", "reject", "undo")),
    ),
    max_size=6,
)


def known(history: History) -> tuple[object, ...]:
    return history.text, history.agreed, [(seen.old, seen.new) for seen in history.hunks()]


@settings(max_examples=200)
@given(TEXT, STEPS, st.integers(0, 3), FURTHER)
def test_and_history_goes_on_as_it_would_have(
    before: str, steps: list[Told | Chosen | Turned], kept: int, further: list[Further]
) -> None:
    whole, less = went(before, steps), went(before, steps)
    file = fold(less.file, kept, less.decision)
    if file is None or file.live.text is None:
        return
    less.ledger.fold_file(file)
    for number, step in enumerate(further):
        lines = (whole.text or "").splitlines(keepends=True)
        lines[step.line : step.line + step.lines] = [f"new {number} {word}\n" for word in range(step.words)]
        for history in (whole, less):
            take(history, Told(step.who, "".join(lines)))
            if step.then == "undo" and history.decision > file.settled:
                history.turn(history.decision, stands=False)
            elif step.then in ("accept", "reject"):
                history.decide(step.then, history.everything(), dependents="with")  # type: ignore[arg-type]
        assert known(less) == known(whole), step
