"""The real Claude Code in the workbench's chat, against a scripted model on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.chat.npm.test_claude import Claude
from tests.chat.place import FILES, Place
from tests.support.scripted_model import ScriptedModel, says

expect.set_options(timeout=60_000)


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[Claude]:
    place = Place(tmp_path)
    place.project.command("init", "--agent", "claude-code")
    with ScriptedModel() as model:
        yield Claude(place, model, "0.99.1")


def test_two_turns_are_rejected_one_after_the_other_and_undone(claude: Claude, bench: Open) -> None:
    place = claude.place
    claude.model.then(
        [
            *claude.edits("a.md", "a.md one", "a.md ONE"),
            *claude.edits("b.md", "b.md two", "b.md TWO"),
            [says("Done one.")],
            *claude.edits("c.md", "c.md three", "c.md THREE"),
            [says("Done two.")],
            [says("Hello again.")],
        ]
    )
    b = bench(place.project)
    page = b.page
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Agent", exact=True).select_option("claude-code")
    page.get_by_role("button", name="New chat").click()
    composer = page.get_by_label("Message to Claude Code")

    def send(text: str, questions: int) -> None:
        composer.fill(text)
        composer.press("Enter")
        for _ in range(questions):
            page.locator(".permission.waiting").get_by_role("button", name="Yes", exact=True).click()
            expect(page.locator(".permission.waiting")).to_have_count(0)
        expect(page.locator(".working")).to_have_count(0)

    send("the first", 2)
    expect(page.locator(".turn-control")).to_contain_text("2 edits in 2 files")
    send("the second", 1)
    for name in ("a.md", "b.md", "c.md"):
        b.choose(name)
        expect(b.bars.first).to_be_visible()
    expect(page.locator(".turn-control")).to_contain_text("1 edit in 1 file")
    after = {name: place.text(name) for name in FILES}

    b.press("Control+Shift+Backspace")
    expect(composer).to_have_value("the second")
    expect(page.locator(".chat-entry.user")).to_have_text(["the first"])
    b.press("Control+Shift+Backspace")
    expect(page.locator(".chat-entry.user")).to_have_count(0)
    assert {name: place.text(name) for name in FILES} == FILES
    page.locator(".review-bar").get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".chat-entry.user")).to_have_text(["the first"])
    send("the third", 0)
    expect(page.locator(".chat-entry.agent").last).to_have_text("Hello again.")
    expect(page.locator(".chat-entry.note")).to_contain_text("went back")
    heard = " ".join(claude.heard())
    assert "the first" in heard
    assert "the second" not in heard
    assert place.text("b.md") == after["b.md"]
    assert place.text("c.md") == FILES["c.md"]
