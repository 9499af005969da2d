"""Edges towards agents: one module for each.

Nothing is loaded here before it is needed: the hook comes this way, and most commands have no new message to
understand.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from blueline.adapters.adapter import Adapter
    from blueline.model.notice import Notice


def _claude_code() -> Adapter:
    from blueline.adapters import claude_code

    return claude_code


ADAPTERS: dict[str, Callable[[], Adapter]] = {"claude-code": _claude_code}


def interpret(agent: str, raw: bytes) -> Iterable[Notice]:
    """What a message of an agent says happened. Never fails: what cannot be understood is `Nothing`."""
    if agent not in ADAPTERS:
        from blueline.model.notice import Nothing

        return (Nothing(why=f"no adapter is called {agent!r}"),)
    return ADAPTERS[agent]().interpret(raw)


def record(agent: str) -> None:
    """Write down the event on standard input, and end the process. Returns only if no agent has that name."""
    if agent not in ADAPTERS:
        import sys

        print(f"blueline: no agent is called {agent!r}; nothing was recorded", file=sys.stderr)
        return
    from blueline.hook import recorder

    recorder.main(agent)
