"""The chat with other real agents, each against a scripted model on loopback, with hooks and without."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from blueline.chat.conversations import Conversations
from blueline.chat.questions import NotWaiting
from tests.chat.place import FILES, Place, texts
from tests.support.agents.agent import INSTALLED, Agent, installed
from tests.support.agents.codex import Codex
from tests.support.agents.gemini import Gemini
from tests.support.agents.node import node
from tests.support.agents.opencode import Opencode
from tests.support.scripted_model import ScriptedModel, says


class GeminiTalking(Gemini):
    def talking(self) -> Sequence[str | Path]:
        return [
            node(),
            installed("@google/gemini-cli/bundle/gemini.js"),
            "--model",
            "gemini-2.5-pro",
            "--acp",
        ]


class OpencodeTalking(Opencode):
    def talking(self) -> Sequence[str | Path]:
        return [installed("opencode-linux-*/bin/opencode", "opencode-darwin-*/bin/opencode"), "acp"]


class CodexTalking(Codex):
    def talking(self) -> Sequence[str | Path]:
        return [node(), installed_for_chat("@agentclientprotocol/codex-acp/dist/index.js")]

    def variables(self, model: ScriptedModel) -> dict[str, str]:
        program = installed("@openai/codex-*/vendor/*/bin/codex")
        return {**super().variables(model), "CODEX_PATH": str(program)}


def installed_for_chat(path: str) -> Path:
    found = INSTALLED / "acp" / "node_modules" / path
    assert found.exists(), f"{path} is not installed: run `make test-agents`"
    return found


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as model:
        yield model


@pytest.mark.parametrize("is_hooked", [False, True], ids=["without hooks", "with hooks"])
@pytest.mark.parametrize("kind", [GeminiTalking, OpencodeTalking, CodexTalking], ids=lambda kind: kind.NAME)
def test_a_turn_is_recorded_once_and_taken_back(
    place: Place,
    model: ScriptedModel,
    kind: type[GeminiTalking | OpencodeTalking | CodexTalking],
    is_hooked: bool,
) -> None:
    agent: Agent = kind(place.root, place.project.home, model)
    if is_hooked:
        place.project.command("init", "--agent", agent.NAME)
    furnish(place, kind(place.root, place.project.home, model).talking(), agent)
    model.then(
        [
            [agent.reads("a.md")],
            [agent.edits("a.md", "a.md one\n", "a.md ONE\n")],
            [agent.creates("new.md", "new\n")],
            [says("Done.")],
            [says("Yes.")],
        ]
    )

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create(agent.NAME)
        assert await say(conversations, talk.id, "please") == "t1"
        found = await conversations.document(talk.id)
        assert "".join(texts(found, "agent")).strip() == "Done.", found["entries"]
        assert (place.root / "new.md").read_text() == "new\n"
        done = await conversations.reject("t1", {})
        assert (done["edits"], done["files"]) == (2, ["a.md", "new.md"])
        assert await say(conversations, talk.id, "still there?")

    place.run(work)
    assert place.text("a.md") == FILES["a.md"]
    assert not (place.root / "new.md").exists()
    assert [turn["prompt"] for turn in place.project.turns()] == ["please", "still there?"]
    assert all(turn["agent"] == agent.NAME and turn["ended"] for turn in place.project.turns())


POEM = "".join(f"line {number}\n" for number in range(1, 101))


def test_gemini_asks_about_whole_files_and_the_lines_that_change_are_shown(
    place: Place, model: ScriptedModel
) -> None:
    agent = GeminiTalking(place.root, place.project.home, model)
    place.project.put("poem.md", POEM)
    furnish(place, agent.talking(), agent)
    model.then([[agent.reads("poem.md")], [agent.edits("poem.md", "line 50\n", "FIFTY\n")], [says("Done.")]])

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create(agent.NAME)
        await say(conversations, talk.id, "please")
        found = await conversations.document(talk.id)
        (question,) = [one["about"] for one in found["entries"] if one["kind"] == "permission"]
        (diff,) = question["diffs"]
        assert (diff["path"], diff["line"], diff["long"]) == ("poem.md", 50, False)
        assert "-line 50\n+FIFTY\n line 51\n" in diff["diff"]
        assert "line 40\n" not in diff["diff"]

    place.run(work)


def test_gemini_in_hold_mode_hears_that_its_edit_is_kept(place: Place, model: ScriptedModel) -> None:
    agent = GeminiTalking(place.root, place.project.home, model)
    place.project.set_mode("hold")
    furnish(place, agent.talking(), agent)
    edits = agent.edits("a.md", "a.md one\n", "a.md ONE\n")
    model.then([[agent.reads("a.md")], [edits], [says("I wait.")]])

    async def work(conversations: Conversations) -> None:
        talk = await conversations.create(agent.NAME)
        await say(conversations, talk.id, "please")

    place.run(work)
    assert place.text("a.md") == FILES["a.md"]
    (hunk,) = place.project.hunks()
    assert (hunk["held"], hunk["new"]) == (True, "a.md ONE\n")
    assert "kept as a proposal" in str(model.requests[-1])


def furnish(place: Place, command: Sequence[str | Path], agent: Agent) -> None:
    """Let the person's config name the program where the tests have it."""
    place.project.environ |= agent.variables(agent._model)
    words = json.dumps([str(word) for word in command])
    path = Path(place.project.environ["XDG_CONFIG_HOME"], "blueline", "config.toml")
    path.write_text(f"[chat.agents.{agent.NAME}]\ncommand = {words}\n")


async def say(conversations: Conversations, name: str, prompt: str) -> str:
    """Send a prompt, allow whatever is asked, wait for the end; the ledger's turn."""
    talk = await conversations.talk(name)
    await conversations.prompt(name, prompt, [])
    while talk.is_running:
        for entry in talk.thread.waiting():
            option = next(one["id"] for one in entry.about["options"] if one["kind"] == "allow_once")
            with suppress(NotWaiting):  # what was answered is written down a little later
                await talk.answer(entry.number, option)
        await asyncio.sleep(0.02)
    return talk.thread.turns[len(talk.thread.turns)].ledger
