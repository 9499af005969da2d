"""Rules, scenarios and properties that code and tests name, and where they are defined."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

_HEADING = re.compile(r"^### ([A-D]\d+|Property \d+)\b(.*)$", re.MULTILINE)
_SCENARIO = re.compile(r"^- \*\*([A-Z]+\d+)\*\*", re.MULTILINE)
_RULE = r"[A-D]\d{1,2}(?: \([a-c]\))?"
_RULES = re.compile(rf"\b[Rr]ules? ((?:{_RULE})(?:(?:, | and | or | to )(?:{_RULE}))*)")
_PLAIN = re.compile(r"\b(?:[A-Z]\d{1,2}|Q[A-Z]\d{1,2})\b")
_PROPERTIES = re.compile(r"\b[Pp]ropert(?:y|ies) (\d(?:(?:, | and )\d)*)")
_TEST = re.compile(r"\bdef test_(rule_)?((?:[a-z]{1,2}\d{1,2}_)+)")


class RuleBook(NamedTuple):
    """What is defined: rules and properties, those of them that are not built yet, and scenarios."""

    rules: frozenset[str]
    open: frozenset[str]
    scenarios: frozenset[str]


class Citation(NamedTuple):
    """One id that a file names."""

    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name}"


def rules() -> RuleBook:
    headings = _HEADING.findall((ROOT / "docs" / "rules.md").read_text())
    scenarios = _SCENARIO.findall((ROOT / "docs" / "scenarios.md").read_text())
    return RuleBook(
        frozenset(name for name, _ in headings),
        frozenset(name for name, rest in headings if rest.endswith("(open)")),
        frozenset(scenarios),
    )


def cited(name: str) -> str:
    """How a rule or property of the book is called among citations."""
    return name if name.startswith("Property") else f"rule {name}"


def citations(*folders: str) -> Iterator[Citation]:
    """All that Python files of these folders name, in comments, docstrings and the names of tests."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            for line, text in _prose(path.read_text()):
                yield from (Citation(name, line, one) for one in named(text))


def _prose(source: str) -> Iterator[tuple[int, str]]:
    """The parts of a source that are written for people."""
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_docstring = token.type == tokenize.STRING and before in (
            tokenize.NEWLINE,
            tokenize.INDENT,
            tokenize.DEDENT,
        )
        if token.type == tokenize.COMMENT or is_docstring:
            yield token.start[0], token.string
        elif token.type == tokenize.NAME and token.string.startswith("test_"):
            yield token.start[0], f"def {token.string}_"
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type


def named(text: str) -> list[str]:
    """The ids in a text. From 10 on, rules look like scenarios: a rule says so."""
    found = []
    for match in _TEST.finditer(text):
        found += [_as_id(one, is_rule=bool(match[1])) for one in match[2].strip("_").upper().split("_")]
    for match in _RULES.finditer(text):
        found += [f"rule {one}" for one in _listed(match[1])]
    for match in _PROPERTIES.finditer(text):
        found += [f"Property {number}" for number in re.findall(r"\d", match[1])]
    rest = _RULES.sub("", text)
    return found + [_as_id(one, is_rule=False) for one in _PLAIN.findall(rest)]


def _as_id(name: str, *, is_rule: bool) -> str:
    return f"rule {name}" if is_rule or (name[0] in "ABCD" and len(name) == 2) else name


def _listed(text: str) -> Iterator[str]:
    """`A1 to A3 and C2` are A1, A2, A3 and C2."""
    for part in re.split(r", | and | or ", text):
        ends = re.findall(r"([A-D])(\d+)", part)
        letter, first = ends[0]
        for number in range(int(first), int(ends[-1][1]) + 1):
            yield f"{letter}{number}"


def without_entry(book: RuleBook, found: Iterable[Citation] | None = None) -> list[Citation]:
    """Citations of what is defined nowhere."""
    known = {cited(name) for name in book.rules} | book.scenarios
    return [one for one in found or citations("blueline", "tests", "benchmarks") if one.name not in known]
