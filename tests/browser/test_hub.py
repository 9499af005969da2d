"""The workbench through a hub: an inbox over machines, and decisions that their machines carry out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_access import violations
from tests.support.hub_process import Hub, join, project_of, serving, sync
from tests.support.postgresql import Server
from tests.support.project import POEM, Project

PICTURES = os.environ.get("BLUELINE_PICTURES", "")


@pytest.fixture
def hub(postgresql: Server, tmp_path: Path) -> Iterator[Hub]:
    home = tmp_path / "hub"
    home.mkdir()
    with serving(postgresql.database(), home) as hub:
        yield hub


@pytest.fixture
def machines(tmp_path: Path, hub: Hub) -> list[Project]:
    """Two, each with a change that is undecided. The first is then left alone."""
    found = []
    for number, name in enumerate(("poem", "<b>song</b>")):
        machine = Project(tmp_path / f"{number}", {"a.txt": POEM})
        join(machine, hub)
        machine.prompt("louder, " + name)
        machine.edit("a.txt", "line 2\n", f"LINE {number}\n")
        sync(machine)
        found.append(machine)
    return found


def entered(browser: Browser, link: str, **options: object) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, **options)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(link)
    page.get_by_role("link", name="Sign in on this browser").click()
    return page


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png")


def test_a_reviewer_goes_from_the_inbox_to_a_machine_that_is_off_and_sees_what_it_does_then(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    page = entered(browser, hub.link("Anna", "reviewer"))
    refused: list[str] = []
    page.on("response", lambda found: refused.append(found.url) if found.status >= 400 else None)
    page.reload()
    expect(page.locator(".waiting-project")).to_have_count(2)
    expect(page.get_by_text("No agent has changed a file yet")).to_have_count(0)
    # Nothing is asked for that is not there: that would stand in the browser's console.
    assert refused == []
    assert violations(page) == []
    picture(page, "inbox")
    gone = "UPDATE project SET heard = now() - interval '1 hour' RETURNING name, machine"
    ((_, name), *_) = hub.pairs(gone)
    page.locator(".waiting-project").first.click()
    expect(page.locator(".machine-away")).to_contain_text(f"{name} last heard from")
    expect(page.locator(".file-header h1")).to_have_text("a.txt")
    expect(page.locator(".connection.live")).to_be_visible()
    expect(page.locator(".hunk-bar")).to_be_visible()

    page.get_by_role("button", name="Reject change").click()

    expect(page.get_by_text("Asked for:").first).to_be_visible()
    assert "LINE 0" in machines[0].text("a.txt"), "it waits"
    picture(page, "asked")
    page.reload()
    expect(page.get_by_text("1 decision waits for").first).to_be_visible()
    picture(page, "waits")
    sync(machines[0])
    expect(page.locator(".review-bar")).to_contain_text("Nothing undecided")
    picture(page, "done")
    assert machines[0].text("a.txt") == POEM
    (made, *_) = machines[0].log("decision")
    assert (made["by"], made["verdict"]) == ("Anna", "reject")
    expect(page.locator(".machine-away")).to_have_count(0)
    (number,) = [one["person"] for one in hub.command("people")["people"] if one["name"] == "Anna"]
    hub.command("sign-out", str(number))
    machines[0].edit("a.txt", "line 9\n", "LINE 9\n")
    sync(machines[0])
    expect(page.locator(".banner")).to_contain_text("This browser is not signed in any more")
    picture(page, "ended")
    page.context.close()


def test_some_lines_of_a_change_are_decided_through_the_hub(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    machine = machines[0]
    machine.edit("a.txt", "line 11\nline 12\nline 13\n", "LINE 11\nLINE 12\nLINE 13\n")
    sync(machine)
    page = entered(browser, hub.link("Anna", "reviewer", project_of(machine)))
    page.locator(".waiting-project").click()
    expect(page.locator(".hunk-bar")).to_have_count(2)
    page.locator(".cm-line", has_text="LINE 12").first.click(click_count=3)
    expect(page.get_by_role("button", name="Reject 1 line").first).to_be_visible()
    picture(page, "lines")

    page.keyboard.press("x")

    expect(page.get_by_text("Asked for:").first).to_be_visible()
    sync(machine)
    expect(page.locator(".hunk-bar")).to_have_count(3)
    assert "LINE 11\nline 12\nLINE 13\n" in machine.text("a.txt")
    page.context.close()


def test_a_reader_looks_and_is_told_why_nothing_else(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    project = project_of(machines[0])
    page = entered(browser, hub.link("Rita", "reader", project), color_scheme="dark")
    expect(page.locator(".waiting-project")).to_have_count(1)
    page.locator(".waiting-project").click()
    expect(page.locator(".hunk-bar")).to_be_visible()

    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    page.keyboard.press("a")
    expect(page.get_by_text("A reader may look, and not decide").first).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_text("This is done on the machine itself").first).to_be_visible()
    for key in "xuUcAC":
        page.keyboard.press(key)
    page.locator(".cm-content").first.click()
    page.keyboard.type("mine")
    found = menu_of(page)
    assert "Sign Rita out" in found
    assert "People and machines" not in found
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1440, 1024, 390):
            page.set_viewport_size({"width": width, "height": 900})
            expect(page.locator(".review-bar")).to_be_visible()
            assert refused_here(page, REFUSED) == []
            assert menu_items(page, "File", REFUSED) == []
            picture(page, f"reader-{scheme}-{width}")
    assert sent == [], "nothing was asked for that would be refused"
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="A command").fill("accept")
    expect(page.get_by_role("option", name="Accept")).to_have_count(0)
    page.context.close()


WRITING = r"^(Type here|Note on|Note$|Send|Ship|Chat|Typing|Reviewing|Why\?)"
REFUSED = WRITING + r"|^(Accept|Reject|Undo|Redo|All$|All changes)"


def refused_here(page: Page, words: str) -> list[str]:
    """What is offered on the page, and would be refused."""
    buttons = page.locator("button:visible, [role=tab]:visible")
    # All at once: a page that takes on another width has other buttons a moment later.
    names = buttons.evaluate_all("all => all.map(one => one.ariaLabel || one.innerText)")
    return [name for name in names if re.match(words, name.strip())]


def menu_items(page: Page, name: str, words: str) -> list[str]:
    """The same in a menu."""
    buttons = page.get_by_role("button", name=name, exact=True)
    if not buttons.count():
        return []
    buttons.first.click()
    found = page.locator(".menu:popover-open .menu-label")
    expect(found.first).to_be_visible()
    names = found.all_inner_texts()
    page.keyboard.press("Escape")
    return [one for one in names if re.match(words, one)]


def is_one_line(page: Page, bar: str) -> bool:
    """Whether all that a bar shows stands on one line, and nothing of it is cut or hangs over."""
    return bool(
        page.evaluate(
            """bar => {
            const box = document.querySelector(bar);
            const shown = [...box.querySelectorAll("button, select, strong, span")].filter(
                one => one.getClientRects().length && !one.classList.contains("spring") && one.textContent);
            const whole = box.getBoundingClientRect();
            return box.scrollWidth <= box.clientWidth + 1 && shown.every(one => {
                const own = one.getBoundingClientRect();
                return own.bottom <= whole.bottom + 1 && own.top >= whole.top - 1 &&
                    own.right <= whole.right + 1;
            });
        }""",
            bar,
        )
    )


def test_a_reviewer_is_offered_decisions_and_nothing_that_is_done_on_the_machine(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    page = entered(browser, hub.link("Anna", "reviewer"))
    page.locator(".waiting-project").first.click()
    expect(page.get_by_role("button", name="Reject change")).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1440, 1024, 390):
            page.set_viewport_size({"width": width, "height": 900})
            expect(page.get_by_role("button", name="Undo").first).to_be_visible()
            assert refused_here(page, WRITING) == []
            assert menu_items(page, "File", WRITING) == []
            assert is_one_line(page, ".top-bar"), width
            picture(page, f"reviewer-{scheme}-{width}")
            if width == 1440:
                heights = page.locator(".review-bar .bar-line:visible").evaluate_all(
                    "all => all.map(one => Math.max(...[...one.children].map(c => c.offsetHeight)))"
                )
                assert max(heights) < 48, "each line of the bar is one line"
    page.context.close()


def test_somebody_sees_their_browsers_and_ends_one_and_what_became_of_all_projects(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    page = entered(browser, hub.link("Anna", "reviewer"))
    (number,) = [one["person"] for one in hub.command("people")["people"] if one["name"] == "Anna"]
    other = entered(browser, f"{hub.url}/enter/{hub.another_link(number)}")
    expect(other.locator(".waiting-project")).to_have_count(2)
    page.get_by_role("button", name="Your browsers").click()
    sheet = page.get_by_role("dialog", name="Your browsers")
    expect(sheet.locator("li")).to_have_count(2)
    expect(sheet.locator("li").first).to_contain_text("on ")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            picture(page, f"browsers-{scheme}-{width}")
    assert violations(page) == []
    sheet.get_by_role("button", name="End").click()
    expect(sheet.locator("li")).to_have_count(1)
    other.reload()
    expect(other.get_by_role("heading", name="This browser is not signed in")).to_be_visible()

    machines[0].reject("a.txt")
    sync(machines[0])
    page.goto(f"{hub.url}/")
    page.get_by_role("link", name="What became of it").click()
    expect(page.get_by_role("heading", name="By project")).to_be_visible()
    expect(page.locator("body")).to_contain_text("1 rejected, 1 undecided")
    for light in (True, False):
        scheme = "light" if light else "dark"
        page.emulate_media(color_scheme="light" if light else "dark")
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert over <= 0, "tables scroll by themselves"
            picture(page, f"report-{scheme}-{width}")
    assert violations(page) == []
    page.get_by_role("link", name="4 weeks").click()
    expect(page.locator("strong", has_text="4 weeks")).to_be_visible()
    page.get_by_role("link", name="Inbox").click()
    expect(page.locator(".waiting-project")).to_have_count(1)
    for one in (page, other):
        one.context.close()


def menu_of(page: Page) -> str:
    """What there is to do."""
    page.get_by_role("button", name="Workbench").click()
    found = page.locator(".menu:popover-open [role^=menuitem]")
    expect(found.first).to_be_visible()
    names = " ".join(found.all_inner_texts())
    page.keyboard.press("Escape")
    return names


def test_an_owner_sees_to_people_and_machines_and_a_reviewer_does_not(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    project = project_of(machines[0])
    reviewer = entered(browser, hub.link("Anna", "reviewer", project))
    reviewer.locator(".waiting-project").click()
    expect(reviewer.get_by_role("button", name="Reject change")).to_be_visible()
    assert "People and machines" not in menu_of(reviewer)
    owner = entered(browser, hub.link("Olga", "owner", project))
    owner.locator(".waiting-project").click()
    expect(owner.locator(".looking")).to_have_text("Anna is looking")
    owner.get_by_role("button", name="Workbench").click()
    owner.get_by_role("menuitem", name="People and machines").click()
    sheet = owner.get_by_role("dialog", name="People and machines")
    expect(sheet.get_by_role("region", name="People").locator("li")).to_have_count(2)
    expect(sheet.get_by_role("region", name="Machines").locator("li")).to_contain_text("last heard from")
    sheet.get_by_label("Name of who is invited").fill("<b>Bert</b>")
    sheet.get_by_role("button", name="Invite").click()
    link = sheet.locator(".made code").inner_text()
    assert violations(owner) == []
    for scheme in ("light", "dark"):
        owner.emulate_media(color_scheme=scheme)
        for width in (1440, 390):
            owner.set_viewport_size({"width": width, "height": 900})
            picture(owner, f"people-{scheme}-{width}")
    bert = entered(browser, link)
    expect(bert.locator(".waiting-project")).to_have_count(1)
    sheet.get_by_label("Role of Anna").select_option("none")
    expect(sheet.get_by_label("Role of Anna")).to_have_count(0)
    reviewer.reload()
    expect(reviewer.get_by_text("there is no such project").first).to_be_visible()

    sheet.get_by_role("button", name="Send away").click()

    expect(sheet.get_by_role("region", name="Machines").locator("li")).to_contain_text("ended")
    expect(sheet.get_by_role("region", name="Audit").locator("li").first).to_contain_text(
        "sent a machine away"
    )
    assert machines[0].command("sync").returncode == 1
    bert.get_by_role("button", name="Sign out").click()
    expect(bert.get_by_role("heading", name="This browser is not signed in")).to_be_visible()
    picture(bert, "signed-out")
    for page in (reviewer, owner, bert):
        page.context.close()


def test_the_inbox_is_filtered_by_words_and_risk_and_a_refusal_is_heard_where_one_looks(
    browser: Browser, machines: list[Project], hub: Hub
) -> None:
    machines[1].write(".github/workflows/ci.yml", "on: push\n")
    sync(machines[1])
    page = entered(browser, hub.link("Anna", "reviewer"))
    names = page.locator(".waiting-project")
    expect(names).to_have_count(2)
    expect(names.first).to_contain_text("critical risk")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            picture(page, f"inbox-{scheme}-{width}")
    page.set_viewport_size({"width": 1440, "height": 900})
    words = page.get_by_role("searchbox", name="Only what has these words")
    page.get_by_label("Risk").select_option("high")
    expect(names).to_have_count(1)
    page.get_by_label("Risk").select_option("low")
    words.fill("claude .github")
    expect(names).to_have_count(1)
    words.fill("nobody")
    expect(page.get_by_text("Nothing fits.")).to_be_visible()
    words.fill("")
    names.last.click()
    expect(page.locator(".hunk-bar")).to_be_visible()
    machines[0].edit("a.txt", "LINE 0", "line zero")

    page.get_by_role("button", name="Reject change").click()

    expect(page.locator(".hunk-bar .remark").first).to_contain_text("Anna: reject; waits for")
    picture(page, "waiting-hunk")
    sync(machines[0])
    expect(page.get_by_text("what was shown is not there any more").first).to_be_visible()
    picture(page, "refused")
    page.context.close()
