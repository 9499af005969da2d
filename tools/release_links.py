"""Writes into the package's metadata where it comes from: `python -m tools.release_links ADDRESS`.

For a release: a fork's packages then lead to the fork, and no address in the sources can be wrong.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
ADDRESS = re.compile(r"https://[\w.-]+(?::\d+)?/[\w.-]+/[\w.-]+")
BEFORE = "[project.scripts]\n"


def linked(text: str, address: str) -> str:
    """A pyproject.toml with links to what a repository holds."""
    if not ADDRESS.fullmatch(address):
        sys.exit(f"not the address of a repository: {address!r}")
    if "[project.urls]" in text or text.count(BEFORE) != 1:
        sys.exit("pyproject.toml has links already, or no scripts to put them before")
    links = {
        "Homepage": address,
        "Documentation": f"{address}/tree/HEAD/docs",
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
        "Security": f"{address}/security",
    }
    table = "".join(f'{name} = "{link}"\n' for name, link in links.items())
    return text.replace(BEFORE, f"[project.urls]\n{table}\n{BEFORE}")


if __name__ == "__main__":
    PYPROJECT.write_text(linked(PYPROJECT.read_text("utf-8"), sys.argv[1]), "utf-8")
