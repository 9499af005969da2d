"""Two agents led through one dance: who does what after which step of the other."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from tests.support.agents.agent import Agent

PATIENCE_SECONDS = 100
"""Shorter than a turn may take, so that the one who waits for nothing is the one who says so."""


class Dance:
    """The steps that have been taken. A scripted model is asked again when its last call is done."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._changed = threading.Condition()

    def took(self, step: str) -> None:
        with self._changed:
            self._taken.add(step)
            self._changed.notify_all()

    def after(self, step: str) -> None:
        """Wait for the other."""
        with self._changed:
            came = self._changed.wait_for(lambda: step in self._taken, PATIENCE_SECONDS)
        assert came, f"nobody took the step {step!r}"


def together(turns: dict[Agent, str]) -> dict[Agent, str]:
    """Give each agent its prompt at once, and wait for all; what they printed."""
    with ThreadPoolExecutor(len(turns)) as pool:
        running = {agent: pool.submit(agent.turn, prompt) for agent, prompt in turns.items()}
        return {agent: future.result() for agent, future in running.items()}
