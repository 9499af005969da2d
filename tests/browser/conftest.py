"""The workbench in a real browser, against the real server, with agents whose hooks fire meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.bench import PATIENCE_MILLISECONDS, Bench
from tests.support.chromium import chromium
from tests.support.project import Make, Project
from tests.support.sample import sample
from tests.support.workbench import Workbench

# A machine that is busy is slow, not wrong.
expect.set_options(timeout=PATIENCE_MILLISECONDS)

FAILED = pytest.StashKey[bool]()

Open = Callable[..., Bench]
"""What the fixture `bench` gives: a project in, the workbench on it in a browser out."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only with `--browser`, as long as the page is being built."""
    return None if config.getoption("browser") else True


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests of a worker; each gets a window of its own."""
    with chromium(light=True) as found:
        yield found


@pytest.fixture
def project(tmp_path: Path) -> Make:
    """Makes a project with some files."""
    count = 0

    def make(files: Mapping[str, str | bytes] | None = None) -> Project:
        nonlocal count
        count += 1
        return Project(tmp_path / f"{count}", files)

    return make


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Whoever makes the report of a test that failed says what was on the page."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def bench(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the workbench; at the end, the page must not have complained about anything."""
    servers: list[Workbench] = []
    opened: list[Bench] = []

    def open_bench(
        p: Project,
        *words: str,
        width: int = 1440,
        height: int = 900,
        port: int | None = 0,
        **options: object,
    ) -> Bench:
        servers.append(Workbench(p, *words, port=port))
        context = browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        opened.append(Bench(p, servers[-1], context))
        return opened[-1]

    yield open_bench
    if request.node.stash.get(FAILED, False):
        for number, one in enumerate(opened):
            one.picture(tmp_path / f"failed-{number}.png")
    for one in opened:
        one.close()
    for server in servers:
        if server.is_running:
            server.stop()
    for one in opened:
        assert one.complaints == []


@pytest.fixture
def demo(tmp_path: Path) -> Project:
    """The sample project of `blueline demo`."""
    return sample(tmp_path / "demo")
