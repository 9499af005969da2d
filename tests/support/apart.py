"""Run a command as nobody's child: `python -m tests.support.apart COMMAND…`.

The tests decide about changes as a person does, which Blueline refuses below an agent's process (rule D5). So
where an agent runs them, the command gets a parent that has lost its own. That is what an agent that hides
would do, too: docs/gate.md says what it can and cannot reach with it. Elsewhere the command is just run.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from typing import NoReturn

from blueline.desk import people


def main(command: list[str]) -> NoReturn:
    if not people.asker({}).agent:
        os.execvp(command[0], command)
    # Closed when this process ends, however it does.
    ended, alive = os.pipe()
    answer, answers = os.pipe()
    if os.fork() == 0:
        os.close(alive)
        os.close(answer)
        os.setsid()
        if os.fork() == 0:
            _run(command, ended, answers)
        os._exit(0)
    os.wait()
    os.close(answers)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(int(os.read(answer, 16) or b"1"))


def _run(command: list[str], ended: int, answers: int) -> NoReturn:
    """Run it, until it ends or nobody waits for it any more."""
    process = subprocess.Popen(command, env=_without_marks())
    readable, _, _ = select.select([os.pidfd_open(process.pid), ended], [], [])
    if ended in readable:
        os.killpg(0, signal.SIGKILL)
    os.write(answers, str(process.wait() & 0xFF).encode())
    os._exit(0)


def _without_marks() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in people.AGENTS}


if __name__ == "__main__":
    main(sys.argv[1:])
