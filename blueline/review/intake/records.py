"""Records of hooks, taken in one after the other: what each of them says becomes an event."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from blueline.model.fact import Event
from blueline.model.notice import CallBegan, CallFinished, Notice
from blueline.review.intake.taking import ObservedFiles, Taking


class SeenRecord(NamedTuple):
    """What a record says."""

    at: str
    look: ObservedFiles
    notices: Sequence[Notice]


def in_order(records: Sequence[SeenRecord], opened: Iterable[str] = ()) -> list[SeenRecord]:
    """A call's beginning comes before its end, in whatever order two hooks got to write.

    A call that has begun before all of these (`opened` are their keys) has its end where it stands, as the
    same key may come again.
    """
    begun = {notice.key for one in records for notice in one.notices if isinstance(notice, CallBegan)}
    begun.difference_update(opened)
    ordered: list[SeenRecord] = []
    late: dict[str, list[SeenRecord]] = {}
    for one in records:
        begins = [notice.key for notice in one.notices if isinstance(notice, CallBegan)]
        begun.difference_update(begins)
        ends = [notice for notice in one.notices if isinstance(notice, CallFinished) and not notice.unnamed]
        if waits := next((notice.key for notice in ends if notice.key in begun), None):
            late.setdefault(waits, []).append(one)
            continue
        ordered += [one, *(end for key in begins for end in late.pop(key, ()))]
    return ordered


def keys_in(records: Iterable[SeenRecord]) -> set[str]:
    """The keys of all calls that records speak of."""
    return {
        notice.key
        for one in records
        for notice in one.notices
        if isinstance(notice, CallBegan | CallFinished)
    }


def taken(taking: Taking, records: Iterable[SeenRecord]) -> list[Event]:
    """The events that records become. The ledger knows them; they have to be written down."""
    counters = taking.ledger.counters
    events = []
    for record in records:
        taking.begin(record.at)
        for notice in record.notices:
            taking.notice(notice, record.look)
        if taking.facts:
            number, source = counters.event + 1, max(record.look.record, counters.source)
            events.append(Event(number=number, at=record.at, source=source, facts=tuple(taking.facts)))
            taking.ledger.count(event=number, source=source)
    return events
