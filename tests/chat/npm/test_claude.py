"""The chat with the real Claude Code, through its own ACP agent, against a scripted model on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from blueline.chat.agent_sessions import FORGOTTEN, TOLD_ANEW
from blueline.chat.conversations import Conversations
from blueline.chat.questions import NotWaiting
from blueline.chat.talk import Talk
from blueline.contract.conversations import PlaceDocument
from tests.chat.place import FILES, Place, texts
from tests.support.agents.claude_code import binary
from tests.support.scripted_model import ScriptedModel, calls, says
from tests.support.wires import Block

INSTALLED = Path(__file__).parents[3] / ".agents" / "acp" / "node_modules"
VERSIONS = {"0.99.1": "@agentclientprotocol/claude-agent-acp", "0.49.0": "claude-agent-acp-for-node-20"}
VARIABLES = {
    "ANTHROPIC_API_KEY": "sk-ant-scripted",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION": "false",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
}


class Claude:
    """A place where Claude Code can be talked to."""

    def __init__(self, place: Place, model: ScriptedModel, version: str) -> None:
        package = INSTALLED / VERSIONS[version]
        assert package.exists(), "claude-agent-acp is not installed: run `make test-agents`"
        assert json.loads((package / "package.json").read_text())["version"] == version
        self.place = place
        self.model = model
        self.version = version
        # It would run those that a person has here, who has no agent.
        Path(place.project.environ["HOME"], ".claude", "settings.json").unlink()
        (place.folder / "claude-agent-acp").symlink_to(package / "dist" / "index.js")
        own = {"ANTHROPIC_BASE_URL": model.url, "CLAUDE_CODE_EXECUTABLE": str(binary())}
        path = f"{place.folder}:{place.project.environ['PATH']}"
        place.project.environ |= {**VARIABLES, **own, "PATH": path}

    def path(self, name: str) -> str:
        return str(self.place.root / name)

    def edits(self, name: str, old: str, new: str) -> list[list[Block]]:
        read = calls("Read", file_path=self.path(name))
        return [[read], [calls("Edit", file_path=self.path(name), old_string=old, new_string=new)]]

    async def say(
        self, conversations: Conversations, talk: Talk, prompt: str, answer: str = "allow_once"
    ) -> str:
        """Send a prompt, answer all that is asked in one way, wait for the end; the ledger's turn."""
        await conversations.prompt(talk.id, prompt, [])
        while talk.is_running:
            for entry in talk.thread.waiting():
                option = next(one["id"] for one in entry.about["options"] if one["kind"] == answer)
                with suppress(NotWaiting):  # what was answered is written down a little later
                    await talk.answer(entry.number, option)
            await asyncio.sleep(0.02)
        return talk.thread.turns[len(talk.thread.turns)].ledger

    def heard(self) -> list[str]:
        """What the model was sent with the last request, message by message."""
        return [str(message["content"]) for message in self.model.requests[-1]["messages"]]


@pytest.fixture(params=[*VERSIONS])
def claude(request: pytest.FixtureRequest, place: Place) -> Iterator[Claude]:
    with ScriptedModel() as model:
        yield Claude(place, model, request.param)


@pytest.fixture(params=[False, True], ids=["without hooks", "with hooks"])
def hooked(request: pytest.FixtureRequest, place: Place) -> bool:
    """Whether Blueline's hooks are installed in the project, too."""
    if request.param:
        place.project.command("init", "--agent", "claude-code")
    return bool(request.param)


def test_edits_through_the_protocol_and_through_hooks_are_one(claude: Claude, hooked: bool) -> None:
    place = claude.place
    claude.model.then(
        [
            *claude.edits("a.md", "a.md one", "a.md ONE"),
            [calls("Write", file_path=claude.path("new.md"), content="new\n")],
            [calls("Bash", command="echo changed > b.md")],
            [says("Done.")],
        ]
    )

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("claude-code")
        assert await claude.say(conversations, talk, "please") == "t1"
        found = await conversations.document(talk.id)
        assert texts(found, "agent") == ["Done."]
        asked = [entry["about"] for entry in found["entries"] if entry["kind"] == "permission"]
        assert [[(one["path"], one["line"]) for one in about["diffs"]] for about in asked] == [
            [("a.md", 1)],
            [("new.md", 1)],
            [],
        ]
        assert "-a.md one\n+a.md ONE\n a.md two\n" in asked[0]["diffs"][0]["diff"]

    place.run(work)
    (turn,) = place.project.turns()
    assert (turn["prompt"], turn["agent"], bool(turn["ended"])) == ("please", "claude-code", True)
    hunks = place.project.hunks()
    found = {(hunk["path"], hunk["tool"], hunk["turn"]) for hunk in hunks}
    assert found == {("a.md", "Edit", "t1"), ("new.md", "Write", "t1"), ("b.md", "Bash", "t1")}
    assert all(hunk["shared_with"] == [] and hunk["actor"]["name"] == "claude-code" for hunk in hunks)


def test_a_turn_is_forgotten_and_comes_back_with_an_undo(claude: Claude, hooked: bool) -> None:
    claude.model.then(
        [
            *claude.edits("a.md", "a.md one", "a.md ONE"),
            [says("Done one.")],
            *claude.edits("b.md", "b.md two", "b.md TWO"),
            [says("Done two.")],
            [says("What second?")],
            [says("I remember all.")],
        ]
    )

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("claude-code")
        await claude.say(conversations, talk, "the first")
        await claude.say(conversations, talk, "the second")
        done = await conversations.reject("t2", {})
        assert (await conversations.document(talk.id))["composer"]["text"] == "the second"
        await claude.say(conversations, talk, "the third")
        heard = " ".join(claude.heard())
        assert "the first" in heard
        assert "the second" not in heard
        assert "b.md TWO" not in heard
        # The older version forks as things are, whatever it is asked: it is told anew instead.
        (note,) = texts(await conversations.document(talk.id), "note")
        assert note == (FORGOTTEN if claude.version == "0.99.1" else TOLD_ANEW)
        await conversations.undo(done["decisions"])
        await conversations.document(talk.id)

    claude.place.run(work)
    assert claude.place.text("b.md") == FILES["b.md"].replace("two", "TWO")


def test_a_process_that_ended_is_resumed(claude: Claude) -> None:
    claude.model.then([[says("Hello.")], [says("Still here.")]])

    async def one(conversations: Conversations) -> str:
        talk = await conversations.create("claude-code")
        await claude.say(conversations, talk, "remember the number 17")
        return talk.id

    name = claude.place.run(one)

    async def two(conversations: Conversations) -> None:
        talk = await conversations.talk(name)
        await claude.say(conversations, talk, "which number?")
        assert texts(await conversations.document(name), "note") == []

    claude.place.run(two)
    assert any("remember the number 17" in text for text in claude.heard())


def test_permission_refused_leaves_the_file(claude: Claude) -> None:
    claude.model.then([*claude.edits("a.md", "a.md one", "a.md ONE"), [says("As you like.")]])

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("claude-code")
        await claude.say(conversations, talk, "please", answer="reject_once")
        found = await conversations.document(talk.id)
        (tool,) = [
            one["about"]
            for one in found["entries"]
            if one["kind"] == "tool" and one["about"]["tool"] == "edit"
        ]
        assert tool["status"] == "failed"

    claude.place.run(work)
    assert claude.place.text("a.md") == FILES["a.md"]
    assert claude.place.project.hunks() == []


def test_what_is_held_is_offered_and_the_agent_hears_so(claude: Claude, hooked: bool) -> None:  # rule C3
    place = claude.place
    place.project.set_mode("hold")
    new = calls("Write", file_path=claude.path("new.md"), content="new\n")
    claude.model.then([*claude.edits("a.md", "a.md one", "a.md ONE"), [new], [says("I wait.")]])

    async def work(conversations: Conversations) -> None:
        await claude.say(conversations, await conversations.create("claude-code"), "please")

    start = place.project.on_disk()
    place.run(work)
    assert place.project.on_disk() == start
    found = {(hunk["path"], hunk["held"], hunk["turn"], hunk["new"]) for hunk in place.project.hunks()}
    assert found == {("a.md", True, "t1", "a.md ONE\n"), ("new.md", True, "t1", "new\n")}
    heard = claude.heard()
    assert any("kept as a proposal" in text for text in heard)
    assert not any("-I -S" in text for text in heard)
    if hooked:  # then the refusal itself says it
        refusals = [text for text in heard if "tool_result" in text and "is_error" in text]
        assert len(refusals) == 2
        assert all("error: This edit was not made." in text for text in refusals)
    place.project.accept()
    assert (place.text("a.md"), place.text("new.md")) == (FILES["a.md"].replace("one", "ONE"), "new\n")


def test_m04_a_subagent_works_for_the_turn_of_the_chat(claude: Claude, hooked: bool) -> None:
    place = claude.place
    part = [*claude.edits("a.md", "a.md one", "a.md ONE"), [says("The part is done.")]]
    claude.model.aside("do the part", part)
    new = calls("Write", file_path=claude.path("new.md"), content="new\n")
    start = [calls("Agent", description="a part", prompt="do the part", run_in_background=False)]
    claude.model.then([start, [new], [says("Done.")]])

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create("claude-code")
        assert await claude.say(conversations, talk, "in parts") == "t1"

    before = place.project.on_disk()
    place.run(work)
    (turn,) = place.project.turns()
    assert (turn["prompt"], turn["ended"] is not None) == ("in parts", True)
    subagent = "a1" if hooked else None
    found = {(hunk["path"], hunk["turn"], hunk["subagent"]) for hunk in place.project.hunks()}
    assert found == {("a.md", "t1", subagent), ("new.md", "t1", None)}
    place.project.reject("t1")
    assert place.project.on_disk() == before


def test_a_task_ends_in_a_proposal_with_apply(claude: Claude) -> None:
    place = claude.place
    tool = "mcp__blueline__propose_edit"
    given = {"path": "a.md", "old_string": "a.md one", "new_string": "a.md ONE", "reason": "louder"}
    claude.model.then(
        [[calls("ToolSearch", query=f"select:{tool}")], [calls(tool, **given)], [says("Proposed.")]]
    )

    async def work(conversations: Conversations) -> None:
        task: PlaceDocument = {"path": "a.md", "line": 1, "end_line": 1, "quote": "a.md one"}
        talk = await conversations.create("claude-code", task)
        assert await claude.say(conversations, talk, "make it louder") == "t1"
        assert any("propose_edit" in text and "a.md, lines 1 to 1" in text for text in claude.heard())

    place.run(work)
    assert place.text("a.md") == FILES["a.md"]
    (hunk,) = place.project.hunks()
    assert (hunk["held"], hunk["turn"], hunk["tool"], hunk["new"]) == (
        True,
        "t1",
        "propose_edit",
        "a.md ONE\n",
    )
    place.project.accept(hunk["id"])
    assert place.text("a.md") == FILES["a.md"].replace("a.md one", "a.md ONE")
