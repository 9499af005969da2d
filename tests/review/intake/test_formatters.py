"""Formatters' passes over what agents wrote (rule D2): each case a short history, and random ones."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.history import History
from tests.support.toy_formatter import formatted, undecided_words

LONG = "    return run(first_argument_value, second_argument_value)\n"
SPLIT = "    return run(\n        first_argument_value,\n        second_argument_value,\n    )\n"


def words_of(history: History) -> Counter[tuple[str, int]]:
    """Every undecided word that shows, with the operation it is of."""
    return undecided_words(history.file)


def test_a_reject_gives_the_old_bytes_and_undo_the_formatted_ones() -> None:
    before = "def call():\n    return 1\n"
    history = History(before)
    history.agent(before.replace("    return 1\n", LONG))
    (seen,) = history.hunks()
    history.person(before.replace("    return 1\n", SPLIT))
    (after,) = history.hunks()
    assert (after.hunk.id, after.old, after.new) == (seen.hunk.id, "    return 1\n", SPLIT)
    assert history.agreed == before
    history.decide("reject", history.everything())
    assert history.text == before
    history.turn(history.decision, stands=False)
    assert history.text == before.replace("    return 1\n", SPLIT)
    history.decide("accept", history.everything())
    assert history.text == history.agreed == before.replace("    return 1\n", SPLIT)


@pytest.mark.parametrize("typed", [(), (2, 397)])
def test_lines_that_look_alike_do_not_change_places(typed: tuple[int, ...]) -> None:
    """Every line is split into the same short ones, while every tenth is an agent's."""
    before = [f"def f{n}(a,b): return run( a,b,'{n}',x=[1,2,{n}] )\n" for n in range(400)]
    agents = [
        f"def g{n}(a,b): return call( a,b,'{n}',y=[3,4,{n}] )\n" if n % 10 == 0 else line
        for n, line in enumerate(before)
    ]
    split = [line.replace("(", "(\n    ").replace(",", ",\n    ").replace(")", "\n)") for line in agents]
    for n in typed:
        split[n] = split[n].replace("run", "walk")
    history = History("".join(before))
    history.agent("".join(agents))
    asked = [seen.hunk.id for seen in history.hunks()]
    history.person("".join(split))
    assert [seen.hunk.id for seen in history.hunks()] == asked
    history.decide("reject", history.everything())
    assert history.text == "".join(before[n] if n % 10 == 0 else line for n, line in enumerate(split))


def test_formatting_joins_the_later_of_two_hunks_on_a_line() -> None:
    history = History("run(a)\n")
    history.agent("run(a,b)\n")
    history.agent("run(a,b,c)\n", conversation="two")
    history.person("run(a, b, c)\n")
    first, second = history.hunks()
    history.decide("reject", second.hunk.pieces)
    assert history.text == "run(a,b)\n"
    history.decide("reject", first.hunk.pieces)
    assert history.text == "run(a)\n"


def test_formatting_on_other_lines_is_the_persons() -> None:
    history = History("a=1\nb=2\nc=3\n")
    history.agent("a=1\nb=[2,\n 3]\nc=3\n")
    history.person("a = 1\nb = [2, 3]\nc = 3\n")
    history.decide("reject", history.everything())
    assert history.text == "a = 1\nb=2\nc = 3\n"


def test_what_is_typed_while_a_formatter_runs_stays_when_the_rest_goes() -> None:
    history = History("top\nend\n")
    history.agent("top\nf(a,b)\ng( c)\nend\n")
    history.person("top\nf(a, b)\nmine\ng(c)\nend\n")
    history.decide("reject", history.everything())
    assert history.text == "top\nmine\nend\n"


def test_a_line_typed_above_an_agents_first_line_adds_nothing_to_its_hunk() -> None:  # property 8
    history = History("old\nend\n")
    history.agent("new one\nend\n")
    (seen,) = history.hunks()
    history.person("mine\nnew one, too\nend\n")
    (after,) = history.hunks()
    assert (after.hunk.id, after.hunk.pieces) == (seen.hunk.id, seen.hunk.pieces)


def test_a_line_typed_below_an_agents_last_line_that_has_no_end_stays() -> None:  # D0
    history = History("a = 1\nb = 2")
    history.agent("a = 1\nb = 2\nc = 3")
    history.person("a = 1\nb = 2\nc = 3\nd = 4\n")
    assert history.decide("reject", history.everything()).needs == []
    assert history.text == "a = 1\nb = 2\nd = 4\n"


def test_a_blank_line_that_goes_with_lines_of_a_person_is_not_the_agents_below() -> None:  # property 8
    history = History("\n\none\ntwo\n")
    history.agent("\n\none\nTWO\n")
    (seen,) = history.hunks()
    history.person("\nmine\nand mine\nTWO\n")
    (after,) = history.hunks()
    assert (after.hunk.id, after.hunk.pieces) == (seen.hunk.id, seen.hunk.pieces)


def test_what_an_operation_has_deleted_is_not_deleted_by_it_again() -> None:  # R09
    history = History("ö ü\n(a)\r\n")
    history.agent("\r\n\n\n\n")
    history.person("")
    pieces = [piece for shown in history.hunks() for piece in shown.hunk.pieces]
    places = [(one.kind, one.op, one.target, at) for one in pieces for at in range(one.start, one.end)]
    assert len(places) == len(set(places))
    history.decide("reject", history.everything())
    assert history.text == "ö ü\n(a)\r\n"


def test_a_word_that_is_corrected_while_a_formatter_runs_is_asked_about() -> None:  # D1
    history = History("timeout = 30\n")
    history.agent("timeout=60\n")
    history.person("timeout = 45\n")
    needs = history.decide("reject", history.everything()).needs
    assert [(need.why, need.lines[0].now, need.lines[0].before) for need in needs] == [
        ("corrected", "timeout = 45", "timeout = 30")
    ]


def test_blank_lines_at_an_undecided_deletion_go_back_with_it() -> None:
    before = "one\n\n\ntwo\n\n\nthree\n"
    history = History(before)
    history.agent("one\n\n\n\n\nthree\n")
    history.person("one\n\n\nthree\n")
    history.decide("reject", history.everything())
    assert history.text == before


def test_a_line_split_beside_an_undecided_deletion_does_not_take_it_in() -> None:
    before = "run(a, b)\ngone\nend\n"
    history = History(before)
    history.agent("run(a, b)\nend\n")
    history.person("run(\n    a,\n    b,\n)\nend\n")
    history.decide("reject", history.everything())
    assert history.text == before


@pytest.mark.parametrize(("lines", "left"), [("x\ny\n", "x\n\ny\n"), ("x\n\ny\n", "x\ny\n")])
def test_blank_lines_one_line_below_an_undecided_deletion_are_the_persons(lines: str, left: str) -> None:
    history = History("top\ngone\n" + lines)
    history.agent("top\n" + lines)
    (seen,) = history.hunks()
    history.person("top\n" + left)
    assert [(one.hunk.id, one.old, one.new) for one in history.hunks()] == [(seen.hunk.id, "gone\n", "")]
    history.decide("reject", history.everything())
    assert history.text == "top\ngone\n" + left


@pytest.mark.parametrize(("old", "new"), [("\r\n", "\n"), ("\n", "\r\n")])
def test_a_line_below_one_whose_end_an_agent_changed_is_not_the_agents(old: str, new: str) -> None:
    history = History(f"top{old}run(a){old}mine{old}last{old}")
    history.agent(f"top{old}run(a, b){new}mine{old}last{old}")
    (seen,) = history.hunks()
    history.person(f"mine{old}top{old}run(a, b){new}last{old}")
    assert [(one.hunk.id, one.new) for one in history.hunks()] == [(seen.hunk.id, f"run(a, b){new}")]
    history.decide("reject", history.everything())
    assert history.text == f"mine{old}top{old}run(a){old}last{old}"


def test_a_hunk_that_a_formatter_brought_to_nothing_is_rejected_by_hand() -> None:
    history = History("top\na = 1\nmiddle\nb=2\nend\n")
    history.agent("top\na=1\nmiddle\nb=3\nend\n")
    history.person("top\na = 1\nmiddle\nb = 3\nend\n")
    assert [seen.new for seen in history.hunks()] == ["b = 3\n"]
    assert len(history.hunks(("rejected",))) == 1
    assert history.agreed == "top\na = 1\nmiddle\nb=2\nend\n"


def test_a_line_that_a_person_did_not_touch_stays_the_agents_among_many_that_changed() -> None:
    before = "".join(f"other_{n}(a,b)\n\n" for n in range(4))
    agent = before.replace("other_1(a,b)\n", "mine(a,b)\n")
    history = History(before)
    history.agent(agent)
    known = words_of(history)
    history.person("\n" + agent.replace(",", ", ").replace("(", "(\n    ").replace("\n\n", "\n"))
    assert words_of(history) == known


@pytest.mark.parametrize("by", [1, 2])
def test_lines_that_were_sorted_stay_in_their_hunk(by: int) -> None:  # D2 (e)
    before = "import os\nimport sys\n\nprint(os, sys)\n"
    history = History(before)
    text = before
    for name in ("json", "abc")[:by]:
        text = text.replace("import sys\n", f"import sys\nimport {name}\n")
        history.agent(text)
    names = sorted(["os", "sys", "json", "abc"][: 2 + by])
    history.person("".join(f"import {name}\n" for name in names) + "\nprint(os, sys)\n")
    assert len(history.hunks()) == by
    history.decide("reject", history.everything())
    assert history.text == before


def test_a_line_that_an_agent_changed_in_part_moves_whole() -> None:  # D2 (e)
    before = "import os\nimport sys\nimport zlib\n"
    history = History(before)
    history.agent("import os\nimport sys\nimport abc\n")
    known = words_of(history)
    history.person("import abc\nimport os\nimport sys\n")
    assert words_of(history)[("abc", 1)] == known[("abc", 1)] == 1
    history.decide("reject", history.everything())
    assert history.text == before


@pytest.mark.parametrize("end", ["\n", ""])
def test_imports_on_the_last_line_are_organised_as_others_are(end: str) -> None:  # D2
    history = History("x = 1\n")
    history.agent(f"x = 1\nimport os, abc{end}")
    history.person(f"x = 1\nimport abc, os{end}")
    assert len(history.hunks()) == 1
    history.decide("reject", history.everything())
    assert history.text == "x = 1\n"


def test_a_decision_that_was_undone_before_takes_formatting_along_when_it_stands_again() -> None:  # B6
    history = History("top\nend\n")
    history.agent("top\nf(a,b)\nend\n")
    history.decide("reject", history.everything())
    decision = history.decision
    history.turn(decision, stands=False)
    history.person("top\nf(a, b)\nend\n")
    history.turn(decision, stands=True)
    assert history.text == "top\nend\n"
    history.turn(decision, stands=False)
    assert history.text == "top\nf(a, b)\nend\n"


def test_an_editors_undo_of_the_formatting_leaves_the_agents_text() -> None:  # A10 (b)
    history = History("top\nend\n")
    history.agent("top\nf(a,b)\nend\n")
    history.person("top\nf(a, b)\nend\n")
    history.person("top\nf(a,b)\nend\n")
    assert [seen.new for seen in history.hunks()] == ["f(a,b)\n"]
    history.person("top\nend\n")
    assert history.hunks() == []
    history.person("top\nf(a, b)\nend\n")
    assert [seen.new for seen in history.hunks()] == ["f(a, b)\n"]


def test_a_range_on_part_of_what_was_split_takes_all_of_it() -> None:
    before = "def call():\n    return 1\n\n\ndef other():\n    return 2\n"
    history = History(before)
    history.agent(before.replace("    return 1\n", LONG + "    # agent\n"))
    history.person(before.replace("    return 1\n", SPLIT + "    # agent\n"))
    history.decide("reject", history.lines(4, 4))
    assert "argument" not in (history.text or "")
    assert "# agent" in (history.text or "")


def test_a_range_on_a_persons_line_below_added_blank_lines_takes_nothing() -> None:  # D8
    history = History("one\ntwo\n")
    history.agent("one\nf()\ntwo\n")
    history.person("one\n\n\nf()\n\n\ntwo\n")
    assert history.lines(7, 7) == []
    assert history.lines(1, 1) == []
    history.decide("reject", history.lines(4, 4))
    assert history.text == "one\ntwo\n"


def test_a_line_end_that_shows_for_the_sake_of_its_line_does_not_undo_a_pass() -> None:  # A2
    history = History("top = 1\nfour = five(six)\nseven = eight(nine)\n")
    history.agent("top = 1\nten\ntwelve\nfourteen\nsixteen seventeen\n")
    history.decide("reject", history.everything())
    history.person("top = 1\nfour\n    =  five(\n        six)\nseven =  eight(nine)\n\n")
    history.agent("top = 1\ntwenty\ntwo\n        more)\nseven =  eight(nine)\n\n")
    history.turn(1, stands=False)
    text = history.text or ""
    known = words_of(history)
    history.person(text.replace("sixteen seventeen", "sixteen\n    seventeen").replace(" \n", "\n\n    \n"))
    assert words_of(history) == known


# Random edits, and a formatter that is worse than any


class Toy:
    """Lines of words that tell whose they are."""

    def __init__(self, source: random.Random) -> None:
        self._random = source
        self._count = 0

    def line(self, whose: str) -> str:
        self._count += 1
        name = f"{whose}{self._count}"
        shapes = ("{0}={0}x", "{0}('{0}y',{0}z)", "return {0} +{0}w", "{0} = [ {0}u,{0}v ]", "{0} {{ {0}s }}")
        return " " * self._random.choice((0, 4)) + self._random.choice(shapes).format(name) + "\n"

    def edited(self, text: str) -> str:
        """The text after an agent put in some lines, took out some, or changed some."""
        lines = text.splitlines(keepends=True)
        for _ in range(self._random.randint(1, 3)):
            at, kind = self._random.randint(0, len(lines)), self._random.random()
            if kind < 0.5 or not lines:
                lines[at:at] = [self.line("agent") for _ in range(self._random.randint(1, 3))]
            elif kind < 0.75:
                lines[at : at + 1] = [self.line("agent")]
            elif len(lines) > 1:
                del lines[at : at + 1]
        return "".join(lines)

    def formatted(self, text: str) -> str:
        """The text after a formatter's pass over agents' lines."""
        return formatted(text, self._random, lambda line: "agent" in line)


@given(st.integers(1, 6), st.integers(1, 3), st.integers(1, 2), st.randoms(use_true_random=False))
def test_whatever_is_formatted_goes_back_whole_and_nobody_typed_it(
    lines: int, calls: int, passes: int, source: random.Random
) -> None:
    toy = Toy(source)
    before = "".join(toy.line("base") for _ in range(lines))
    history = History(before)
    text = before
    for number in range(calls):
        text = toy.edited(text)
        history.agent(text, conversation=("one", "two")[number % 2])
    known = words_of(history)
    for _ in range(passes):
        text = toy.formatted(text)
        history.person(text)
        assert history.text == text
        assert words_of(history) == known
    assert history.decide("reject", history.everything()).needs == []
    assert history.text == before
    history.turn(history.decision, stands=False)
    assert history.text == text
    history.decide("accept", history.everything())
    assert (history.text, history.agreed) == (text, text)
