"""What is kept of a conversation by two programs."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from blueline.chat import conversation_files
from blueline.chat.kept_transcript import KeptTranscript


def test_what_one_keeps_the_other_takes_in(tmp_path: Path) -> None:
    heard: list[str] = []

    async def work() -> None:
        kept_file = conversation_files.create(tmp_path)
        one = KeptTranscript(kept_file, lambda: heard.append("one"))
        other = KeptTranscript(
            conversation_files.ConversationFile(kept_file.path), lambda: heard.append("other")
        )
        await one.keep({"kind": "began", "agent": "scripted", "at": "2026-01-01T00:00:00.000Z"})
        await one.say("Something happened.")
        assert heard == ["one", "one"]
        await other.catch_up()
        await other.catch_up()  # nothing is new: nobody is told
        assert heard == ["one", "one", "other"]
        assert other.thread.agent == "scripted"
        assert [(entry.kind, entry.text) for entry in other.thread.entries] == [
            ("note", "Something happened.")
        ]

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(work())).result()
