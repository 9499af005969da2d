"""Frames that were purged since they were sent, told from any other difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.hub.pushed_bytes import OtherBytes, purged_since
from blueline.journal.frames import EVENT, Frame, purged
from blueline.kernel import disk

PAYLOADS = st.lists(st.binary(max_size=40), min_size=1, max_size=8)


@given(PAYLOADS, st.data())
def test_exactly_the_purged_ones_are_found(payloads: list[bytes], data: st.DataObject) -> None:
    known = [disk.frame(EVENT, one) for one in payloads]
    chosen = data.draw(st.sets(st.integers(0, len(known) - 1)))
    sent = [
        purged(Frame(0, len(one), EVENT, payload)) if number in chosen else one
        for number, (one, payload) in enumerate(zip(known, payloads, strict=True))
    ]
    starts = [sum(map(len, known[:number])) for number in range(len(known))]

    found = purged_since(b"".join(known), b"".join(sent), 100)

    assert found == [(100 + starts[number], sent[number]) for number in sorted(chosen)]


@given(PAYLOADS, st.data())
def test_any_other_difference_is_refused(payloads: list[bytes], data: st.DataObject) -> None:
    known = b"".join(disk.frame(EVENT, one) for one in payloads)
    place = data.draw(st.integers(0, len(known) - 1))
    sent = known[:place] + bytes([known[place] ^ 1]) + known[place + 1 :]

    with pytest.raises(OtherBytes):
        purged_since(known, sent, 0)
