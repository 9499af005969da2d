"""A person corrects what an agent wrote, and then rejects it (rules D0, D1 and D4)."""

from __future__ import annotations

import pytest

from blueline.review.deciding.corrected import CorrectedLine
from blueline.review.deciding.taken_back import turned, turning_needs
from tests.support.history import SALT, History

# before the agent, by the agent, as the person left it, the corrected lines
Lines = list[tuple[int, str, str | None]]

CORRECTED: dict[str, tuple[str, str, str, Lines]] = {
    "a number": ("t = 30\n", "t = 60\n", "t = 45\n", [(1, "t = 45", "t = 30")]),
    "a call": ("x = 1\n", "x = compute()\n", "x = my_own(1)\n", [(1, "x = my_own(1)", "x = 1")]),
    "a word inside": ("if a:\n", "if a and c:\n", "if a and not c:\n", [(1, "if a and not c:", "if a:")]),
    "a whole line": ("1\ntwo\n3\n", "1\nZWEI UND\n3\n", "1\nsomething\n3\n", [(2, "something", "two")]),
    "the end of a new line": ("z\n", "z\nrun(z)\n", "z\nrun(z)  # me\n", [(2, "run(z)  # me", None)]),
    "half a word": ("d = date\n", "d = datetime\n", "d = datetimes\n", [(1, "d = datetimes", "d = date")]),
    "what was deleted": ("x = None\n", "x = \n", "x = 60\n", [(1, "x = 60", "x = None")]),
}

EVEN = {
    "a remark behind": ("t = 30\n", "t = 60\n", "t = 60  # mine\n", "t = 30  # mine\n"),
    "whole lines between": ("top\n", "top\na 1\na 2\n", "top\na 1\nmine\na 2\n", "top\nmine\n"),
    "a line for an added line": ("top\n", "top\nagent\n", "top\nof mine\n", "top\nof mine\n"),
    "a deletion": ("a b c\n", "a X Y c\n", "a X c\n", "a b c\n"),
    "a word at a seam": ("foo bar\n", "foo\n", "foox\n", "foox bar\n"),
}


def corrected(before: str, agent: str, person: str) -> History:
    history = History(before)
    history.agent(agent)
    history.person(person)
    return history


@pytest.mark.parametrize("case", CORRECTED)
def test_rule_d1_both_answers_are_texts_that_somebody_wrote(case: str) -> None:
    before, agent, person, lines = CORRECTED[case]
    history = corrected(before, agent, person)
    assert (history.text, history.agreed) == (person, before)
    (need,) = history.decide("reject", history.everything()).needs
    assert need.why == "corrected"
    assert [*need.lines] == [CorrectedLine(line=n, now=now, before=was) for n, now, was in lines]
    for dependents, text in (("with", before), ("keep", person)):
        history = corrected(before, agent, person)
        pending = history.hunks()
        history.decide("reject", history.everything(), dependents="with" if dependents == "with" else "keep")
        assert (history.text, history.hunks()) == (text, [])
        history.turn(history.decision, stands=False)
        assert (history.text, history.hunks()) == (person, pending)


@pytest.mark.parametrize("case", EVEN)
def test_rule_d1_what_corrects_nothing_is_not_asked_about(case: str) -> None:
    before, agent, person, after = EVEN[case]
    history = corrected(before, agent, person)
    assert history.decide("reject", history.everything()).needs == []
    assert history.text == after


def test_rule_d1_what_is_done_to_a_correction_belongs_to_it() -> None:
    history = corrected("t = 30\n", "t = 60\n", "t = 45\n")
    history.person("t = 50\n")
    (need,) = history.decide("reject", history.everything()).needs
    assert [line.now for line in need.lines] == ["t = 50"]
    history.decide("reject", history.everything(), dependents="with")
    assert history.text == "t = 30\n"


def test_rule_d1_of_a_rewritten_correction_the_later_goes_back_first() -> None:
    history = corrected("t = 30\n", "t = 60\n", "t = 45\n")
    history.agent("t = 99\n")
    (need,) = history.decide("reject", history.everything()).needs
    assert [line.now for line in need.lines] == ["t = 45"]
    history.decide("reject", history.everything(), dependents="keep")
    assert history.text == "t = 45\n"


def test_rule_d1_what_a_dependent_wrote_did_not_stand_there_before() -> None:
    history = History("t = 30\n")
    history.agent("t = 60\n")
    history.agent("t = 99\n")
    history.person("t = 45\n")
    _, need = history.decide("reject", history.call(1)).needs
    assert [*need.lines] == [CorrectedLine(line=1, now="t = 45", before="t = 30")]


def test_rule_d1_only_the_corrected_lines_of_a_hunk_are_kept() -> None:
    history = corrected("f(a)\nx = 1\nend\n", "f(a, b)\nx = 2\nend\n", "f(a, c)\nx = 2\nend\n")
    history.decide("reject", history.everything(), dependents="keep")
    assert history.text == history.agreed == "f(a, c)\nx = 1\nend\n"


def test_rule_d1_accepting_asks_nothing() -> None:
    history = corrected("t = 30\n", "t = 60\n", "t = 45\n")
    assert history.decide("accept", history.everything()).needs == []
    assert history.text == history.agreed == "t = 45\n"


def test_rule_d0_what_would_be_nobodys_line_is_refused() -> None:
    history = History("t = 30\n")
    history.agent("t = 60\n")
    pieces = history.everything()
    history.decide("reject", pieces)
    history.person("t = 35\n")
    assert [need.why for need in history.decide("accept", pieces).needs] == ["moved-on"]
    plan = turned(history.file, history.decision, stands=False, number=history.decision + 1, salt=SALT)
    assert [need.why for need in turning_needs(plan)] == ["moved-on"]


def test_rule_d4_what_was_made_again_is_not_doubled() -> None:
    history = History("coffee\n")
    history.agent("iced coffee\n")
    history.decide("reject", history.everything())
    history.agent("iced coffee\n")
    plan = turned(history.file, history.decision, stands=False, number=history.decision + 1, salt=SALT)
    assert plan.after.live.text == "iced coffee\n"


@pytest.mark.parametrize("call", [1, 2])
@pytest.mark.parametrize("texts", [("hello\n", "heo\n"), ("a\nb\nc\n", "a\nc\n")])
def test_rule_d4_a_question_about_nothing_is_none(texts: tuple[str, str], call: int) -> None:
    before, between = texts
    history = History(before)
    history.agent(between)
    history.agent(before)
    assert history.hunks() == []
    history.decide("reject", history.call(call))
    assert history.text == history.agreed == before


def test_rule_d1_words_added_to_a_new_line_correct_it_whoever_writes_it_anew() -> None:
    history = corrected("x = 1\n", "one two, three\n", "one two, three, four\n")
    history.agent("seventeen eighteen, three, four, nineteen\n")
    assert history.agreed == "x = 1\n"
    (need,) = history.decide("reject", history.everything()).needs
    assert [*need.lines] == [CorrectedLine(line=1, now="one two, three, four", before="x = 1")]
    history.decide("reject", history.everything(), dependents="with")
    assert history.text == "x = 1\n"


def test_d0_a_line_end_that_an_agent_took_is_not_agreed_to_when_its_line_is_rejected() -> None:
    history = History("")
    history.agent("a\n")
    history.agent("a")
    history.person("a b")
    first = next(seen for seen in history.hunks() if seen.hunk.operation.number == 1)
    history.decide("reject", first.hunk.pieces, dependents="keep")
    assert history.text == history.agreed == "a b"


def test_rule_d0_of_words_that_stay_in_a_line_that_was_written_anew_the_blanks_between_stay() -> None:
    history = History("w34 w35\nend\n")
    history.agent("w36 w37\nend\n")
    history.person("w36 w37w46\nend\n")
    history.person("ww50 w37w46\nend\n")
    history.agent("w51 w37w46, w53\nend\n")
    history.person(" , w72\nend\n")
    first, second = (
        next(seen for seen in history.hunks() if seen.hunk.operation.number == number) for number in (1, 4)
    )
    history.decide("reject", first.hunk.pieces, dependents="keep")
    assert (history.text, history.agreed) == (" , w72\nend\n", "ww50 w37w46\nend\n")
    (need,) = history.decide("reject", second.hunk.pieces).needs
    assert [*need.lines] == [CorrectedLine(line=1, now=" , w72", before="ww50 w37w46")]
    history.decide("reject", second.hunk.pieces, dependents="with")
    assert history.text == "ww50 w37w46\nend\n"
