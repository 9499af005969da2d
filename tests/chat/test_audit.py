"""How often what was taken back, of whom, with which tool."""

from __future__ import annotations

import json
import os
import pwd

from blueline.chat.conversations import Conversations
from tests.chat.place import TWO_TURNS, Place, say


def test_what_was_taken_back_is_counted_by_agent_and_tool(place: Place) -> None:
    place.script({**TWO_TURNS, "third": [["write", "new.md", "new\n"]]})

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("scripted")
        for prompt in ("first", "second", "third"):
            await say(conversations, talk, prompt)
        await conversations.reject("t2", {}, "too loud")
        await conversations.accept("t1")

    place.run(work)
    log = json.loads(place.project.command("log", "--json").stdout)
    assert log["tally"] == [
        {"agent": "scripted", "tool": "edit", "edits": 4, "accepted": 2, "rejected": 2, "pending": 0},
        {"agent": "scripted", "tool": "write_file", "edits": 1, "accepted": 0, "rejected": 0, "pending": 1},
    ]
    decisions = [entry for entry in log["entries"] if entry["kind"] == "decision"]
    assert [(one["verdict"], one["reason"]) for one in decisions] == [("accept", ""), ("reject", "too loud")]
    assert {one["by"] for one in decisions} == {pwd.getpwuid(os.geteuid()).pw_name}
    assert "rejected of scripted edit: 2 of 4" in place.project.command("log").stdout
