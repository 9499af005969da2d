"""The rule book: whatever code and tests cite is in it, and whatever is in it is tested."""

from __future__ import annotations

import pytest

from tools.citations import RuleBook, citations, cited, named, rules, without_entry


@pytest.fixture(scope="module")
def book() -> RuleBook:
    return rules()


@pytest.fixture(scope="module")
def tested() -> set[str]:
    return {one.name for one in citations("tests")}


def test_every_citation_has_its_entry(book: RuleBook) -> None:
    assert [str(one) for one in without_entry(book)] == []


def test_every_rule_has_a_test_that_names_it(book: RuleBook, tested: set[str]) -> None:
    assert {name for name in book.rules - book.open if cited(name) not in tested} == set()


def test_what_is_open_has_none(book: RuleBook, tested: set[str]) -> None:
    assert {name for name in book.open if cited(name) in tested} == set()


def test_every_scenario_has_a_test_that_names_it(book: RuleBook, tested: set[str]) -> None:
    assert book.scenarios - tested == set()


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("# A1: where it stands", ["rule A1"]),
        ("(rule A10)", ["rule A10"]),
        ("rules A9 to A11, B2 and C3", ["rule A9", "rule A10", "rule A11", "rule B2", "rule C3"]),
        ("# A10, QD13", ["A10", "QD13"]),
        ("Property 2, and property 4", ["Property 2", "Property 4"]),
        ("def test_rule_b10_a_selector_", ["rule B10"]),
        ("def test_z24_qp1_what_is_secret_", ["Z24", "QP1"]),
    ],
)
def test_what_a_text_cites(text: str, expect: list[str]) -> None:
    assert named(text) == expect
