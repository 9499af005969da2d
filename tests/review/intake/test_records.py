"""Records of hooks become events, one each."""

from __future__ import annotations

from blueline.model.file_state import Regular
from blueline.model.notice import CallBegan, CallFinished, Notice, PromptGiven
from blueline.review.intake.records import SeenRecord, in_order, taken
from blueline.review.intake.taking import ObservedFiles, Taking
from blueline.review.ledger import Ledger
from tests.support.in_memory import MemoryBlobs, NoSource

BLOBS = MemoryBlobs()


def record(start: int, notice: Notice, text: str = "") -> SeenRecord:
    data = text.encode()
    state = Regular(mode=0o644, size=len(data), blob=BLOBS.put(data)) if text else None
    path = "a.md" if text else None
    look = ObservedFiles(agent="claude-code", path=path, outside=None, state=state, held=False, record=start)
    return SeenRecord(f"at {start}", look, [notice])


def begin(start: int, key: str, text: str) -> SeenRecord:
    return record(start, CallBegan(conversation="one", key=key, tool="Edit"), text)


def end(start: int, key: str, text: str) -> SeenRecord:
    return record(start, CallFinished(conversation="one", key=key, tool="Edit", failed=False), text)


def test_a_call_begins_before_it_ends_whatever_was_written_first() -> None:
    first, other = begin(2, "k", "one\n"), begin(3, "l", "two\n")
    late = end(1, "k", "two\n")
    assert in_order([late, first, other]) == [first, late, other]


def test_what_stands_in_order_stays_as_it_is() -> None:
    records = [begin(1, "k", "one\n"), end(2, "k", "two\n"), end(3, "unknown", "three\n")]
    assert in_order(records) == records


def test_the_end_of_a_call_that_was_open_does_not_wait_for_one_of_the_same_name() -> None:
    records = [end(1, "k", "two\n"), begin(2, "k", "two\n"), end(3, "k", "three\n")]
    assert in_order(records, opened=["k"]) == records


def test_each_record_is_one_event_with_its_time_and_its_place() -> None:
    ledger = Ledger(NoSource())
    taking = Taking(ledger, "", BLOBS.get, BLOBS.put)
    prompt = record(10, PromptGiven(conversation="one", prompt="please"))
    events = taken(taking, [prompt, begin(20, "k", "one\n"), end(30, "k", "two\n")])
    assert [(one.number, one.at, one.source) for one in events] == [
        (1, "at 10", 10),
        (2, "at 20", 20),
        (3, "at 30", 30),
    ]
    assert [type(fact).__name__ for fact in events[2].facts] == ["FileChanged", "CallEnded"]
    assert (ledger.counters.event, ledger.counters.source) == (3, 30)


def test_a_late_record_does_not_set_the_place_back() -> None:
    ledger = Ledger(NoSource())
    taking = Taking(ledger, "", BLOBS.get, BLOBS.put)
    records = in_order([end(10, "k", "two\n"), begin(20, "k", "one\n")])
    assert [one.source for one in taken(taking, records)] == [20, 20]


def test_a_record_that_says_nothing_is_no_event() -> None:
    ledger = Ledger(NoSource())
    taking = Taking(ledger, "", BLOBS.get, BLOBS.put)
    assert taken(taking, [SeenRecord("", record(1, PromptGiven(conversation="", prompt="")).look, [])]) == []
    assert ledger.counters.event == 0
