"""Text that arrives in pieces, while people type in the same file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.contract.overview import Mode
from blueline.sdk import EditRefused, Session, StreamOver
from blueline.sdk import stream as streaming
from tests.support.project import POEM, Make, Project

CHUNKS = ["The fi", "rst line\nand th", "e second\n", "", "third\n"]
TEXT = "".join(CHUNKS)


def agent(project: Project, name: str = "my-agent") -> Session:
    return Session(project.root, name, environ=project.environ)


def agent_text(project: Project) -> str:
    """All that agents wrote and nobody has decided on."""
    return "".join(hunk["new"] for hunk in project.hunks())


@pytest.mark.parametrize(
    ("place", "result"),
    [
        ({}, POEM + TEXT),
        ({"at": "end"}, POEM + TEXT),
        ({"at": "start"}, TEXT + POEM),
        ({"at": "whole"}, TEXT),
        ({"at": POEM.index("line 5")}, POEM.replace("line 5", TEXT + "line 5")),
        ({"replace": "line 5\n"}, POEM.replace("line 5\n", TEXT)),
    ],
)
def test_t01_a_stream_ends_as_one_write_would(project: Make, place: dict[str, object], result: str) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn, turn.stream("a.md", **place) as stream:  # type: ignore[arg-type]
        for chunk in CHUNKS:
            stream.write(chunk)
            stream.flush()
    assert p.text("a.md") == result
    (call,) = p.calls()
    assert (call["outcome"], call["tool"]) == ("done", "stream_file")
    p.reject()
    assert p.text("a.md") == POEM


def test_t01_at_each_piece_what_is_pending_is_what_is_there(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn, turn.stream("a.md", at="start") as stream:
        arrived = ""
        for chunk in CHUNKS:
            stream.write(chunk)
            stream.flush()
            arrived += chunk
            assert p.text("a.md") == arrived + POEM
            with p.desk() as desk:
                patch = desk.diff(())["diff"]
            added = [line[1:] for line in patch.splitlines() if line[:1] == "+" and line[:3] != "+++"]
            # What has no line end yet stands on one line with what follows it.
            whole, _, begun = arrived.rpartition("\n")
            assert "\n".join(added).startswith(whole)
            assert begun in "\n".join(added)
    p.reject()
    assert p.text("a.md") == POEM


def test_a_file_comes_to_be_by_a_stream(project: Make) -> None:
    p = project()
    with agent(p).turn("please") as turn, turn.stream("new/a.md", at="whole") as stream:
        stream.pour(CHUNKS)
    assert p.text("new/a.md") == TEXT
    p.reject()
    assert not p.exists("new")


def test_a_stream_of_nothing_makes_an_empty_file(project: Make) -> None:
    p = project()
    with agent(p).turn("please") as turn, turn.stream("a.md"):
        pass
    assert p.read("a.md") == b""


def test_the_last_piece_ends_the_stream(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn:
        turn.stream("a.md", call_id="call-7").write("one\n")
        turn.stream(call_id="call-7").write("two\n")
        stream = turn.stream(call_id="call-7")
        stream.write("three\n", last=True)
        assert stream.outcome is not None
        assert (stream.outcome.landed, stream.outcome.complete, stream.outcome.call) == (True, True, "call-7")
        with pytest.raises(StreamOver, match="closed"):
            stream.write("four\n")
        with pytest.raises(EditRefused, match="no stream 'call-7' is open"):
            turn.stream(call_id="call-7")
    assert p.text("a.md") == POEM + "one\ntwo\nthree\n"
    assert len(p.calls()) == 1


def test_pieces_may_cut_a_character_in_two(project: Make) -> None:
    p = project()
    with agent(p).turn("please") as turn, turn.stream("a.md") as stream:
        for half in ("smile \ud83d", "\ude00", " \ud83d"):
            stream.write(half)
            stream.flush()
    assert p.text("a.md") == "smile 😀 \N{REPLACEMENT CHARACTER}"


# Cut short


def test_t02_what_arrived_before_a_stream_was_cancelled_can_be_taken_back(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn:
        stream = turn.stream("a.md")
        stream.write("The first li")
        outcome = stream.cancel()
    assert (outcome.landed, outcome.complete) == (True, False)
    assert p.text("a.md") == POEM + "The first li"
    assert agent_text(p) == "The first li"
    (call,) = p.calls()
    assert (call["outcome"], call["about"]["incomplete"], call["about"]["error"]) == (
        "failed",
        True,
        "cancelled",
    )
    p.reject()
    assert p.text("a.md") == POEM


def test_t03_a_stream_that_breaks_is_flagged(project: Make) -> None:
    p = project({"a.md": POEM})

    def breaking() -> Iterator[str]:
        yield "The first li"
        raise ConnectionError("reset by peer")

    with agent(p).turn("please") as turn, pytest.raises(ConnectionError), turn.stream("a.md") as stream:
        stream.pour(breaking())
    assert p.text("a.md") == POEM + "The first li"
    (call,) = p.calls()
    assert call["about"]["error"] == "ConnectionError: reset by peer"
    assert call["about"]["incomplete"] is True
    p.reject()
    assert p.text("a.md") == POEM


def test_a_stream_that_nobody_ends_ends_with_its_turn(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn:
        turn.stream("a.md").write("The first li")
    assert agent_text(p) == "The first li"
    (call,) = p.calls()
    assert call["about"]["error"] == "the turn ended"


def test_a_stream_that_is_cancelled_at_once_changes_nothing(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn:
        turn.stream("a.md", replace="line 3\n").cancel()
        turn.stream("b.md").cancel()
    assert p.text("a.md") == POEM
    assert not p.exists("b.md")
    assert p.hunks() == []


# What is replaced


@pytest.mark.parametrize("place", [{"at": "whole"}, {"replace": POEM[7:]}], ids=str)
def test_f04_a_line_that_comes_again_as_it_was_is_no_change(project: Make, place: dict[str, object]) -> None:
    p = project({"a.md": POEM})
    new = POEM.replace("line 7\n", "line seven\n").replace("line 12\n", "")
    with agent(p).turn("please") as turn, turn.stream("a.md", **place) as stream:  # type: ignore[arg-type]
        for line in new.removeprefix("" if "at" in place else POEM[:7]).splitlines(keepends=True):
            stream.write(line[:3])
            stream.write(line[3:])
            stream.flush()
            # All that was not reached yet is still there.
            assert p.text("a.md").endswith("line 20\n")
    assert p.text("a.md") == new
    found = p.hunks()
    assert {hunk["new"] for hunk in found} <= {"", "line seven\n"}
    assert {hunk["old"] for hunk in found} <= {"", "line 7\n", "line 12\n"}
    p.reject()
    assert p.text("a.md") == POEM


def test_what_a_stream_has_not_reached_when_it_is_cancelled_stays(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn:
        stream = turn.stream("a.md", at="whole")
        stream.write("line 1\nline two\nline 3\nline fo")
        stream.cancel()
    assert p.text("a.md") == POEM.replace("line 2\n", "line two\n").replace("line 4\n", "line foline 4\n")
    p.reject()
    assert p.text("a.md") == POEM


# A person types


def type_in(project: Project, *steps: tuple[str, str]) -> None:
    for old, new in steps:
        project.sub("a.md", old, new)


def test_t04_typing_above_below_and_inside_is_kept_and_the_stream_goes_on(project: Make) -> None:
    p = project({"a.md": "top\nmiddle\nend\n"})
    with agent(p).turn("please") as turn, turn.stream("a.md", at=len("top\nmiddle\n")) as stream:
        stream.write("first streamed line\nsecond streamed li")
        stream.flush()
        type_in(p, ("top\n", "top\ntyped above\n"))
        type_in(p, ("first streamed", "first (typed inside) streamed"))
        type_in(p, ("end\n", "end\ntyped below\n"))
        stream.write("ne\nthird streamed line\n")
        stream.flush()
        type_in(p, ("middle\n", "the middle\n"))
        stream.write("fourth streamed line\n")
    assert p.text("a.md") == (
        "top\ntyped above\nthe middle\n"
        "first (typed inside) streamed line\nsecond streamed line\n"
        "third streamed line\nfourth streamed line\n"
        "end\ntyped below\n"
    )
    (need,) = p.decide("reject", ())["needs"]  # D1: what was typed inside corrects that line
    assert [line["now"] for line in need["lines"]] == ["first (typed inside) streamed line"]
    p.decide("reject", (), dependents="keep")
    kept = "first (typed inside) streamed line\n"
    assert p.text("a.md") == f"top\ntyped above\nthe middle\n{kept}end\ntyped below\n"
    p.undo()
    p.accept()
    assert p.hunks() == []


def test_t04_what_is_typed_is_nobody_elses(project: Make) -> None:
    p = project({"a.md": "top\nend\n"})
    with agent(p).turn("please") as turn, turn.stream("a.md", at=len("top\n")) as stream:
        stream.write("streamed\n")
        stream.flush()
        type_in(p, ("end\n", "end\ntyped\n"))
        stream.write("more\n")
    assert agent_text(p) == "streamed\nmore\n"
    p.reject()
    assert p.text("a.md") == "top\nend\ntyped\n"


def test_what_is_typed_where_the_stream_stands_comes_after_it(project: Make) -> None:
    p = project({"a.md": "top\n"})
    with agent(p).turn("please") as turn, turn.stream("a.md") as stream:
        stream.write("one ")
        stream.flush()
        p.put("a.md", "top\none typed\n")
        stream.write("two ")
    assert p.text("a.md") == "top\none two typed\n"


def test_a_person_deletes_what_was_streamed_and_the_rest_still_comes(project: Make) -> None:
    p = project({"a.md": "top\nend\n"})
    with agent(p).turn("please") as turn, turn.stream("a.md", at=len("top\n")) as stream:
        stream.write("one\ntwo\n")
        stream.flush()
        type_in(p, ("one\n", ""))
        stream.write("three\n")
    assert p.text("a.md") == "top\ntwo\nthree\nend\n"


def test_a_file_that_a_person_deletes_stays_deleted(project: Make) -> None:
    p = project({"a.md": "top\n"})
    with agent(p).turn("please") as turn:
        stream = turn.stream("a.md")
        stream.write("one\n")
        stream.flush()
        (p.root / "a.md").unlink()
        stream.write("two\n")
        with pytest.raises(StreamOver, match="gone"):
            stream.flush()
        with pytest.raises(StreamOver, match="gone"):
            stream.write("three\n")
    assert not p.exists("a.md")
    (call,) = p.calls()
    assert call["outcome"] == "failed"


def test_a_stream_waits_for_a_program_that_has_the_file_open(project: Make) -> None:
    p = project({"a.md": "top\n"})
    with agent(p).turn("please") as turn, turn.stream("a.md") as stream:
        with open(p.root / "a.md", "r+b"):
            stream.write("one\n")
            stream.flush()
            assert p.text("a.md") == "top\n"
        stream.write("two\n")
    assert p.text("a.md") == "top\none\ntwo\n"


def test_a_stream_does_not_wait_for_ever(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "PATIENCE_SECONDS", 0)
    p = project({"a.md": "top\n"})
    with agent(p).turn("please") as turn, open(p.root / "a.md", "r+b"):
        stream = turn.stream("a.md")
        stream.write("one\n")
        with pytest.raises(EditRefused, match="not written"):
            stream.close()
    assert p.text("a.md") == "top\n"
    (call,) = p.calls()
    assert call["outcome"] == "failed"


def test_two_streams_grow_in_one_file(project: Make) -> None:
    p = project({"a.md": "top\nmiddle\nend\n"})
    with agent(p, "first").turn("one") as one, agent(p, "second").turn("two") as two:
        upper = one.stream("a.md", at=len("top\n"))
        lower = two.stream("a.md", at=len("top\nmiddle\n"))
        for number in range(3):
            for stream, name in ((upper, "upper"), (lower, "lower")):
                stream.write(f"{name} {number}\n")
                stream.flush()
        type_in(p, ("middle\n", "typed\n"))
        upper.close()
        lower.close()
    uppers, lowers = ("".join(f"{name} {number}\n" for number in range(3)) for name in ("upper", "lower"))
    assert p.text("a.md") == f"top\n{uppers}typed\n{lowers}end\n"
    p.reject(p.turn("one"))
    assert p.text("a.md") == f"top\ntyped\n{lowers}end\n"
    assert agent_text(p) == lowers
    p.reject(p.turn("two"))
    assert p.text("a.md") == "top\ntyped\nend\n"


SIZES = st.integers(1, 3)


@given(st.lists(st.tuples(SIZES, st.booleans(), SIZES, st.integers(0, 99)), min_size=1, max_size=6))
@settings(max_examples=25)
def test_t04_whatever_is_typed_while_whatever_is_streamed_stays(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, bool, int, int]]
) -> None:
    p = Project(tmp_path_factory.mktemp("any"), {"a.md": "top\nend\n"})
    # Whole words and whole lines, each of them once: what is typed into a word makes the word the person's.
    fresh = itertools.count(100)
    streamed: list[str] = []
    typed: list[str] = []
    with agent(p).turn("please") as turn, turn.stream("a.md", at=len("top\n")) as stream:
        for chunk_words, ends_line, typed_words, place in steps:
            streamed += (chunk := [f"agent{next(fresh)}" for _ in range(chunk_words)])
            stream.write(" ".join(chunk) + (" ", "\n")[ends_line])
            stream.flush()
            text = p.text("a.md")
            places = [0, *(at + 1 for at, char in enumerate(text) if char in " \n")]
            at = places[place % len(places)]
            end = "\n" if at == 0 or text[at - 1] == "\n" else " "
            typed += (words := [f"typed{next(fresh)}" for _ in range(typed_words)])
            p.put("a.md", text[:at] + "".join(word + end for word in words) + text[at:])
    text = p.text("a.md")
    assert [word for word in text.split() if word.startswith("agent")] == streamed
    people = [word for word in text.split() if not word.startswith("agent")]
    assert sorted(people) == sorted(["top", "end", *typed])
    # D1: lines that were typed into stay as they are, with the agent's words in them; no other is made (D0).
    p.decide("reject", (), dependents="keep")
    left = p.text("a.md")
    assert [word for word in left.split() if not word.startswith("agent")] == people
    assert {line for line in left.split("\n") if "agent" in line} <= {*text.split("\n")}
    p.undo()
    assert p.text("a.md") == text


# Meanwhile


def test_t05_others_are_decided_on_during_a_stream(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    with agent(p).turn("please") as turn:
        turn.edit_file("a.md", "line 3\n", "line three\n")
        turn.edit_file("b.md", "line 3\n", "line three\n")
        with turn.stream("a.md") as stream:
            stream.write("streamed\n")
            stream.flush()
            p.reject("b.md")
            assert p.text("b.md") == POEM
            (finished,) = (hunk["id"] for hunk in p.hunks() if hunk["new"] == "line three\n")
            p.decide("reject", [finished])
            stream.write("more\n")
    p.hunks()  # what had to wait for the stream is done
    assert p.text("a.md") == POEM + "streamed\nmore\n"
    assert agent_text(p) == "streamed\nmore\n"


@pytest.mark.parametrize("mode", ["review", "hold"])
def test_in_hold_mode_a_stream_is_one_proposal(project: Make, mode: Mode) -> None:
    p = project({"a.md": "top\nend\n"})
    p.set_mode(mode)
    with agent(p).turn("please") as turn, turn.stream("a.md", at=len("top\n")) as stream:
        stream.pour(["one\n", "tw"])
        stream.flush()
        type_in(p, ("end\n", "end\ntyped\n"))
        stream.write("o\n")
    assert stream.outcome is not None
    assert (stream.outcome.held, stream.outcome.landed) == (mode == "hold", mode == "review")
    assert p.text("a.md") == ("top\nend\ntyped\n" if mode == "hold" else "top\none\ntwo\nend\ntyped\n")
    p.accept()
    assert p.text("a.md") == "top\none\ntwo\nend\ntyped\n"


def test_what_arrived_of_a_proposal_is_proposed(project: Make) -> None:
    p = project({"a.md": "top\n"})
    p.set_mode("hold")
    with agent(p).turn("please") as turn:
        stream = turn.stream("a.md")
        stream.write("one\n")
        outcome = stream.cancel()
        assert not turn.stream("b.md").cancel().held
    assert (outcome.held, outcome.complete) == (True, False)
    (hunk,) = p.hunks()
    assert (hunk["new"], hunk["held"]) == ("one\n", True)
    assert p.show(hunk["id"])["about"]["incomplete"] is True


# Cost


class Ticking:
    """A clock by which a piece comes every ten milliseconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def streamed(project: Project, count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Stream that many pieces; the number of records."""
    clock = Ticking()
    monkeypatch.setattr(streaming.Stream.__init__, "__kwdefaults__", {"clock": clock})
    before = len(project.frames())
    with agent(project).turn("please") as turn, turn.stream("big.md") as stream:
        for number in range(count):
            clock.now += 0.01
            stream.write(f"{number % 10} ")
    return len(project.frames()) - before


def test_t07_ten_thousand_tiny_pieces_are_one_hunk_and_few_records(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project()
    few = streamed(p, 1_000, monkeypatch)
    p.accept()
    (p.root / "big.md").unlink()
    records = streamed(p, 10_000, monkeypatch)
    assert p.text("big.md") == "".join(f"{number % 10} " for number in range(10_000))
    # Ten times the pieces, ten times the writes: one for each quarter of a second.
    assert few <= 45
    assert records <= 410
    (hunk,) = p.hunks("big.md")
    p.reject(hunk["id"])
    assert not p.exists("big.md")


def test_pieces_that_come_together_are_written_together(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Ticking()
    monkeypatch.setattr(streaming.Stream.__init__, "__kwdefaults__", {"clock": clock})
    p = project()
    with agent(p).turn("please") as turn, turn.stream("a.md") as stream:
        stream.write("seen at once ")
        assert p.text("a.md") == "seen at once "
        stream.write("later ")
        assert p.text("a.md") == "seen at once "
        clock.now += streaming.WRITE_EVERY
        stream.write("now")
        assert p.text("a.md") == "seen at once later now"
