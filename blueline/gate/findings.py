"""What checkers print, read as findings: SARIF, JUnit XML, and the lines of compilers and linters.

All of it comes out of programs that read a hostile repository, so nothing in it is believed: sizes are
bounded, XML with a document type is not read at all (entities could make it endless), and text is only ever
shown through the one function that makes everything visible.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from blueline.model.loop import ERROR, WARNING, Finding

MOST_FINDINGS = 500
LONGEST_MESSAGE = 1_000
LONGEST_LINE = 4_000
LONGEST_PATH = 1_000
MOST_LINES = 20_000
LARGEST_DOCUMENT = 16 << 20

# The place first: mypy, ruff, flake8, gcc, clang, go, javac, shellcheck -f gcc.
_PLACED = re.compile(
    r"^(?P<file>[^\s:()][^:()\n]{0,999}):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?"
    r"(?::\d{1,9}(?::\d{1,9})?)?:?\s+(?P<rest>\S.*)$"
)
# tsc: src/a.ts(3,5): error TS2322: …
_BRACKETED = re.compile(
    r"^(?P<file>[^\s()][^()\n]{0,999})\((?P<line>\d{1,9}),(?P<column>\d{1,9})\):\s+"
    r"(?P<severity>error|warning)\s+(?P<rule>[A-Za-z]+\d+):\s*(?P<message>.+)$"
)
_SEVERITY = re.compile(
    r"^(?P<severity>fatal error|error|warning|note|info|help)\s*:?\s+(?P<rest>.+)$", re.IGNORECASE
)
_RULE = re.compile(r"^(?P<rule>[A-Z]{1,5}\d{2,5})(?: \[\*\])?\s+(?P<rest>.+)$")
_TAIL_RULE = re.compile(r"^(?P<rest>.+?)\s+\[(?P<rule>[\w./-]{1,60})\]$")
# eslint's stylish form: indented rows below the name of a file.
_ESLINT = re.compile(
    r"^\s+(?P<line>\d{1,9}):(?P<column>\d{1,9})\s+(?P<severity>error|warning)\s+(?P<message>.+?)(?:\s{2,}(?P<rule>[\w@/-]+))?$"
)
# pyright: indented, with a dash; what it says on further lines is left out, and the rule with it.
_PYRIGHT = re.compile(
    r"^\s+(?P<file>[^\s:][^:\n]{0,999}):(?P<line>\d{1,9}):(?P<column>\d{1,9}) - "
    r"(?P<severity>error|warning): (?P<message>.+?)(?: \((?P<rule>report\w+)\))?$"
)
# Python, and its compileall: the file, then its line, then what is wrong; or the last two in one.
_COMPILING = re.compile(r"^\*\*\* Error compiling '(?P<file>.{1,1000})'\.\.\.$")
_IN_FILE = re.compile(r'^\s+File "(?P<file>[^"\n]{1,1000})", line (?P<line>\d{1,9})$')
_BROKEN = re.compile(
    r"^(?:Sorry: )?(?P<rule>\w+Error): (?P<message>.+?)(?: \([^()]*, line (?P<line>\d{1,9})\))?$"
)
# pytest, of what it could not load: the place, the line of code, then what is wrong.
_FRAME = re.compile(r"^(?P<file>[^\s:()][^:()\n]{0,999}):(?P<line>\d{1,9}): in \S+$")
_RAISED = re.compile(r"^E\s+(?P<message>\S.*)$")
_PYTHON_WARNING = re.compile(r"^(?P<rule>\w+Warning): (?P<rest>.+)$")
# rustc and ruff: the message, and the place below an arrow.
_RUST = re.compile(r"^(?P<severity>error|warning)(?:\[(?P<rule>E\d+)\])?: (?P<message>.+)$")
_RUFF = re.compile(r"^(?P<rule>[A-Z]{1,5}\d{2,5}|invalid-syntax:)(?: \[\*\])? (?P<message>.+)$")
_ARROW = re.compile(r"^\s*--> (?P<file>[^\n:]{1,1000}):(?P<line>\d{1,9}):(?P<column>\d{1,9})$")
_GO_TEST = re.compile(r"^\s*--- FAIL: (?P<name>\S+)")
_PYTEST = re.compile(r"^(?:FAILED|ERROR) (?P<file>[^\s:]+)(?:::(?P<name>.+?))?(?: - (?P<message>.+))?$")
# In pytest's summary, what is no failure: it names places, too.
_NO_FAILURE = re.compile(r"^(?:SKIPPED|XFAIL|XPASS|PASSED|RERUN)\b")
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")

QUIET = ("note", "info", "help")


def cut(text: str, most: int) -> str:
    """A text of bounded length, cut between words, and seen to be cut."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    is_between = text[most - 1].isspace() or head[-1].isspace()
    whole = head if is_between else head.rsplit(None, 1)[0]
    return f"{(whole if len(whole) * 3 >= most else head).rstrip()}…"


def understood(output: str, root: str, source: str) -> list[Finding]:
    """What a command's output says it found. At most so many; nothing if it says nothing we know."""
    text = _COLOURS.sub("", output)
    document = text.strip()
    if document[:1] in "{[":
        found = _sarif(document, root, source)
        if found is not None:
            return found
    if document[:1] == "<" and ("<testsuite" in document[:4096]):
        found = _junit(document, root, source)
        if found is not None:
            return found
    return _first(_lines(text, root, source))


def in_document(data: bytes, root: str, source: str) -> list[Finding] | None:
    """The findings in a file of results; None if it is neither SARIF nor JUnit."""
    if len(data) > LARGEST_DOCUMENT:
        return None
    text = data.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    return _sarif(text, root, source) if text[:1] in "{[" else _junit(text, root, source)


def _first(found: Iterator[Finding]) -> list[Finding]:
    unique: dict[tuple[object, ...], Finding] = {}
    for one in found:
        unique.setdefault((one.file, one.line, one.column, one.message), one)
        if len(unique) >= MOST_FINDINGS:
            break
    return list(unique.values())


# Lines


def _lines(text: str, root: str, source: str) -> Iterator[Finding]:
    below = ""  # the file that eslint's rows are about
    waiting: re.Match[str] | None = None  # what rustc or ruff said, before it says where
    broken: dict[str, Any] = {}  # the place that Python says next what is wrong with
    for line in text.split("\n", MOST_LINES)[:MOST_LINES]:
        line = cut(line.rstrip("\r"), LONGEST_LINE)
        arrow = _ARROW.match(line) if waiting is not None else None
        if waiting is not None and waiting.re is _RUFF and not arrow:
            waiting = None  # ruff says where at once: this was something else
        if waiting is not None and arrow:
            rule = str(waiting["rule"] or "").rstrip(":")
            yield _finding(root, source, {**waiting.groupdict(), **arrow.groupdict(), "rule": rule})
            waiting = None
        elif found := _RUST.match(line) or _RUFF.match(line):
            if waiting is not None:
                yield _finding(root, source, waiting.groupdict())
            # "error: could not compile …" names no place, and says nothing new.
            waiting = (
                found if not found["message"].startswith(("could not compile", "aborting due")) else None
            )
        elif found := _COMPILING.match(line) or _IN_FILE.match(line) or _FRAME.match(line):
            broken = found.groupdict()
        elif broken and (found := _BROKEN.match(line) or _RAISED.match(line)):
            fields = found.groupdict()
            fields["line"] = fields.get("line") or broken.get("line")
            yield _finding(root, source, {**broken, **fields})
            broken = {}
        elif found := _PYRIGHT.match(line):
            yield _finding(root, source, found.groupdict())
        elif row := _ESLINT.match(line):
            yield _finding(root, source, {**row.groupdict(), "file": below})
        elif (found := _BRACKETED.match(line)) or (found := _PYTEST.match(line)):
            fields = found.groupdict()
            name, message = fields.get("name"), fields.get("message")
            fields["message"] = (
                f"{name}: {message}" if name and message else message or f"{name or 'a test'} failed"
            )
            yield _finding(root, source, fields)
        elif found := _GO_TEST.match(line):
            yield _finding(root, source, {"message": f"{found['name']} failed"})
        elif (found := _PLACED.match(line)) and not _NO_FAILURE.match(line):
            yield from _placed(found, root, source)
        elif line and not line.startswith(" ") and _is_path(line, root):
            below = line
    if waiting is not None and waiting.re is not _RUFF:
        yield _finding(root, source, waiting.groupdict())


def _placed(found: re.Match[str], root: str, source: str) -> Iterator[Finding]:
    fields: dict[str, Any] = {**found.groupdict(), "severity": ERROR}
    rest = fields.pop("rest")
    if said := _SEVERITY.match(rest):
        fields["severity"], rest = said["severity"].lower(), said["rest"]
        if fields["severity"] in QUIET:
            return
    elif not _looks_real(fields["file"]):
        return
    elif said := _PYTHON_WARNING.match(rest):
        yield _finding(
            root, source, {**fields, **said.groupdict(), "severity": "warning", "message": said["rest"]}
        )
        return
    for form in (_RULE, _TAIL_RULE):
        if ruled := form.match(rest):
            fields["rule"], rest = ruled["rule"], ruled["rest"]
            break
    yield _finding(root, source, {**fields, "message": rest})


def _looks_real(path: str) -> bool:
    """A file's name, and not the time of day or the name of a machine."""
    return bool(re.search(r"\.[A-Za-z]\w{0,9}$", path)) and "//" not in path


def _is_path(line: str, root: str) -> bool:
    return len(line) < LONGEST_PATH and "\0" not in line and os.path.isfile(os.path.join(root, line))


def _finding(root: str, source: str, fields: dict[str, Any]) -> Finding:
    severity = WARNING if fields.get("severity") == "warning" else ERROR
    return Finding(
        severity=severity,
        message=cut(str(fields.get("message") or ""), LONGEST_MESSAGE),
        file=_relative(str(fields.get("file") or ""), root),
        line=_number(fields.get("line")),
        column=_number(fields.get("column")),
        rule=str(fields.get("rule") or "")[:100],
        source=source,
    )


def _number(value: object) -> int:
    try:
        found = int(str(value or 0))
    except ValueError:
        return 0
    return found if 0 <= found < 10**9 else 0


def _relative(path: str, root: str) -> str:
    """A path as seen from the root, where it lies below it."""
    if len(path) > LONGEST_PATH or "\0" in path:
        return ""
    if os.path.isabs(path):
        real = os.path.normpath(path)
        return os.path.relpath(real, root) if real.startswith(os.path.join(root, "")) else path
    return os.path.normpath(path) if path else ""


# Documents


def _sarif(text: str, root: str, source: str) -> list[Finding] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not isinstance(document.get("runs"), list):
        return None
    return _first(
        _result(result, root, source)
        for run in document["runs"]
        if isinstance(run, dict)
        for result in _items(run.get("results"))
        if result.get("kind", "fail") in ("fail", "open", "review") and not result.get("suppressions")
    )


def _items(value: object) -> Sequence[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _at(value: object, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _result(result: dict[str, Any], root: str, source: str) -> Finding:
    # The format's own default is "warning".
    level = result.get("level", "warning")
    place = next(iter(_items(result.get("locations"))), {})
    uri = _at(place, "physicalLocation", "artifactLocation", "uri")
    path = ""
    if isinstance(uri, str):
        parts = urlsplit(uri) if uri.startswith("file:") else None
        path = unquote(parts.path if parts is not None else uri)
    region = _at(place, "physicalLocation", "region")
    return _finding(
        root,
        source,
        {
            "severity": ERROR if level == "error" else "warning",
            "message": _at(result, "message", "text") or _at(result, "message", "markdown") or "",
            "file": path,
            "line": _at(region, "startLine"),
            "column": _at(region, "startColumn"),
            "rule": result.get("ruleId"),
        },
    )


def _junit(text: str, root: str, source: str) -> list[Finding] | None:
    # Entities are declared in a document type; JUnit has none, so whoever brings one brings nothing good.
    if re.search(r"<!(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        return None
    from xml.etree import ElementTree

    try:
        top = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, RecursionError):
        return None
    if top.tag.rpartition("}")[2] not in ("testsuites", "testsuite"):
        return None
    return _first(_cases(top, root, source))


def _cases(top: Any, root: str, source: str) -> Iterator[Finding]:
    for case in top.iter():
        if case.tag.rpartition("}")[2] != "testcase":
            continue
        for below in case:
            if below.tag.rpartition("}")[2] not in ("failure", "error"):
                continue
            name = ".".join(filter(None, (case.get("classname"), case.get("name"))))
            said = (below.get("message") or below.text or "").strip().split("\n", 1)[0]
            yield _finding(
                root,
                source,
                {
                    "message": f"{name}: {said}" if said else f"{name} failed",
                    "file": case.get("file"),
                    "line": case.get("line"),
                    "rule": below.get("type"),
                },
            )
