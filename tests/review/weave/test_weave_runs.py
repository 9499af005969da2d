"""Runs, blocks and readings by themselves: what shows of a list of runs, and what an answer does to it."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.model.answer import ACCEPTED, HELD, PENDING, REJECTED, STATES, Answer
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.weave import weave as weave_module
from blueline.review.weave.mark import Mark, Segment
from blueline.review.weave.weave import (
    BLOCK,
    MOST_IN_A_PLACE,
    Block,
    LineEnd,
    Run,
    Weave,
    blocks_of,
)
from tests.review.walked import STEPS, Decide, walked
from tests.review.weave.letters import ALPHABET, History
from tests.support.texts import TEXTS


def run(
    text: str,
    op: int = 1,
    start: int = 0,
    state: Answer = ACCEPTED,
    *deletions: Mark,
    whole: bool = False,
    line_end: LineEnd | None = None,
) -> Run:
    return Run(text, start, Mark(op, 0, state, whole=whole), deletions, line_end)


def deleted(op: int, state: Answer = ACCEPTED, *, whole: bool = False) -> Mark:
    return Mark(op, 0, state, whole=whole)


def live(*runs: Run) -> str:
    return Weave.of(runs, {}).live.text


# Runs


def test_a_part_of_a_run_has_its_place_its_marks_and_its_line_end() -> None:
    gone = deleted(2)
    whole = run("ab\ncd\nef", 3, 10, ACCEPTED, gone, line_end=(7, 1))
    assert [(one.text, one.start, one.end) for one in (whole.part(0, 1), whole.part(3, 7))] == [
        ("a", 10, 11),
        ("cd\ne", 13, 17),
    ]
    assert [whole.part(*edges).line_end for edges in ((0, 1), (0, 2), (3, 4), (6, 7), (7, 8))] == [
        (3, 12),
        (3, 12),
        (3, 15),
        (7, 1),
        (7, 1),
    ]
    assert whole.part(0, 1).deletions == (gone,)
    assert whole.part(0, 1).insertion is whole.insertion
    assert whole.part(0, 8) is whole
    assert [one.text for one in (whole.part(0, 7), whole.part(1, 8))] == ["ab\ncd\ne", "b\ncd\nef"]


def test_other_answers_leave_the_text_and_its_line_end() -> None:
    changed = run("ab", 3, 10, line_end=(7, 1)).marked(Mark(3, 0, REJECTED), (deleted(4),))
    assert (changed.text, changed.start, changed.end, changed.line_end) == ("ab", 10, 12, (7, 1))
    assert (changed.insertion.state, [mark.op for mark in changed.deletions]) == (REJECTED, [4])
    assert not changed.live
    assert not changed.agreed


@pytest.mark.parametrize(
    ("one", "shows", "is_agreed"),
    [
        (run("x"), True, True),
        (run("x", 1, 0, PENDING), True, False),
        (run("x", 1, 0, HELD), False, False),
        (run("x", 1, 0, REJECTED), False, False),
        (run("x", 1, 0, ACCEPTED, deleted(2, PENDING)), False, True),
        (run("x", 1, 0, ACCEPTED, deleted(2, HELD)), True, True),
        (run("x", 1, 0, ACCEPTED, deleted(2, REJECTED)), True, True),
        (run("x", 1, 0, ACCEPTED, deleted(2, REJECTED), deleted(3)), False, False),
    ],
)
def test_what_shows_and_what_is_agreed(one: Run, shows: bool, is_agreed: bool) -> None:
    assert (one.live, one.agreed) == (shows, is_agreed)


@pytest.mark.parametrize(
    ("one", "in_file", "in_baseline"),
    [
        (run("x\n", 1, 0, REJECTED, whole=True), True, True),
        (run("x\n", 1, 0, REJECTED), False, False),
        (run("x\n", 1, 0, PENDING), True, False),
        (run("x\n", 1, 0, PENDING, whole=True), True, True),
        (run("x\n", 1, 0, ACCEPTED, deleted(2, whole=True)), True, True),
        (run("x\n", 1, 0, ACCEPTED, deleted(2)), False, False),
        (run("x\n", 1, 0, ACCEPTED, deleted(2, PENDING)), False, True),
        (run("x\n", 1, 0, ACCEPTED, deleted(2, whole=True), deleted(3)), False, False),
        # Nobody agreed to a line end that is not in the file (D0).
        (run("x\n", 1, 0, REJECTED, deleted(2, PENDING), whole=True), False, False),
    ],
)
def test_a2_a_line_end_is_kept_if_the_line_came_or_went_whole(
    one: Run, in_file: bool, in_baseline: bool
) -> None:
    assert (one.keeps_line_end(live=True), one.keeps_line_end(live=False)) == (in_file, in_baseline)


# A2: which line ends show


@pytest.mark.parametrize("line", ["abc\n", "ab\r\n", "\n", "\r\n"])
def test_a_hidden_line_end_shows_for_what_came_onto_its_line(line: str) -> None:
    end = line[-2:] if line.endswith("\r\n") else "\n"
    name = (1, 20 + len(line) - 1)
    hidden = run(line, 1, 20, REJECTED, whole=True)
    mine = run("mine", 2, line_end=name)
    assert live(mine, hidden, run("next", 3)) == f"mine{end}next"
    # For no other: of another line, of another operation, without a name.
    for other in ((1, name[1] + 1), (1, name[1] - 1), (2, name[1]), None):
        assert live(run("mine", 2, line_end=other), hidden, run("next", 3)) == "minenext"
    # Not when its line is over, and not if it went alone.
    assert live(run("mine\n", 2, line_end=name), hidden) == "mine\n"
    assert live(mine, run("\n", 5), hidden) == "mine\n"
    assert live(mine, run("x\n", 5, 0, REJECTED), hidden) == "mine"
    assert live(mine, run(line, 1, 20, ACCEPTED, deleted(4))) == "mine"
    # Whoever came onto that line, and whatever has no line end between.
    assert (
        live(mine, run("more", 5, line_end=(9, 9)), run("hidden", 6, 0, REJECTED), hidden) == f"minemore{end}"
    )
    assert live(run("more", 5, line_end=(9, 9)), mine, run("last", 6), hidden) == f"moreminelast{end}"


def test_of_several_hidden_lines_the_first_end_counts() -> None:
    hidden = run("ab\ncd\n", 1, 0, REJECTED, whole=True)
    assert [live(run("mine", 2, line_end=(1, place)), hidden) for place in (2, 5)] == ["mine\n", "mine"]


def test_a_line_that_ended_in_between_keeps_no_line_end_for_what_stands_before() -> None:
    before, between = run("x", 7, line_end=(1, 9)), run("a\nb", 2, line_end=(3, 5))
    assert live(before, between, run("\n", 1, 9, ACCEPTED, deleted(5, whole=True))) == "xa\nb"


def test_what_is_imagined_knows_the_line_from_the_first_run_on() -> None:
    weave = Weave.of([run("x", 7, line_end=(1, 0)), run("\n", 1, 0, ACCEPTED, deleted(5, whole=True))], {})
    assert weave.imagined(1, 1, [], live=True) == "\n"


def test_and_only_once() -> None:
    mine = run("mine", 2, line_end=(1, 3))
    assert (
        live(mine, run("abc\n", 1, 0, REJECTED, whole=True), run("abc\n", 1, 0, REJECTED, whole=True))
        == "mine\n"
    )


def test_of_a_hidden_line_only_its_end_is_a_span() -> None:
    weave = Weave.of(
        [run("mine", 2, line_end=(1, 3)), run("ab\r\n", 1, 0, REJECTED, whole=True), run("x", 3)], {}
    )
    assert weave.live.spans == [(0, 0, 4), (1, 2, 4), (2, 0, 1)]
    assert weave.live.starts == [0, 4, 6, 7]
    assert weave.live.before_run == [0, 4, 6, 7]
    assert weave.baseline.text == weave.live.text == "mine\r\nx"


# Blocks


@pytest.mark.parametrize(
    ("count", "of", "sizes"),
    [
        (0, 0, []),
        (1, 0, [1]),
        (100, 0, [25] * 4),
        (50, 100, [25] * 2),
        (BLOCK, BLOCK**2, [BLOCK]),
        (2 * BLOCK - 1, BLOCK**2, [2 * BLOCK - 1]),
        (2 * BLOCK, BLOCK**2, [BLOCK, BLOCK]),
        (3 * BLOCK + 3, BLOCK**2, [BLOCK + 1] * 3),
    ],
)
def test_blocks_are_about_equally_long_and_the_shorter_the_fewer_runs_there_are(
    count: int, of: int, sizes: list[int]
) -> None:
    runs = tuple(run("x", 1, number) for number in range(count))
    blocks = blocks_of(runs, of)
    assert [len(block.runs) for block in blocks] == sizes
    assert tuple(one for block in blocks for one in block.runs) == runs


def test_a_block_knows_who_has_to_do_with_it() -> None:
    block = Block((run("abc", 1, 5), run("x", 2, 0, ACCEPTED, deleted(7), deleted(8)), run("yz", 1, 1)))
    assert block.ops == {1, 2, 7, 8}
    assert block.reach == {1: (1, 8), 2: (0, 1)}
    reading = block.reading(live=True, line_ends=())
    assert block.reading(live=True, line_ends=()) is reading  # remembered
    assert block.reading(live=False, line_ends=()) is not reading


def _many() -> Weave:
    """Three blocks: hidden runs among others, one block with nothing to see, a line end of the next block."""
    runs, place = [], 0
    for number in range(3 * BLOCK):
        is_hidden = number % 5 == 2 or BLOCK <= number < 2 * BLOCK
        text = "ab"[: 1 + number % 2]
        runs.append(run(text, 1, place, REJECTED if is_hidden else ACCEPTED, line_end=(4, 0)))
        place += len(text)
    runs[2 * BLOCK] = run("\n", 4, 0, REJECTED, whole=True)
    return Weave(blocks_of(tuple(runs), BLOCK**2), {})


def test_readings_of_blocks_are_one_text() -> None:
    weave = _many()
    shown = weave.live
    assert [len(block.runs) for block in weave.blocks] == [BLOCK] * 3
    texts = [one.text if one.live else "" for one in weave.runs]
    texts[2 * BLOCK] = "\n"  # kept for what stands a whole block before it
    assert shown.text == "".join(texts)
    assert len(shown) == len(shown.text)
    assert shown.before_run == [0, *accumulate(len(text) for text in texts)]
    assert shown.spans == [(number, 0, len(text)) for number, text in enumerate(texts) if text]
    assert shown.starts == [0, *accumulate(end - start for _, start, end in shown.spans)]


def test_spans_are_found_from_any_character_on() -> None:
    shown = _many().live
    placed = [*zip(shown.spans, shown.starts, strict=False)]
    for offset in range(len(shown)):
        expected = [(span, at) for span, at in placed if at + span[2] - span[1] > offset]
        assert [*shown.spans_from(offset)] == expected
        for end in (offset, offset + 1, offset + 2, len(shown), len(shown) + 1):
            assert shown.spans_between(offset, end) == [one for one in expected if one[1] < end]
    assert [*Weave.of([], {}).live.spans_from(0)] == []


# Answers


@given(TEXTS, STEPS, st.data())
def test_an_answer_reaches_exactly_the_characters_that_it_names(
    before: str, steps: list[str | Decide], data: st.DataObject
) -> None:
    file, _ = walked(before, steps)
    weave = file.weaves[0]
    changes = []
    for piece, _ in weave.pieces():
        start = data.draw(st.integers(piece.start, piece.end))
        end = data.draw(st.integers(start, piece.end))
        if start < end:
            answer = data.draw(st.sampled_from([ACCEPTED, REJECTED, None]))
            changes.append(PieceAnswer(Piece(piece.kind, piece.op, piece.target, start, end), answer))
    states = _states(weave)
    for piece, answer in changes:
        for at in range(piece.start, piece.end):
            key = piece.kind, piece.op, piece.target, at
            states[key] = (*states[key], (99, answer if answer is not None else states[key][-1][1]))
    made = weave.answer(changes, 99)
    assert _states(made) == states
    assert [one.text for one in made.runs] != [] or before == ""
    assert "".join(one.text for one in made.runs) == "".join(one.text for one in weave.runs)
    assert made.inside is weave.inside
    assert made.imagined(0, len(made.runs) - 1, [], live=True) == made.live.text
    assert weave.answer([], 99) is weave


@pytest.mark.parametrize("alphabet", [ALPHABET, "a\n"], ids=["text", "lines"])
@pytest.mark.parametrize("block", [1, 3, BLOCK])
def test_answers_that_hold_one_another_reach_each_letter_in_their_order(
    monkeypatch: pytest.MonkeyPatch, block: int, alphabet: str
) -> None:
    monkeypatch.setattr(weave_module, "BLOCK", block)
    for seed in range(25):
        history = History(seed, alphabet)
        for _ in range(6):
            history.go_on()
            weave, changes = history.weave, history.answers()
            states = _states(weave)
            logs: dict[tuple[str, int, int, int], list[tuple[int, Answer | None]]] = {}
            for piece, answer in changes:
                for at in range(piece.start, piece.end):
                    logs.setdefault((piece.kind, piece.op, piece.target, at), []).append((99, answer))
            made = _states(weave.answer(changes, 99))
            assert made.keys() == states.keys()
            for key, log in made.items():
                new = log[len(states[key]) :]
                assert log[: len(states[key])] == states[key]
                assert len(new) == len(logs.get(key, ()))
                given = [answer for _, answer in logs.get(key, ()) if answer is not None]
                assert {*given} <= {answer for _, answer in new}


@pytest.mark.parametrize("is_live", [True, False])
@pytest.mark.parametrize("alphabet", [ALPHABET, "a\n"], ids=["text", "lines"])
def test_what_is_imagined_of_some_runs_is_what_would_show_of_them(alphabet: str, is_live: bool) -> None:
    for seed in range(40):
        history = History(seed, alphabet)
        for _ in range(6):
            history.go_on()
        weave = history.weave
        first = history.random.randrange(len(weave.runs))
        last = history.random.randrange(first, len(weave.runs))
        inside = {piece for one in weave.runs[first : last + 1] for piece, _ in one.marks()}
        changes = [
            PieceAnswer(piece, answer)
            for piece in sorted(inside)
            if (answer := history.random.choice([None, *STATES])) is not None
        ]
        made = weave.answer(changes, 99)
        shown = made.live if is_live else made.baseline
        spans = [(one, start, end) for one, start, end in shown.spans if first <= one <= last]
        expected = "".join(made.runs[one].text[start:end] for one, start, end in spans)
        assert weave.imagined(first, last, changes, live=is_live) == expected


def _states(weave: Weave) -> dict[tuple[str, int, int, int], tuple[tuple[int, Answer], ...]]:
    return {
        (piece.kind, piece.op, piece.target, at): ((0, mark.first), *mark.log)
        for piece, mark in weave.pieces()
        for at in range(piece.start, piece.end)
    }


def test_an_answer_reaches_a_run_before_the_smaller_answer_that_it_holds() -> None:
    weave = Weave.of([run("abcd", 1, 0), run("efgh", 1, 4)], {})
    smaller, larger = (
        PieceAnswer(Piece("insert", 1, 1, start, end), REJECTED) for start, end in ((5, 6), (0, 8))
    )
    assert weave.answer([smaller, larger], 5).live.text == weave.answer([larger, smaller], 5).live.text == ""


def test_blocks_that_an_answer_does_not_reach_are_the_same() -> None:
    runs = tuple(run("x", 1, number) for number in range(3 * BLOCK))
    weave = Weave(blocks_of(runs, BLOCK**2), {Segment(1, 0): None})
    middle = PieceAnswer(Piece("insert", 1, 1, BLOCK, BLOCK + 1), REJECTED)
    made = weave.answer([middle], 5)
    assert [new is old for new, old in zip(made.blocks, weave.blocks, strict=True)] == [True, False, True]
    assert [number for number, one in enumerate(made.runs) if not one.live] == [BLOCK]
    back = made.with_decision(5, frozenset({5}))
    assert [new is old for new, old in zip(back.blocks, made.blocks, strict=True)] == [True, False, True]
    assert back.live.text == weave.live.text
    assert back.inside is weave.inside
    assert [*made.with_decision(4, frozenset({4})).blocks] == [*made.blocks]
    last = PieceAnswer(Piece("insert", 1, 1, 3 * BLOCK - 1, 3 * BLOCK), REJECTED)
    first = PieceAnswer(Piece("insert", 1, 1, 0, 1), REJECTED)
    for changes in ([last, first], [first, last]):
        assert [one.live for one in weave.answer(changes, 6).runs].count(False) == 2


@pytest.mark.parametrize("is_live", [True, False])
def test_what_would_show_of_some_runs_keeps_the_line_ends_of_the_line(is_live: bool) -> None:
    state: Answer = PENDING if is_live else ACCEPTED
    runs = [
        run("far", 7, line_end=(1, 3)),
        run("before\n", 2),
        run("mine", 3, 0, state, line_end=(1, 3)),
        run("gone", 4, 0, REJECTED, line_end=(9, 9)),
        run("abc\n", 1, 0, ACCEPTED, whole=True),
        run("after", 5),
    ]
    weave = Weave.of(runs, {})
    away = [PieceAnswer(Piece("insert", 1, 1, 0, 4), REJECTED)]
    assert weave.imagined(4, 4, [], live=is_live) == "abc\n"
    assert weave.imagined(4, 4, away, live=is_live) == "\n"
    assert weave.imagined(3, 5, away, live=is_live) == "\nafter"
    assert weave.imagined(2, 2, [], live=is_live) == "mine"
    # Only what shows in that reading, and only on that line.
    alone = Weave.of([runs[0], runs[1], run("mine", 3, 0, REJECTED, line_end=(1, 3)), *runs[4:]], {})
    assert alone.imagined(3, 3, away, live=is_live) == ""


# D4: places that hold what was agreed there


def went(text: str) -> Run:
    return run(text, 1, 0, ACCEPTED, deleted(2, PENDING))


def came(text: str) -> Run:
    return run(text, 3, 0, PENDING)


def place(*runs: Run) -> list[range]:
    return Weave.of([run("top\n", 9), *runs, run("end\n", 9, 4)], {}).idle_places


def test_d4_a_place_that_holds_what_was_agreed_is_idle() -> None:
    gone = run("line\n", 1, 0, ACCEPTED, deleted(2, PENDING))
    again = run("line\n", 3, 0, PENDING)
    hidden = run("x\n", 4, 0, REJECTED)
    assert place(gone, again) == place(again, gone) == [range(1, 3)]
    assert place(gone, hidden, again) == [range(1, 4)]
    assert place(gone, run("other\n", 3, 0, PENDING)) == place(gone) == place(again) == []
    # Of more lines, those that are equal, with what is hidden behind them.
    other = run("new\n", 3, 5, PENDING)
    assert place(gone, again, other) == [range(1, 3)]
    assert place(gone, again, hidden, other) == [range(1, 4)]
    assert place(other, gone, again) == [range(2, 4)]
    # Not in the middle of a line.
    assert place(run("part", 5, 0, PENDING), gone, again) == []
    assert place(gone, run("li", 3, 0, PENDING), run("ne\n", 3, 2, PENDING), other) == [range(1, 4)]
    weave = Weave.of([gone, again], {})
    assert weave.idle == {0, 1}
    assert Weave.of([gone, again, other], {}).idle_places == [range(2)]


def test_d4_lines_are_looked_for_in_places_that_are_not_too_long() -> None:
    gone = run("line\n", 1, 0, ACCEPTED, deleted(2, PENDING))
    again = run("line\n", 3, 0, PENDING)
    for more, found in ((MOST_IN_A_PLACE - 2, [range(2)]), (MOST_IN_A_PLACE - 1, [])):
        others = [run("new\n", 3, 5 + 4 * number, PENDING) for number in range(more)]
        assert Weave.of([gone, again, *others, run("end", 9)], {}).idle_places == found


def test_d4_it_does_not_matter_how_far_down_a_place_is() -> None:
    above = [run("same\n", 9, 5 * number) for number in range(MOST_IN_A_PLACE)]
    found = Weave.of([*above, went("line\n"), came("line\n"), came("more\n")], {}).idle_places
    assert found == [range(MOST_IN_A_PLACE, MOST_IN_A_PLACE + 2)]


def test_d4_a_line_that_did_not_come_back_is_a_question_beside_one_that_did() -> None:
    assert place(went("other\n"), went("line\n"), came("line\n")) == [range(2, 4)]


def test_d4_a_line_may_come_back_before_the_one_that_went() -> None:
    assert place(came("line\n"), went("line\n"), came("more\n")) == [range(1, 3)]


def test_d4_every_line_that_came_back_in_a_place_is_found() -> None:
    first, second = (went("one\n"), came("one\n")), (went("two\n"), came("two\n"))
    assert place(*first, came("more\n"), *second) == [range(1, 3), range(4, 6)]


def test_d4_what_is_hidden_in_front_is_no_line_that_came_back() -> None:
    hidden = run("x\n", 4, 0, REJECTED)
    assert place(hidden, came("more\n"), went("line\n"), came("line\n")) == [range(3, 5)]


def test_d4_not_in_the_middle_of_a_line_but_from_the_next_one_on() -> None:
    begun = [run("top\n", 9), run("begun ", 9, 4)]
    line = [went("line\n"), came("line\n")]
    assert Weave.of([*begun, *line, came("more\n")], {}).idle_places == []
    assert Weave.of([*begun, went("old\n"), came("new\n"), *line], {}).idle_places == [range(4, 6)]


def test_d4_the_last_line_is_whole_without_a_line_end_and_no_part_of_a_line_is() -> None:
    part = [went("li"), came("li")]
    assert Weave.of([run("top\n", 9), came("more\n"), *part], {}).idle_places == [range(2, 4)]
    assert place(*part, came("on\n")) == place(*part, came("o"), came("n\n")) == []


def test_what_an_insertion_stands_inside() -> None:
    first, second, third = (Segment(op, 0) for op in (1, 2, 3))
    weave = Weave.of([], {first: None, second: first, third: second})
    assert [*weave.ancestors(third)] == [second, first]
    assert [*weave.ancestors(first)] == [*weave.ancestors(Segment(9, 9))] == []
