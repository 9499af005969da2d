"""What every test gets: a home of its own, and bounds for the random ones."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

# Before any test imports it: asserts in there say what they found, too.
pytest.register_assert_rewrite("tests.support")

from blueline.desk import people  # noqa: E402
from tests.support import killing  # noqa: E402
from tests.support.home import environment  # noqa: E402
from tests.support.systems import CANNOT  # noqa: E402

if TYPE_CHECKING:
    from tests.support.postgresql import Server

# The walk should take 60 to 90 seconds in `make test`: measure again whenever a step of it changes.
DEFAULT_WALKS = 12
WALK_SECONDS = 1200
"""Bounded by steps: this is for one that hangs, and not for a machine that is busy."""

IN_MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 << 30
"""What tests leave in their folders at one time is a quarter of it."""

# Set by the program the tests are started from; each would change what a child process does.
FOREIGN_PREFIXES = ("ANTHROPIC_", "BLUELINE", "CLAUDE", "GIT_", "XDG_")

# Tests of ours start processes and sync disks, so an example that is slow says nothing.
COMMON = settings(deadline=None, suppress_health_check=(HealthCheck.too_slow,), print_blob=True)

# The same examples each time: a test that fails by chance says nothing about the change under test. What has
# not been found yet is looked for with `--walk N` and `--hypothesis-profile long`.
settings.register_profile("ci", COMMON, max_examples=60, derandomize=True)
settings.register_profile("long", COMMON, max_examples=2000)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--walk",
        type=int,
        metavar="N",
        help=f"take N random walks through the engine instead of {DEFAULT_WALKS}, however long that is",
    )
    parser.addoption(
        "--every-step", action="store_true", help="kill at every step also where some of them are sampled"
    )
    parser.addoption("--browser", action="store_true", help="run the workbench in Chromium too")
    parser.addoption("--forge", action="store_true", help="check requests to GitHub by its own description")
    parser.addoption("--editors", action="store_true", help="review in real editors: `make test-editors`")
    parser.addoption(
        "--agents", action="store_true", help="run the agents that npm installs too: see `make test-agents`"
    )


def pytest_configure(config: pytest.Config) -> None:
    if agent := people.asker({}).agent:
        pytest.exit(
            f"{agent} runs this, and most tests decide something (D5): python -m tests.support.apart …"
        )
    if not config.getoption("agents"):  # some let their shells into the system's own temporary folder alone
        _leave_the_disk_alone()
    killing.thorough = config.getoption("every_step")
    walks = config.getoption("walk")
    bounded = {"max_examples": DEFAULT_WALKS, "derandomize": True}
    settings.register_profile("walk", COMMON, **(bounded if walks is None else {"max_examples": walks}))


def _leave_the_disk_alone() -> None:
    """Temporary files in memory, where there is room and nobody has said where: no test waits for a disk."""
    if (
        "TMPDIR" not in os.environ
        and os.access(IN_MEMORY, os.W_OK)
        and shutil.disk_usage(IN_MEMORY).free > ROOM_BYTES
    ):
        os.environ["TMPDIR"] = str(IN_MEMORY)
        tempfile.tempdir = None  # whoever has asked already asks again


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # The longest first: at the end, one worker would wait for the other.
    items.sort(key=lambda item: item.get_closest_marker("walk") is None)
    longest = WALK_SECONDS if config.getoption("walk") is None else 0
    for item in items:
        if item.get_closest_marker("walk"):
            item.add_marker(pytest.mark.timeout(longest), append=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that is skipped is one that failed, unless it is about something that cannot be here."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and CANNOT not in str(report.longrepr):
        report.outcome = "failed"
    return report


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, and an environment that knows no other."""
    place = tmp_path_factory.mktemp("home")
    for name in os.environ:
        if name.startswith(FOREIGN_PREFIXES) or name in people.AGENTS:
            monkeypatch.delenv(name)
    for name, value in environment(place).items():
        monkeypatch.setenv(name, value)
    return place


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A real one, for all tests of a worker that ask for it."""
    from tests.support.postgresql import running

    with running() as server:
        yield server
