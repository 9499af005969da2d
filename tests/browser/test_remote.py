"""The workbench on another machine, or in a container: by a port that somebody forwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.bench import PATIENCE_MILLISECONDS, Bench
from tests.support.forwarding import certificate, forwarding
from tests.support.project import POEM, Make, Project
from tests.support.workbench import running


@pytest.fixture
def loud(project: Make) -> Project:
    p = project({"a.txt": POEM})
    p.prompt()
    p.edit("a.txt", "line 2\n", "LINE 2\n")
    return p


def works(b: Bench, loud: Project) -> None:
    """Looking, deciding, typing and news."""
    expect(b.bars).to_have_count(1)
    b.press("a")
    expect(b.bars).to_have_count(0)
    assert loud.hunks() == []
    loud.edit("a.txt", "line 12\n", "LINE 12\n")
    expect(b.at('[data-path="a.txt"] .dot-partly')).to_have_count(1)
    b.page.reload()
    expect(b.bars).to_have_count(1)


def test_with_ssh_another_port_on_the_near_side_works(loud: Project, browser: Browser) -> None:
    with forwarding() as near, running(loud, "--public-url", f"http://localhost:{near.port}") as server:
        near.to = server.port
        assert server.address.startswith(f"http://localhost:{near.port}/")
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        b = Bench(loud, server, context)
        works(b, loud)
        assert b.complaints == []
        context.close()


def test_without_being_told_it_does_not_answer_there(loud: Project, browser: Browser) -> None:
    with forwarding() as near, running(loud) as server:
        near.to = server.port
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://localhost:{near.port}/?token={server.token}")
        expect(page.locator("body")).to_contain_text("this address is not served")
        expect(page.locator("body")).to_contain_text("--public-url")
        context.close()


@pytest.mark.parametrize("renames", [False, True])
def test_behind_https_with_a_name_as_code_hosts_have_it(
    loud: Project, browser: Browser, tmp_path: Path, *, renames: bool
) -> None:
    says: dict[bytes, bytes] = {}
    with forwarding(says, certificate(tmp_path, "bench.localhost")) as near:
        url = f"https://bench.localhost:{near.port}"
        with running(loud, "--public-url", url) as server:
            near.to = server.port
            if renames:
                name = f"bench.localhost:{near.port}".encode()
                says[b"Host: " + name] = f"Host: localhost:{server.port}".encode()
            context = browser.new_context(ignore_https_errors=True)
            context.set_default_timeout(PATIENCE_MILLISECONDS)
            b = Bench(loud, server, context)
            works(b, loud)
            (cookie,) = context.cookies()
            assert (cookie.get("secure"), cookie.get("httpOnly"), cookie.get("sameSite")) == (
                True,
                True,
                "Strict",
            )
            assert b.complaints == []
            context.close()
