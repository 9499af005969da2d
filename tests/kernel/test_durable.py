"""Many things are made durable together, and a failure of one is a failure."""

import threading

import pytest

from blueline.kernel import durable


@pytest.mark.parametrize("count", [0, 1, durable.FEW, durable.FEW + 1, 100])
def test_each_is_synced_once(count: int) -> None:
    done: list[int] = []
    durable.each(done.append, range(count))
    assert sorted(done) == [*range(count)]


def test_many_are_asked_for_together() -> None:
    meeting = threading.Barrier(durable.THREADS, timeout=60)

    def sync(number: int) -> None:
        meeting.wait()

    durable.each(sync, range(durable.THREADS * 2))


@pytest.mark.parametrize("count", [durable.FEW, 100])
def test_what_one_fails_with_is_raised_when_all_have_ended(count: int) -> None:
    done: list[int] = []

    def sync(number: int) -> None:
        if number == 3:
            raise OSError(5, "Input/output error")
        done.append(number)

    with pytest.raises(OSError, match="Input/output error"):
        durable.each(sync, range(count))
    assert {0, 1, 2} <= {*done}
