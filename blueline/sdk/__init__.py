"""For people who write their own agents: what these do is recorded, and can be taken back.

    from blueline.sdk import Session

    with Session(".", agent="my-agent") as session, session.turn("greet the world") as turn:
        turn.edit_file("hello.py", "hello", "hello, world")

See `docs/sdk.md`.
"""

from blueline.sdk.asynchronous import AsyncSession, AsyncStream, AsyncTurn
from blueline.sdk.outcome import EditRefused, Outcome, StreamOver
from blueline.sdk.session import Session
from blueline.sdk.stream import Stream
from blueline.sdk.turn import AgentTurn as Turn

__all__ = [
    "AsyncSession",
    "AsyncStream",
    "AsyncTurn",
    "EditRefused",
    "Outcome",
    "Session",
    "Stream",
    "StreamOver",
    "Turn",
]
