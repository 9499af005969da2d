"""Every place of the workbench has an address, and a page finds its way back to it."""

from __future__ import annotations

import signal

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.support.project import POEM, Make
from tests.support.workbench import running


def test_an_open_page_finds_its_workbench_again_after_a_restart(project: Make, bench: Open) -> None:
    p = project({"a.txt": POEM, "b.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 2\n", "LINE 2\n")
    p.edit("b.txt", "line 2\n", "LINE 2\n")
    b = bench(p, port=None)
    b.choose("b.txt")
    b.server.stop(signal.SIGKILL)
    expect(b.at(".banner")).to_contain_text("does not answer")
    with running(p, port=None) as again:
        assert again.port == b.server.port
        expect(b.at(".banner")).to_contain_text("was started again")
        tab = b.context.new_page()
        tab.goto(again.address)
        expect(b.at(".banner")).to_have_count(0)
        expect(b.at(".file-header h1")).to_have_text("b.txt")
        b.press("a")
        expect(b.left).to_contain_text("1")
        assert [one["path"] for one in p.hunks()] == ["a.txt"]
        tab.close()
