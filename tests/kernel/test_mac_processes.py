"""What macOS answers about processes, as its headers have it. It was never asked: no test here runs there."""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

import pytest

from blueline.kernel import mac_processes, processes


class System:
    """As macOS would answer about some processes: number, parent, status, name, words."""

    def __init__(self, *told: tuple[int, int, int, bytes, list[bytes]]) -> None:
        self._told = {pid: (parent, status, name, words) for pid, parent, status, name, words in told}

    def proc_pidinfo(self, pid: Any, kind: Any, _more: Any, into: Any, size: Any) -> int:
        assert (kind.value, size.value) == (3, 136)
        if pid.value not in self._told:
            return 0
        parent, status, name, _ = self._told[pid.value]
        twelve = (0, status, 0, pid.value, parent, *[0] * 7)
        info = struct.pack("<12I16s32s5IiQQ", *twelve, name, name, *[0] * 5, 0, 1_700_000_000, pid.value)
        into.raw = info
        return len(info)

    def sysctl(self, wanted: Any, count: Any, into: Any, size: Any, _new: Any, _length: Any) -> int:
        assert ([*wanted][:2], count.value) == ([1, 49], 3)
        if wanted[2] not in self._told:
            return -1
        words = self._told[wanted[2]][3]
        data = (
            struct.pack("<i", len(words)) + b"/usr/bin/program\0\0\0\0" + b"\0".join(words) + b"\0HOME=/x\0"
        )
        ctypes.memmove(into, data, len(data))
        size._obj.value = len(data)
        return 0


def mac(*more: tuple[int, int, int, bytes, list[bytes]]) -> Any:
    return System((os.getpid(), os.getppid(), 2, b"python3", [b"python3", b"-m", b"blueline"]), *more)


def test_a_process_is_known_by_name_parent_start_and_state() -> None:
    system = mac((77, 5, 2, b"claude", []), (78, 5, 5, b"gone", []))
    assert mac_processes.stat(77, system) == (b"claude", 5, 1_700_000_000_000_077, b"R")
    assert mac_processes.stat(78, system) == (b"gone", 5, 1_700_000_000_000_078, b"Z")
    assert mac_processes.stat(79, system) is None


def test_its_words_are_told_without_its_environment() -> None:
    assert mac_processes.words(os.getpid(), mac()) == [b"python3", b"-m", b"blueline"]
    assert mac_processes.words(79, mac()) == []


def test_where_the_answer_about_oneself_is_wrong_nothing_is_known() -> None:
    other: Any = System((os.getpid(), os.getppid() + 1, 2, b"x", []), (77, 5, 2, b"claude", []))
    assert mac_processes.stat(77, other) is None
    nothing: Any = object()
    assert (mac_processes.stat(77, nothing), mac_processes.words(77, nothing)) == (None, [])


def test_ancestors_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    system = mac((77, 5, 2, b"claude", []), (5, 1, 2, b"zsh", []))
    monkeypatch.setattr(processes, "IS_MAC", True)
    asked = type("Asked", (), {"stat": staticmethod(lambda pid: mac_processes.stat(pid, system))})
    monkeypatch.setattr(processes, "mac_processes", asked, raising=False)
    assert processes.line(77) == [77, 5]
    assert processes.is_alive(77, 1_700_000_000_000_077)
    assert processes.has_gone(80, 1)
