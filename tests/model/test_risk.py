"""How much can go wrong, and why."""

from __future__ import annotations

import pytest

from blueline.model.risk import (
    PATHS,
    USUAL,
    ChangedTogether,
    RiskReason,
    RiskRules,
    Subject,
    assess,
    at_least,
    highest,
)


def check(path: str, level: str, *rules: str, beside: tuple[str, ...] = (), **known: bool | int) -> None:
    found = assess(Subject(path=path, **known), ChangedTogether({path, *beside}))  # type: ignore[arg-type]
    assert (found.level, tuple(sorted(reason.rule for reason in found.reasons))) == (
        level,
        tuple(sorted(rules)),
    )
    assert all(reason.message for reason in found.reasons)


@pytest.mark.parametrize(
    ("path", "level", "rule"),
    [
        (".github/workflows/ci.yml", "critical", "ci"),
        (".github/workflows/deep/er.yml", "critical", "ci"),
        (".claude/settings.json", "critical", "agents"),
        (".blueline/config.toml", "critical", "agents"),
        ("deploy/.env", "critical", "secrets"),
        ("docs/Login.md", "high", "auth"),
        ("db/migrations/0001.txt", "high", "migrations"),
        ("Dockerfile.prod", "high", "infrastructure"),
        ("web/package.json", "medium", "dependencies"),
        ("web/package-lock.json", "medium", "lock-files"),
    ],
)
def test_paths_are_judged(path: str, level: str, rule: str) -> None:
    check(path, level, rule)


def test_what_no_rule_speaks_about_is_low() -> None:
    check("README.md", "low")
    check("tests/test_login.py", "low")


def test_size_deletion_programs_and_bytes_are_judged() -> None:
    check("a.md", "medium", "size", lines=301)
    check("a.md", "high", "deletion", deleted=True)
    check("a.md", "high", "executable", executable=True)
    check("a.png", "medium", "binary", binary=True)
    check("a.md", "medium", "many-files", beside=tuple(f"{n}.md" for n in range(20)))


def test_code_is_covered_by_a_test_that_changes_with_it() -> None:
    check("src/store.py", "medium", "untested")
    check("src/store.py", "low", beside=("tests/test_store.py",))
    check("src/store.py", "medium", "untested", beside=("tests/test_other.py",))


def test_every_level_can_be_set_and_a_rule_switched_off() -> None:
    rules = RiskRules(
        levels={**USUAL, "ci": "low", "size": "critical"}, paths={**PATHS, "auth": ("pay/*",)}, many_lines=1
    )
    assert assess(Subject(path=".github/workflows/x.yml"), ChangedTogether({"x"}), rules).level == "low"
    assert assess(Subject(path="a.md", lines=2), ChangedTogether({"x"}), rules).level == "critical"
    assert assess(Subject(path="pay/a.md"), ChangedTogether({"x"}), rules).reasons == (
        RiskReason(rule="auth", level="high", message="its path is like pay/*"),
    )


def test_levels_are_ordered() -> None:
    assert at_least("high", "high")
    assert at_least("critical", "medium")
    assert not at_least("medium", "high")
    assert (
        highest(
            [
                assess(Subject(path="a.md"), ChangedTogether({"a.md"})),
                assess(Subject(path=".env"), ChangedTogether({".env"})),
            ]
        )
        == "critical"
    )
    assert highest([]) == "low"


def test_a_test_is_found_by_one_name_and_not_by_two_that_stand_beside_each_other() -> None:
    beside = ChangedTogether(["src/a.py", "tests/test_one.py", "tests/two_test.py"])
    assert beside.has_test_of("src/one.py")
    assert beside.has_test_of("src/TWO.py")
    assert not beside.has_test_of("src/pytwo.py")
    assert beside.has_test_of(".py")
    assert not ChangedTogether(["src/a.py"]).has_test_of(".py")
