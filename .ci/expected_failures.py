"""A pytest plugin for the conformance suite: the tests listed beside this file must fail."""

from __future__ import annotations

from pathlib import Path

import pytest

LIST = Path(__file__).with_suffix(".txt")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    issues = _issue_by_test()
    found = set()
    for item in items:
        if issue := issues.get(item.nodeid):
            found.add(item.nodeid)
            item.add_marker(pytest.mark.xfail(reason=issue, strict=True))
    if unknown := sorted(issues.keys() - found):
        raise pytest.UsageError(f"{LIST.name} names tests that do not exist: {', '.join(unknown)}")


def _issue_by_test() -> dict[str, str]:
    issues = {}
    title = ""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            title = line.removeprefix("## ")
        elif line and not line.startswith("#"):
            issues[line] = title
    return issues
