"""What checkers print, and what is made of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blueline.gate.findings import LONGEST_MESSAGE, MOST_FINDINGS, cut, in_document, understood
from blueline.gate.review_run import issue, spelled
from tests.support.command import text

Row = tuple[str, str, int, int, str, str]


def check(output: str, expect: list[Row], root: Path = Path("/project")) -> None:
    """Severity, file, line, column, rule, message."""
    found = understood(text(output), str(root), "a tool")
    assert [(one.severity, one.file, one.line, one.column, one.rule, one.message) for one in found] == expect


def test_mypy() -> None:
    check(
        """
        src/a.py:3: error: Incompatible return value type  [return-value]
        src/a.py:3: note: see the docs
        src/b.py:10:5: error: Name "x" is not defined  [name-defined]
        Found 2 errors in 2 files (checked 9 source files)
        """,
        [
            ("error", "src/a.py", 3, 0, "return-value", "Incompatible return value type"),
            ("error", "src/b.py", 10, 5, "name-defined", 'Name "x" is not defined'),
        ],
    )


def test_ruff() -> None:
    check(
        """
        src/a.py:1:8: F401 [*] `os` imported but unused
        src/a.py:2:111: E501 Line too long (120 > 110)
        """,
        [
            ("error", "src/a.py", 1, 8, "F401", "`os` imported but unused"),
            ("error", "src/a.py", 2, 111, "E501", "Line too long (120 > 110)"),
        ],
    )


def test_ruff_as_it_prints_unasked() -> None:
    check(
        """
        CPY001 Missing copyright notice at top of file
        --> bench/a.py:1:1

        UP018 [*] Unnecessary `complex` call (rewrite as a literal)
           --> bench/a.py:155:18
            |
        155 |     e: complex = complex()
            |                  ^^^^^^^^^
        help: Replace with complex literal

        invalid-syntax: Expected `)`, found newline
         --> b.py:1:6

        Found 3 errors.
        [*] 1 fixable with the `--fix` option.
        """,
        [
            ("error", "bench/a.py", 1, 1, "CPY001", "Missing copyright notice at top of file"),
            ("error", "bench/a.py", 155, 18, "UP018", "Unnecessary `complex` call (rewrite as a literal)"),
            ("error", "b.py", 1, 6, "invalid-syntax", "Expected `)`, found newline"),
        ],
    )
    check("E100 is a number\nof something else\n --> a.py:1:1\nE100 is the last\n", [])


def test_pyright() -> None:
    check(
        """
        /project/src/a.py
          /project/src/a.py:47:46 - error: Type of "x" is unknown (reportUnknownVariableType)
          /project/src/a.py:61:27 - error: Argument type is partially unknown
            Argument type is "list[Unknown | str]" (reportUnknownArgumentType)
          /project/src/a.py:70:1 - warning: Import "yaml" could not be resolved (reportMissingModuleSource)
        2 errors, 1 warning, 0 informations
        """,
        [
            ("error", "src/a.py", 47, 46, "reportUnknownVariableType", 'Type of "x" is unknown'),
            ("error", "src/a.py", 61, 27, "", "Argument type is partially unknown"),
            (
                "warning",
                "src/a.py",
                70,
                1,
                "reportMissingModuleSource",
                'Import "yaml" could not be resolved',
            ),
        ],
    )


def test_what_python_cannot_compile() -> None:
    check(
        """
        *** Error compiling './a/b.py'...
        Sorry: TabError: inconsistent use of tabs and spaces in indentation (b.py, line 5)
        ./a/c.py:38: SyntaxWarning: assertion is always true, perhaps remove parentheses?
          assert (0, "x")
        *** Error compiling './a/d.py'...
          File "./a/d.py", line 1
            (
            ^
        SyntaxError: '(' was never closed

        ValueError: of something else
        """,
        [
            ("error", "a/b.py", 5, 0, "TabError", "inconsistent use of tabs and spaces in indentation"),
            (
                "warning",
                "a/c.py",
                38,
                0,
                "SyntaxWarning",
                "assertion is always true, perhaps remove parentheses?",
            ),
            ("error", "a/d.py", 1, 0, "SyntaxError", "'(' was never closed"),
        ],
    )


def test_eslint(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.js").write_text("")
    check(
        f"""
        {tmp_path}/src/a.js
          1:10  error    'x' is assigned a value but never used  no-unused-vars
          2:1   warning  Unexpected console statement            no-console

        ✖ 2 problems (1 error, 1 warning)
        """,
        [
            ("error", "src/a.js", 1, 10, "no-unused-vars", "'x' is assigned a value but never used"),
            ("warning", "src/a.js", 2, 1, "no-console", "Unexpected console statement"),
        ],
        tmp_path,
    )


def test_tsc() -> None:
    check(
        """
        src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.
        """,
        [("error", "src/a.ts", 3, 5, "TS2322", "Type 'string' is not assignable to type 'number'.")],
    )


def test_go_and_gcc_and_javac() -> None:
    check(
        """
        # example.org/m
        ./main.go:7:2: undefined: x
        --- FAIL: TestSum (0.00s)
        main.c:4:9: warning: unused variable 'i' [-Wunused-variable]
        src/A.java:5: error: ';' expected
        """,
        [
            ("error", "main.go", 7, 2, "", "undefined: x"),
            ("error", "", 0, 0, "", "TestSum failed"),
            ("warning", "main.c", 4, 9, "-Wunused-variable", "unused variable 'i'"),
            ("error", "src/A.java", 5, 0, "", "';' expected"),
        ],
    )


def test_rustc() -> None:
    check(
        """
        error[E0425]: cannot find value `x` in this scope
         --> src/main.rs:2:20
          |
        2 |     println!("{}", x);
        warning: unused variable: `y`
         --> src/lib.rs:9:9
        error: could not compile `m` (bin "m") due to 1 previous error
        """,
        [
            ("error", "src/main.rs", 2, 20, "E0425", "cannot find value `x` in this scope"),
            ("warning", "src/lib.rs", 9, 9, "", "unused variable: `y`"),
        ],
    )


def test_pytest() -> None:
    check(
        """
        SKIPPED [1] tests/test_c.py:786: requires Python 3.13+
        XFAIL tests/test_c.py::test_later - not yet
        FAILED tests/test_a.py::test_sum - assert 3 == 4
        FAILED tests/test_a.py::test_sum[one two] - assert 3 == 4
        FAILED tests/test_a.py::test_sum[three]
        ERROR tests/test_b.py
        """,
        [
            ("error", "tests/test_a.py", 0, 0, "", "test_sum: assert 3 == 4"),
            ("error", "tests/test_a.py", 0, 0, "", "test_sum[one two]: assert 3 == 4"),
            ("error", "tests/test_a.py", 0, 0, "", "test_sum[three] failed"),
            ("error", "tests/test_b.py", 0, 0, "", "a test failed"),
        ],
    )


def test_what_pytest_cannot_load() -> None:
    check(
        """
        ImportError while loading conftest '/project/tests/conftest.py'.
        tests/conftest.py:12: in <module>
            from freezegun import freeze_time
        E   ModuleNotFoundError: No module named 'freezegun'
        """,
        [("error", "tests/conftest.py", 12, 0, "", "ModuleNotFoundError: No module named 'freezegun'")],
    )


def test_colours_are_not_part_of_it() -> None:
    check("\x1b[1msrc/a.py\x1b[0m:3: \x1b[31merror:\x1b[0m bad\n", [("error", "src/a.py", 3, 0, "", "bad")])


def test_what_only_looks_like_a_place_is_none() -> None:
    check(
        """
        12:30:01 all is well
        listening on localhost:8080
        https://example.org:443: not a file
        time: 3
        """,
        [],
    )


def test_sarif() -> None:
    result = {
        "ruleId": "S1",
        "level": "error",
        "message": {"text": "SQL from a request"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "file:///project/src/a%20b.py"},
                    "region": {"startLine": 4, "startColumn": 2},
                }
            }
        ],
    }
    runs = [{"results": [result, {"message": {"text": "hm"}}, {**result, "suppressions": [{}]}]}]
    check(
        json.dumps({"version": "2.1.0", "runs": runs}),
        [
            ("error", "src/a b.py", 4, 2, "S1", "SQL from a request"),
            ("warning", "", 0, 0, "", "hm"),
        ],
    )


def test_junit() -> None:
    check(
        """
        <?xml version="1.0"?><testsuites><testsuite>
        <testcase classname="tests.a" name="one"/>
        <testcase classname="tests.a" name="two" file="tests/a.py" line="7">
        <failure message="3 != 4"/></testcase>
        <testcase name="three"><error type="OSError">gone
        more</error></testcase>
        </testsuite></testsuites>
        """,
        [
            ("error", "tests/a.py", 7, 0, "", "tests.a.two: 3 != 4"),
            ("error", "", 0, 0, "OSError", "three: gone"),
        ],
    )


def test_entities_are_not_read() -> None:
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>'
    )
    assert in_document(bomb, "/project", "x") is None
    steal = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite name="&a;"/>'
    assert in_document(steal, "/project", "x") is None


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[" * 100_000, b"<testsuite", b"<html/>", b'{"runs": 3}', b"\xff\xfe", b"\x00" * 100]
)
def test_what_is_no_document_is_none(data: bytes) -> None:
    assert in_document(data, "/project", "x") is None


def test_qs12_however_much_is_printed_it_is_bounded() -> None:
    lines = "".join(f"a.py:{n}: error: {'x' * 10_000}\n" for n in range(2_000))
    found = understood(lines, "/project", "x")
    assert len(found) == MOST_FINDINGS
    assert max(len(one.message) for one in found) <= LONGEST_MESSAGE
    assert understood("a" * 5_000_000 + ":1:" * 100_000, "/project", "x") == []


@pytest.mark.parametrize(
    ("typed", "expect"),
    [
        ("it hangs", ("error", "", 0, "it hangs")),
        ("warning: untidy", ("warning", "", 0, "untidy")),
        ("src/a.py:3: bad", ("error", "src/a.py", 3, "bad")),
        ("WARNING:src/a.py:3: so so", ("warning", "src/a.py", 3, "so so")),
        ("see http://x:80: it", ("error", "", 0, "see http://x:80: it")),
    ],
)
def test_an_issue_as_it_is_typed(typed: str, expect: tuple[str, str, int, str]) -> None:
    found = issue(typed, "an agent")
    assert (found.severity, found.file, found.line, found.message) == expect


def test_files_are_spelled_so_that_no_name_is_an_option_or_a_command() -> None:
    assert list(spelled("lint {files}", ["-rf", "a b", "$(touch x)"])) == ["lint ./-rf 'a b' '$(touch x)'"]
    assert list(spelled("lint {files}", [])) == []
    assert list(spelled("make", [])) == ["make"]
    assert len(list(spelled("lint {files}", ["x" * 60_000, "y" * 60_000]))) == 2


@pytest.mark.parametrize(
    ("text", "most", "found"),
    [
        ("one two", 7, "one two"),
        ("one two three", 9, "one two…"),
        ("one two three", 8, "one two…"),
        ("one two three", 7, "one…"),
        ("x" * 20, 10, "x" * 9 + "…"),
        ("a " + "x" * 20, 10, "a xxxxxxx…"),
    ],
)
def test_a_long_text_is_cut_between_words(text: str, most: int, found: str) -> None:
    assert cut(text, most) == found
    assert len(cut(text, most)) <= most
