"""Talking to an agent in the workbench, and keeping or taking back whole turns."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Dialog, Locator, Route, expect

from tests.browser.conftest import Open
from tests.browser.test_access import violations
from tests.chat.place import FILES, TWO_TURNS, Place
from tests.support.bench import Bench

PATIENCE_MILLISECONDS = 60_000
LISTS = re.compile(r"/api/chat(\?|$)")
expect.set_options(timeout=PATIENCE_MILLISECONDS)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A project with three files, and an agent that does what a script says."""
    return Place(tmp_path)


class Chat:
    """The chat panel, as a person uses it."""

    def __init__(self, b: Bench) -> None:
        self.b = b
        self.page = b.page
        self.page.get_by_role("tab", name="Chat").click()

    def begin(self) -> None:
        self.page.get_by_role("combobox", name="Agent").select_option("scripted")
        self.page.get_by_role("button", name="New chat").click()
        expect(self.composer).to_have_value("")
        expect(self.page.locator(".conversation .empty")).to_be_visible()

    @property
    def composer(self) -> Locator:
        return self.page.get_by_label("Message to scripted")

    @property
    def control(self) -> Locator:
        return self.page.locator(".turn-control")

    def entries(self, kind: str) -> Locator:
        return self.page.locator(f".chat-entry.{kind}")

    def send(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(self.entries("user").last).to_contain_text(text)

    def say(self, text: str) -> None:
        """Send something and wait for the end of the turn."""
        self.send(text)
        expect(self.page.locator(".working")).to_have_count(0)
        expect(self.page.get_by_role("button", name="Send")).to_be_visible()

    def look_at(self, *names: str, last_of: int) -> None:
        """Look at all of some files: what was not seen is asked about. The change that is read then is this
        turn's, which comes to be in hand a moment later."""
        for name in names:
            self.b.choose(name)
            expect(self.page.locator(".hunk-bar[aria-current=true], .place-bar.current")).to_be_visible()
        expect(self.control).to_contain_text(f"Turn {last_of} ")

    def take(self, turn: int) -> None:
        """Take one of two turns in hand, if it is not."""
        shown = self.control.locator(".menu-button")
        if f"Turn {turn} " not in (shown.text_content() or ""):
            shown.click()
            self.page.get_by_role("menuitem", name=re.compile("(Newer|Older) turn")).and_(
                self.page.locator(":enabled")
            ).click()
        expect(shown).to_contain_text(f"Turn {turn} ")

    def files_are(self, place: Place, files: dict[str, str]) -> None:
        assert {name: place.text(name) for name in files} == files


@pytest.mark.parametrize("newest_first", [True, False])
def test_two_turns_across_three_files_are_rejected_and_undone(
    place: Place, bench: Open, newest_first: bool
) -> None:
    place.script(TWO_TURNS)
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.say("first")
    expect(chat.control).to_contain_text("2 edits in 2 files")
    expect(chat.control.locator(".turn-edits")).to_have_attribute("title", "a.md (1)\nb.md (1)")
    chat.say("second")
    expect(chat.control).to_contain_text("Turn 2 is newer")
    after = {name: place.text(name) for name in FILES}
    chat.look_at("c.md", "b.md", "a.md", last_of=1)
    one, other = ("second", "first") if newest_first else ("first", "second")
    chat.take(2 if newest_first else 1)

    b.press("Control+Shift+Backspace")
    expect(chat.entries("user")).to_have_text([other])
    expect(chat.composer).to_have_value(one)
    expect(b.left).to_contain_text("2 changes in 2 files")
    # The keys are about the turn that is shown here, which may come after the counts.
    expect(chat.control).to_contain_text(f"Turn {1 if newest_first else 2}")
    b.press("Control+Shift+Backspace")
    expect(chat.entries("user")).to_have_count(0)
    expect(chat.composer).to_have_value(f"{other}\n\n{one}")
    expect(chat.control).to_have_count(0)
    chat.files_are(place, FILES)

    b.page.locator(".review-bar").get_by_role("button", name="Undo", exact=True).click()
    expect(chat.entries("user")).to_have_text([other])
    expect(chat.composer).to_have_value(one)
    b.page.locator(".review-bar").get_by_role("button", name="Undo", exact=True).click()
    expect(chat.entries("user")).to_have_text(["first", "second"])
    expect(chat.entries("agent")).to_have_text(["Done one.", "Done two."])
    expect(chat.composer).to_have_value("")
    expect(b.left).to_contain_text("4 changes in 3 files")
    chat.files_are(place, after)

    b.press("Control+Shift+Enter")
    expect(chat.control).to_contain_text("2 edits in 2 files")
    expect(chat.entries("user")).to_have_text(["first", "second"])


def test_nothing_is_offered_while_a_turn_runs_and_typing_goes_on(place: Place, bench: Open) -> None:
    steps: list[list[Any]] = [
        ["edit", "a.md", "a.md one", "a.md ONE"],
        ["say", "words " * 40, 6],
        ["wait", "go on"],
        ["say", "."],
    ]
    place.script({"go": steps})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.send("go")
    expect(chat.entries("agent")).to_contain_text("words words")
    expect(b.left).to_contain_text("1 change in 1 file")
    expect(chat.control).to_have_count(0)
    expect(b.page.locator(".round-end")).to_have_count(0)
    b.choose("a.md")
    line = b.line("a.md three")
    line.click()
    b.press("e", "End")
    b.page.keyboard.type(" by me")
    chat.composer.fill("my next thought")
    place.let("go on")
    expect(chat.control).to_contain_text("1 edit in 1 file")
    expect(chat.composer).to_have_value("my next thought")
    b.press("Control+Shift+Backspace")
    expect(chat.composer).to_have_value("go\n\nmy next thought")
    expect(b.line("a.md one")).to_have_count(1)
    assert place.text("a.md") == FILES["a.md"].replace("three", "three by me")


def test_permission_is_asked_for_with_the_diff_and_refused(place: Place, bench: Open) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md <b>ONE</b>", "ask"], ["say", "As you like."]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.send("go")
    question = b.page.get_by_role("region", name="Permission")
    expect(question).to_contain_text("Edit a.md")
    expect(question.locator(".added-line")).to_contain_text("a.md <b>ONE</b>")
    expect(question.locator(".same-line .number")).to_have_text(["2", "3"])
    expect(question.get_by_role("button", name="a.md:1")).to_be_visible()
    expect(b.page.get_by_role("tab", name="Chat")).to_contain_text("1")
    expect(question.get_by_role("button", name="Refuse")).to_be_in_viewport(ratio=1)
    question.get_by_role("button", name="Refuse").click()
    expect(chat.entries("agent")).to_have_text("As you like.")
    expect(chat.control).to_have_count(0)
    assert place.text("a.md") == FILES["a.md"]


def test_an_agent_killed_in_the_middle(place: Place, bench: Open) -> None:
    place.script({"go": [["say", "so far"], ["edit", "a.md", "a.md one", "a.md ONE"], ["wait", "for ever"]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.send("go")
    expect(b.left).to_contain_text("1 change in 1 file")
    os.kill(place.log("prompt")[0]["pid"], signal.SIGKILL)
    expect(chat.entries("note")).to_contain_text("signal 9")
    expect(chat.composer).to_have_value("go")
    expect(chat.control).to_contain_text("1 edit in 1 file")
    expect(chat.entries("agent")).to_have_text("so far")


def test_the_page_is_reloaded_in_the_middle(place: Place, bench: Open) -> None:
    place.script({"go": [["say", "before "], ["wait", "go on"], ["say", "after"]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.send("go")
    expect(chat.entries("agent")).to_have_text("before ")
    with b.page.expect_response("**/api/chat/composer*"):
        chat.composer.fill("kept")
    b.page.reload()
    b.page.get_by_role("tab", name="Chat").click()
    expect(chat.entries("agent")).to_have_text("before ")
    expect(chat.composer).to_have_value("kept")
    place.let("go on")
    expect(chat.entries("agent")).to_have_text("before after")
    expect(b.page.get_by_role("button", name="Send")).to_be_visible()


def test_a_turn_is_stopped(place: Place, bench: Open) -> None:
    place.script({"go": [["say", "on and on"], ["wait", "for ever"]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.send("go")
    expect(chat.entries("agent")).to_have_text("on and on")
    b.page.get_by_role("button", name="Stop").click()
    expect(b.page.locator(".round-stop")).to_have_text("Stopped.")
    expect(chat.composer).to_have_value("go")


def test_a_running_turn_that_is_rejected_elsewhere_is_stopped_and_said(place: Place, bench: Open) -> None:
    place.script({"go": [["edit", "a.md", "a.md one", "a.md ONE"], ["wait", "for ever"]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.send("go")
    expect(b.page.locator(".review-bar")).to_contain_text("1 change in 1 file")
    assert place.project.command("reject", "t1").returncode == 0
    expect(b.at(".message")).to_contain_text("scripted was stopped: its turn was rejected")
    expect(chat.composer).to_have_value("go")
    send = b.page.get_by_role("button", name="Send")
    expect(send).to_be_visible()
    message, button = b.at(".message").bounding_box(), send.bounding_box()
    assert message is not None
    assert button is not None
    assert message["y"] >= button["y"] + button["height"], "it hides what is next"
    assert place.text("a.md") == FILES["a.md"]


def test_a_file_that_moved_on_is_asked_about(place: Place, bench: Open) -> None:
    place.script({**TWO_TURNS, "second": [["edit", "a.md", "a.md ONE", "a.md UNO"]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.say("first")
    chat.say("second")
    chat.look_at("a.md", "b.md", last_of=1)
    chat.take(1)
    b.press("Control+Shift+Backspace")
    expect(b.dialog).to_contain_text("a.md: other changes build on it")
    b.dialog.get_by_role("button", name="Cancel").click()
    expect(chat.entries("user")).to_have_text(["first", "second"])
    assert "b.md TWO" in place.text("b.md")
    b.press("Control+Shift+Backspace")
    b.dialog.get_by_label("Keep it").check()
    b.dialog.get_by_role("button", name="Reject the turn").click()
    # What is undecided of it keeps the turn in the conversation.
    expect(b.at(".message")).to_contain_text("Rejected turn 1: 1 edit in b.md")
    expect(chat.entries("user")).to_have_text(["first", "second"])
    expect(chat.composer).to_have_value("")
    assert place.text("b.md") == FILES["b.md"]
    assert "a.md UNO" in place.text("a.md")


def test_one_undo_of_a_turn_with_choices_gives_files_messages_and_composer_back(
    place: Place, bench: Open
) -> None:
    place.script({**TWO_TURNS, "second": [["edit", "a.md", "a.md ONE", "a.md UNO"]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.say("first")
    chat.say("second")
    before = {name: place.text(name) for name in FILES}
    chat.look_at("a.md", "b.md", last_of=1)
    for undo in ("toast", "key"):
        chat.take(1)
        b.press("Control+Shift+Backspace")
        b.dialog.get_by_label("Reject only this, and leave what builds on it").check()
        b.dialog.get_by_role("button", name="Reject the turn").click()
        expect(chat.entries("user")).to_have_text(["second"])
        expect(chat.composer).to_have_value("first")
        assert place.text("b.md") == FILES["b.md"]
        if undo == "toast":
            b.at(".message").get_by_role("button", name="Undo turn 1").click()
        else:
            b.page.locator("[data-home]").focus()
            b.press("u")
        expect(chat.entries("user")).to_have_text(["first", "second"])
        expect(chat.composer).to_have_value("")
        assert {name: place.text(name) for name in FILES} == before


def test_ten_conversations_at_once(place: Place, bench: Open) -> None:
    place.script({f"go {n}": [["wait", "go"], ["say", f"answer {n}"]] for n in range(10)})
    b = bench(place.project)
    chat = Chat(b)
    for number in range(10):
        chat.begin()
        chat.send(f"go {number}")
    tabs = b.page.get_by_role("tablist", name="Conversations").get_by_role("tab")
    expect(tabs).to_have_count(10)
    place.let("go")
    expect(b.page.locator(".conversation-tabs .working")).to_have_count(0)
    b.page.get_by_role("button", name="Side by side").click()
    expect(b.page.locator(".column")).to_have_count(10)
    for number in range(10):
        expect(b.page.locator(".column", has_text=f"go {number}").locator(".agent")).to_have_text(
            f"answer {number}"
        )


def test_a_list_that_was_asked_for_before_does_not_leave_a_new_chat(place: Place, bench: Open) -> None:
    place.script({"first": [["say", "one"]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    late: list[tuple[Route, APIResponse]] = []

    def hold_first(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    b.page.route(LISTS, hold_first)
    with b.page.expect_request(LISTS):
        chat.say("first")
    chat.begin()
    [(route, answer)] = late
    with b.page.expect_response(LISTS):
        route.fulfill(response=answer)
    tabs = b.page.get_by_role("tablist", name="Conversations").get_by_role("tab")
    expect(tabs).to_have_count(2)
    expect(tabs.first).to_have_attribute("aria-selected", "true")
    expect(b.page.locator(".conversation .empty")).to_be_visible()


def test_two_thousand_messages_stay_usable(place: Place, bench: Open) -> None:
    place.script({"talk": [["many", 2000]], "more": [["say", "and one more"]]})
    b = bench(place.project)
    chat = Chat(b)
    chat.begin()
    chat.say("talk")
    b.page.reload()
    b.page.get_by_role("tab", name="Chat").click()
    expect(chat.entries("agent")).to_have_count(100)
    expect(chat.entries("agent").last).to_be_in_viewport()
    expect(chat.entries("agent").last).to_have_text("message 1999")
    b.page.get_by_role("button", name="Show older messages").click()
    expect(chat.entries("agent")).to_have_count(200)
    chat.say("more")
    expect(chat.entries("agent").last).to_have_text("and one more")


def test_a_task_at_a_place_and_its_proposal(place: Place, bench: Open) -> None:
    place.script(
        {"make it loud": [["propose", "a.md", "a.md two", "a.md TWO", "louder"], ["say", "Proposed."]]}
    )
    place.project.prompt("earlier")
    place.project.edit("a.md", "a.md three", "a.md 3")
    place.project.stop()
    b = bench(place.project)
    b.choose("a.md")
    b.line("a.md two").click()
    b.press("Escape", "g", "k")
    b.dialog.get_by_label("What is to be done").fill("make it loud")
    b.dialog.get_by_label("Agent", exact=True).select_option("scripted")
    b.dialog.get_by_role("button", name="Begin").click()
    proposal = b.page.get_by_role("region", name="Proposal")
    expect(proposal).to_contain_text("louder")
    expect(b.page.locator(".task-place")).to_contain_text("a.md:2")
    assert "a.md two" in place.text("a.md")
    expect(proposal.get_by_role("button", name="Accept")).to_be_visible()
    expect(b.at(".sign-proposed")).to_have_count(1)
    # At the place: the proposal stands before the change of the earlier turn.
    b.bars.first.get_by_role("button", name="Accept").click()
    expect(proposal).to_have_count(0)
    expect(b.line("a.md TWO")).to_have_count(1)
    assert "a.md TWO" in place.text("a.md")


def test_axe_finds_nothing_in_the_chat(place: Place, bench: Open) -> None:
    place.script({**TWO_TURNS, "ask": [["plan", "look"], ["edit", "c.md", "c.md two", "c.md TWO", "ask"]]})
    b = bench(place.project)
    chat = Chat(b)
    assert violations(b.page) == []
    chat.begin()
    chat.say("first")
    chat.begin()
    chat.send("ask")
    expect(b.page.locator(".permission.waiting")).to_be_visible()
    assert violations(b.page) == []
    b.page.get_by_role("button", name="Side by side").click()
    expect(b.page.locator(".column")).to_have_count(2)
    assert violations(b.page) == []


def test_what_an_agent_says_is_only_text(place: Place, bench: Open) -> None:
    evil = "<img src=x onerror=alert(1)> \u202etxt \x1b[31m"
    place.script({"go": [["say", evil], ["edit", "<b>x<b>.md", "", evil + "\n"]]})
    b = bench(place.project)
    seen: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        seen.append(dialog.message)
        dialog.dismiss()

    b.page.on("dialog", dismiss)
    chat = Chat(b)
    chat.begin()
    chat.say("go")
    expect(chat.entries("agent")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(b.page.locator(".chat-entry img")).to_have_count(0)
    expect(chat.entries("tool")).to_contain_text("<b>x<b>.md")
    assert seen == []


ANSWER = """\
## What I did

1. Read **both** files
   - [x] the first
2. Changed `one` line:

```python
def louder(text: str) -> str:
    return text.upper()  # <b>not a tag</b>
```

| file | lines |
|------|-------|
| a.md | 1     |

See [the docs](https://example.org/docs) and ![a picture](https://example.org/x.png).
"""


def test_an_answer_reads_well_and_loads_nothing(place: Place, bench: Open) -> None:
    printed = "".join(f"line {number}\n" for number in range(60))
    place.script({"go": [["tool", "Run the tests", printed], ["say", ANSWER, 7], ["suggest", "Commit it"]]})
    b = bench(place.project)
    asked: list[str] = []
    b.page.on("request", lambda request: asked.append(request.url))
    chat = Chat(b)
    chat.begin()
    chat.say("go")
    answer = chat.entries("agent")
    expect(answer.get_by_role("heading", name="What I did")).to_be_visible()
    expect(answer.locator("ol > li")).to_have_count(2)
    expect(answer.locator("li li")).to_contain_text("the first")
    expect(answer.locator(".code-block .tok-keyword").first).to_have_text("def")
    expect(answer.locator(".code-block")).to_contain_text("# <b>not a tag</b>")
    expect(answer.locator("td").first).to_have_text("a.md")
    expect(answer.locator(".md-link").first).to_have_text("the docs (https://example.org/docs)")
    expect(answer.locator("a, img, b")).to_have_count(0)
    assert not [url for url in asked if "example.org" in url]

    expect(chat.entries("tool")).not_to_contain_text("line 3")
    chat.entries("tool").get_by_role("button", name="Output, 60 lines").click()
    expect(chat.entries("tool")).to_contain_text("line 19")
    expect(chat.entries("tool")).not_to_contain_text("line 20")
    chat.entries("tool").get_by_role("button", name="Show 40 more lines").click()
    expect(chat.entries("tool")).to_contain_text("line 59")
    assert violations(b.page) == []

    b.page.get_by_role("button", name="Commit it").click()
    expect(chat.composer).to_have_value("Commit it")
    expect(b.page.get_by_role("list", name="What may come next")).to_have_count(0)
