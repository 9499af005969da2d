"""`python -m tools.contract` writes what is made from the contract; `--check` says what is not up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.contract.shapes import ROOT, chapters
from tools.contract.tables import tables, with_keys
from tools.contract.typescript import typescript

TYPES = ROOT / "frontend" / "src" / "wire" / "contract.ts"
PAGE = ROOT / "docs" / "contract.md"
COMMANDS = ROOT / "docs" / "command-line.md"


def made() -> dict[Path, str]:
    """Every file that is made, and what it should hold."""
    found = chapters()
    return {
        TYPES: typescript(found),
        PAGE: tables(PAGE.read_text(), found),
        COMMANDS: with_keys(COMMANDS.read_text(), found),
    }


def stale() -> list[str]:
    """The files that do not hold what they should."""
    return [
        str(path.relative_to(ROOT))
        for path, text in made().items()
        if not path.exists() or path.read_text() != text
    ]


def main(words: list[str]) -> int:
    if words == ["--check"]:
        if found := stale():
            print(f"not as blueline/contract says: {', '.join(found)}; run: python -m tools.contract")
        return 1 if found else 0
    for path, text in made().items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
