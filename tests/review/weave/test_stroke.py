"""One operation enters a weave."""

from __future__ import annotations

import pytest
from hypothesis import given

from blueline.model.answer import ACCEPTED, REJECTED
from blueline.model.piece import Piece, PieceAnswer
from blueline.review.weave import weave as weave_module
from blueline.review.weave.mark import Mark
from blueline.review.weave.stroke import Stroke, line_ends_kept, woven
from blueline.review.weave.weave import Run, Weave
from tests.review.walked import STEPS, Decide, walked
from tests.review.weave.letters import ALPHABET, History, Written, edits, hidden, letters
from tests.support.texts import TEXTS


@given(TEXTS, STEPS)
def test_every_run_is_what_its_operation_inserted_there(
    before: str, steps: list[str | Decide]
) -> None:  # R14
    file, strokes = walked(before, steps)
    inserted = {stroke.op: "".join(stroke.inserted) for stroke in strokes} | {0: before}
    found: dict[int, list[tuple[int, int]]] = {op: [] for op in inserted}
    for run in file.weaves[0].runs:
        assert run.text == inserted[run.insertion.op][run.start : run.end]
        found[run.insertion.op].append((run.start, run.end))
    for op, text in inserted.items():
        # R09: they tile what was inserted, in order.
        edges = [0, *(end for _, end in found[op])]
        assert [begin for begin, _ in found[op]] == edges[:-1]
        assert edges[-1] == len(text)


@pytest.mark.parametrize("block", [1, 3, weave_module.BLOCK])
@pytest.mark.parametrize("alphabet", [ALPHABET, "a\n"], ids=["text", "lines"])
@pytest.mark.parametrize("seed", range(3))
def test_an_operation_does_to_each_letter_what_the_rules_say(
    monkeypatch: pytest.MonkeyPatch, seed: int, alphabet: str, block: int
) -> None:  # A1, A2, A3, D0, D2
    """However the letters are cut into runs, and these into blocks."""
    monkeypatch.setattr(weave_module, "BLOCK", block)
    for number in range(12):
        history = History(seed * 1000 + number, alphabet)
        for _ in range(6):
            before, stroke = history.weave, history.stroke()
            expected = Written(letters(before), before.inside, stroke)
            history.weave = woven(before, stroke)
            assert hidden(letters(history.weave)) == hidden(expected.out)
            assert history.weave.inside == expected.inside
            history.go_on()


REJECTED_ALL = (Piece("delete", 1, 0, 0, 1), Piece("insert", 1, 1, 0, 4))


@pytest.mark.parametrize(
    ("text", "before", "rejected", "stroke"),
    [
        ("hab\n", [edits((0, 1, ""), op=1)], (), edits((0, 1, "x\n"))),
        ("\nab", [], (), edits((0, 0, "x"))),
        ("axb\n", [edits((1, 2, ""), op=1)], (), edits((1, 1, "c"))),
        ("a\nbxc", [edits((3, 4, ""), op=1)], (), edits((2, 4, ""))),
        ("wz\n", [edits((0, 1, ""), (1, 1, "x\ny\n"), op=1)], REJECTED_ALL, edits((0, 3, ""))),
        (
            "abc\n",
            [edits((2, 2, "w"), op=1)],
            (Piece("insert", 0, 0, 0, 4),),
            edits((0, 1, ""), (1, 1, "q\n")),
        ),
    ],
    ids=[
        "a hidden beginning",
        "an empty line",
        "the second letter",
        "a last line",
        "hidden lines behind what shows",
        "a line end that is kept",
    ],
)
def test_where_edits_touch_each_other_or_what_is_hidden(
    text: str, before: list[Stroke], rejected: tuple[Piece, ...], stroke: Stroke
) -> None:  # A1, A2, A3
    weave = Weave.of([Run(text, 0, Mark(0, 0, ACCEPTED, whole=True))], {})
    for one in before:
        weave = woven(weave, one)
    weave = weave.answer([PieceAnswer(piece, REJECTED) for piece in rejected], 8)
    expected = Written(letters(weave), weave.inside, stroke)
    assert hidden(letters(woven(weave, stroke))) == hidden(expected.out)


def test_line_ends_that_show_for_others_are_those_of_hidden_letters() -> None:  # A2
    found = 0
    for seed in range(40):
        history = History(seed)
        for _ in range(8):
            history.go_on()
        shown = [one for one in letters(history.weave) if one.shows]
        kept = [number for number, one in enumerate(shown) if not one.is_live]
        found += len(kept)
        offsets = line_ends_kept(history.weave.live, history.weave.runs)
        assert offsets == [at for at in kept if at - 1 not in kept]
    assert found
