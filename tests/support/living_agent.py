"""An agent with a process of its own, which can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.hook_process import command as hook_command
from tests.support.project import Project

# Does what it is told on standard input, as an agent does: runs hooks and shells, and says when it has.
AGENT = """
import json, subprocess, sys
for line in sys.stdin:
    told = json.loads(line)
    if "hook" in told:
        subprocess.run(["sh", "-c", told["command"]], input=told["hook"].encode())
    else:
        shell = subprocess.Popen(["sh", "-c", told["shell"]], start_new_session=True)
        if told["wait"]:
            shell.wait()
    print("done", flush=True)
"""


class LivingAgent:
    """Runs hooks and shells as it is told."""

    def __init__(self, p: Project) -> None:
        self._p = p
        environ = {**p.environ, "CLAUDE_PROJECT_DIR": str(p.root)}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, "-c", AGENT], cwd=p.root, env=environ, stdin=pipe, stdout=pipe, text=True
        )

    def _tell(self, **order: Any) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"

    def hook(self, raw: bytes) -> None:
        self._tell(hook=raw.decode(), command=hook_command())

    def shell(self, command: str, *, wait: bool = True) -> None:
        self._tell(shell=command, wait=wait)

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def living_agent(p: Project) -> Iterator[LivingAgent]:
    agent = LivingAgent(p)
    try:
        yield agent
    finally:
        agent.close()
