"""However fast turns end, one process sends to the hub and one waits."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event, Thread

from blueline.hook import recorder
from blueline.sync.sending_turn import standing, turn


def is_waiting(state: Path) -> bool:
    return recorder.is_waiting(os.fsencode(state))


def test_one_sends_one_waits_and_the_others_have_nothing_to_do(tmp_path: Path) -> None:
    has_come, has_sent = Event(), Event()

    def wait_and_send() -> None:
        has_come.set()
        with turn(tmp_path) as is_mine:
            if is_mine:
                has_sent.set()

    second = Thread(target=wait_and_send)
    with turn(tmp_path) as first:
        assert first
        assert not is_waiting(tmp_path), "what is recorded from now on needs another one"
        second.start()
        has_come.wait()
        while not is_waiting(tmp_path):
            assert second.is_alive()
        with turn(tmp_path) as third:
            assert not third, "the second has not read the journal yet"
        assert not has_sent.is_set()
    second.join()
    assert has_sent.is_set()
    assert not is_waiting(tmp_path)


def test_beside_who_sends_all_that_comes_hooks_start_nothing(tmp_path: Path) -> None:
    assert not is_waiting(tmp_path)
    with standing(tmp_path), standing(tmp_path):
        assert is_waiting(tmp_path)
        with turn(tmp_path) as is_mine:
            assert not is_mine
    assert not is_waiting(tmp_path)


def test_nobody_else_may_read_or_write_the_locks(tmp_path: Path) -> None:
    with turn(tmp_path):
        assert {one.stat().st_mode & 0o777 for one in tmp_path.iterdir()} == {0o600}
