"""Runs the tests that were collected against one fault after another, each in a process of its own."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

AT_ONCE = 2
MEMORY = 4 << 30
SLOWER = 30
"""How many times as long as without the fault a test may take."""


class Fault(NamedTuple):
    """One function of a file, as it is not meant to be."""

    source: str
    function: tuple[str, ...]
    number: int
    lines: range
    around: range
    """The lines of the function."""
    what: str
    code: Callable[[], str]
    """The whole file."""

    @property
    def name(self) -> str:
        return f"{Path(self.source).stem}:{self.lines.start} {'.'.join(self.function)} {self.number}"


class Course(NamedTuple):
    """How the tests go without any fault: how long each takes, and who comes to which line."""

    seconds: list[float]
    tests: dict[tuple[str, int], set[int]]


class MutantTests:
    """Goes in where pytest would run what it has collected."""

    def __init__(self, root: Path, faults: list[Fault], longest: float) -> None:
        self._root = root
        self._longest = longest
        self._faults = faults
        self.outcomes: list[tuple[Fault, str]] = []
        """For each fault the test that noticed it, or nothing."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        from hypothesis import Phase, settings  # pytest wants to be the first to import it

        # Whoever only wants to know whether an example fails need not find the smallest one.
        settings.register_profile(
            "faults", settings.get_profile("ci"), phases=(Phase.explicit, Phase.generate)
        )
        settings.load_profile("faults")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        course = _told(lambda: self._course(session.items))
        if course is None:
            pytest.exit("the tests fail without any fault", returncode=1)
        print(f"{len(session.items)} tests, {sum(course.seconds):.0f} seconds", flush=True)
        gc.freeze()  # what is not looked at need not be copied
        running: dict[int, tuple[Fault, int]] = {}
        for fault in self._faults:
            if len(running) == AT_ONCE:
                self._ended(running)
            receiver, sender = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(receiver)
                os.write(sender, pickle.dumps(self._noticed(fault, session.items, course)))
                os._exit(0)
            os.close(sender)
            running[pid] = fault, receiver
        while running:
            self._ended(running)
        return True

    def _ended(self, running: dict[int, tuple[Fault, int]]) -> None:
        pid, status = os.wait()
        fault, receiver = running.pop(pid)
        with open(receiver, "rb") as told:
            answer = told.read()
        outcome = pickle.loads(answer) if answer else f"ended with {os.waitstatus_to_exitcode(status)}"
        self.outcomes.append((fault, outcome))
        print(f"{len(self.outcomes):5} {outcome or 'NOT NOTICED'}: {fault.name}  {fault.what}", flush=True)

    def _course(self, items: list[pytest.Item]) -> Course | None:
        files = {str(self._root / fault.source): fault.source for fault in self._faults}
        tests: dict[tuple[str, int], set[int]] = defaultdict(set)
        seconds = []
        for number, item in enumerate(items):
            began = time.process_time()
            lines = _Lines(files)
            sys.settrace(lines.called)
            reports = runtestprotocol(item, log=False, nextitem=None)
            sys.settrace(None)
            seconds.append(time.process_time() - began)
            if any(report.failed for report in reports):
                print("\n".join(str(report.longrepr) for report in reports if report.failed))
                return None
            for line in lines.seen:
                tests[line].add(number)
        return Course(seconds, dict(tests))

    def _noticed(self, fault: Fault, items: list[pytest.Item], course: Course) -> str:
        """The name of the first test that fails, or nothing."""
        _put_in(fault)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGPROF, _too_long)
        who = {test for line in fault.lines for test in course.tests.get((fault.source, line), ())}
        who = who or {test for line in fault.around for test in course.tests.get((fault.source, line), ())}
        for number in sorted(who, key=lambda number: course.seconds[number]):
            if course.seconds[number] > self._longest:
                break
            item = items[number]
            # Of this process's own time: how busy the machine is does not matter.
            signal.setitimer(signal.ITIMER_PROF, 2 + SLOWER * course.seconds[number])
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=None)):
                return item.nodeid
        return ""


class _Lines:
    """The lines that are come to in some files."""

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files
        self.seen: set[tuple[str, int]] = set()

    def called(self, frame: FrameType, _event: str, _what: object) -> Any:
        return self._line if frame.f_code.co_filename in self._files else None

    def _line(self, frame: FrameType, _event: str, _what: object) -> Any:
        self.seen.add((self._files[frame.f_code.co_filename], frame.f_lineno))
        return self._line


def _told(work: Any) -> Any:
    """What a function returns that is run in a process of its own."""
    receiver, sender = os.pipe()
    if os.fork() == 0:
        os.close(receiver)
        with open(sender, "wb") as told:
            told.write(pickle.dumps(work()))
        os._exit(0)
    os.close(sender)
    with open(receiver, "rb") as told:
        found = told.read()
    os.wait()
    return pickle.loads(found)


def _put_in(fault: Fault) -> None:
    """Exchange the code of the function, whoever has a hold of it already."""
    module = importlib.import_module(fault.source.removesuffix(".py").replace("/", "."))
    names: dict[str, Any] = {"__name__": module.__name__}
    exec(compile(fault.code(), str(module.__file__), "exec"), names)
    right, wrong = (_function(vars_, fault.function) for vars_ in (vars(module), names))
    right.__code__ = wrong.__code__
    right.__defaults__, right.__kwdefaults__ = wrong.__defaults__, wrong.__kwdefaults__


def _function(names: dict[str, Any], path: tuple[str, ...]) -> FunctionType:
    found: Any = names
    for name in path:
        found = (found if isinstance(found, dict) else vars(found))[name]
    for inner in ("func", "fget", "__func__"):
        if not isinstance(getattr(found, "__code__", None), CodeType):
            found = getattr(found, inner, found)
    assert isinstance(found, FunctionType)
    return found


def _too_long(_number: int, _frame: FrameType | None) -> None:
    os._exit(1)
