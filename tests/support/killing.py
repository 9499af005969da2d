"""Something is done by a process of its own, which is killed in the middle of it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

from blueline.journal.database import Database
from tests.support.unsynced import patches
from tests.support.workspace import stepping_in

Act = Callable[[], object]
"""Crosses over to the other process: a method of a `Project`, or a `partial` of one."""

MOST_STEPS = 10_000
thorough = False
"""Whether nothing is sampled; `--every-step` sets it."""
NO_STEPS = ("fsync",)
"""Whoever is killed before one leaves the same behind as after it."""

# Forked from a small process that has all modules loaded, because a process with threads must not fork.
_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["tests.support.killing", "tests.support.project"])


def survives(
    act: Act, steps: int, *, torn: bool = False, looking: bool = False, writes_alone: bool = False
) -> bool:
    """Whether `act` comes to its end before the step after so many, at which the process is killed.

    A step is a call to the system that changes something (with `looking`, also one that only looks), or a
    row written to the index. With `torn`, half of what was to be written is; with `writes_alone`, no other
    step counts.
    """
    process = _processes.Process(target=_run, args=(act, steps, torn, looking, writes_alone))
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL), f"it failed: exit code {process.exitcode}"
    return process.exitcode == 0


def every_step(act: Act, *, torn: bool = False, looking: bool = False, sampled: int = 1) -> Iterator[int]:
    """Kill `act` at its first step, then at its second, and so on, until it comes to its end.

    `sampled` is for work whose parts are killed at every step elsewhere: it is done at one step of so many,
    or at all of them with `--every-step`.

    With `torn`, in the middle of its first write, then of its second: before any other step it would be the
    same as without. The caller puts things back as they were, and looks at what was left, between one and the
    next.
    """
    for steps in range(0, MOST_STEPS, 1 if thorough else sampled):
        done = survives(act, steps, torn=torn, looking=looking, writes_alone=torn)
        yield steps
        if done:
            return
    raise AssertionError("it never came to an end")


def count_steps(act: Act, *, looking: bool = False) -> int:
    """How many steps `act` takes, which is done."""
    receiver, sender = _processes.Pipe(duplex=False)
    process = _processes.Process(target=_count, args=(act, looking, sender))
    process.start()
    process.join()
    assert process.exitcode == 0
    count: int = receiver.recv()
    return count


def _count(act: Act, looking: bool, sender: Any) -> None:
    count = 0

    def before(name: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        count += name not in NO_STEPS

    _perform(act, before, looking)
    sender.send(count)


def _run(act: Act, steps: int, torn: bool, looking: bool, writes_alone: bool) -> None:
    left = steps

    def before(name: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        if name in NO_STEPS or (writes_alone and name != "write"):
            return
        left -= 1
        if left < 0:
            if torn and name == "write":
                os.write(arguments[0], arguments[1][: len(arguments[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)

    _perform(act, before, looking)


def _perform(act: Act, before: Callable[[str, tuple[Any, ...]], None], looking: bool) -> None:
    put = Database.run

    def counted(database: Database, statement: str, *values: object) -> None:
        before("put", ())
        put(database, statement, *values)

    for module, name, stand_in in [*patches(), (Database, "run", counted)]:
        setattr(module, name, stand_in)
    with stepping_in(before, looking=looking):
        act()
