"""Commands that an agent runs through its client."""

from __future__ import annotations

from blueline.chat.conversations import Conversations
from tests.chat.place import FILES, Place, say


def test_files_and_commands_through_the_client(place: Place) -> None:
    outside = place.root.parent / "outside.md"
    outside.write_text("not yours\n")
    (place.root / "link").symlink_to(outside)
    steps = [
        ["read", "a.md"],
        ["read", "../outside.md"],
        ["read", "link"],
        ["read", ".git/config"],
        ["write", "made/by/agent.md", "made\n"],
        ["write", "../outside.md", "mine\n"],
        ["terminal", "echo changed > b.md; echo said; exit 3"],
        ["terminal", "echo no", ".."],
    ]
    place.script({"go": steps})

    async def work(conversations: Conversations) -> None:
        await say(conversations, await conversations.create("scripted"), "go")

    place.run(work)
    assert {entry["read"]: entry["text"] for entry in place.log("read")} == {"a.md": FILES["a.md"]}
    assert {entry["refused"] for entry in place.log("refused")} == {
        "../outside.md",
        "link",
        ".git/config",
        "echo no",
    }
    assert outside.read_text() == "not yours\n"
    (ran,) = place.log("ran")
    assert (ran["code"], ran["output"]) == (3, "said\n")
    assert {(hunk["path"], hunk["tool"]) for hunk in place.project.hunks()} == {
        ("made/by/agent.md", "write_file"),
        ("b.md", "terminal"),
    }
    (call,) = [call for call in place.project.calls() if call["tool"] == "terminal"]
    assert "echo changed" in call["about"]["command"]
