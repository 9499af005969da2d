"""The sample project of `blueline demo`, and what an agent and a person do to it."""

from __future__ import annotations

FILES = {
    ".gitignore": """\
.claude/settings.local.json
__pycache__/
""",
    "README.md": """\
# Pantry

Lists what is in the kitchen:

    python -m pantry shelf.csv

Each line of the file is a name and a date.
""",
    "shelf.csv": """\
milk,2030-01-04
rice,2031-06-30
yoghurt,2030-01-02
""",
    "pantry/__init__.py": "",
    "pantry/__main__.py": '''\
"""python -m pantry FILE"""

import sys

from pantry.items import read
from pantry.report import page

print(page(read(sys.argv[1])))
''',
    "pantry/items.py": '''\
"""What is on the shelf."""

import csv
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Item:
    name: str
    best_before: date


def read(path: str) -> list[Item]:
    with open(path, newline="") as file:
        return [Item(name, date.fromisoformat(day)) for name, day in csv.reader(file)]
''',
    "pantry/report.py": '''\
"""The shelf as text."""

from pantry.items import Item


def line(item: Item) -> str:
    return f"{item.name}: {item.best_before}"


def summary(items: list[Item]) -> str:
    return f"{len(items)} items"


def page(items: list[Item]) -> str:
    return "\\n".join([*map(line, items), summary(items)])
''',
}

FIRST_PROMPT = "Show how many days each item has left, and find what is about to expire."
SECOND_PROMPT = "Let people say how many days count as soon, and print those items."

ITEM = """\
    name: str
    best_before: date
"""
ITEM_WITH_DAYS = """\
    name: str
    best_before: date

    def days_left(self, today: date) -> int:
        return (self.best_before - today).days
"""

ALARM = '''\
"""Which items want eating."""

from datetime import date

from pantry.items import Item

SOON = 3


def expiring(items: list[Item], today: date) -> list[Item]:
    return [item for item in items if item.days_left(today) <= SOON]
'''

# The whole file is written again for three small changes; nobody asked for the last of them.
REPORT = '''\
"""The shelf as text."""

from datetime import date

from pantry.items import Item


def line(item: Item) -> str:
    return f"{item.name}: {item.days_left(date.today())} days left"


def summary(items: list[Item]) -> str:
    return f"{len(items)} products in stock"


def page(items: list[Item]) -> str:
    return "\\n".join([*map(line, items), summary(items)])
'''
UNASKED = "products in stock"

# A person types into a file that the agent has just made, and into one it has not touched yet.
TYPED_IN_ALARM = ("SOON = 3\n", "# Yoghurt keeps longer than the label says.\nSOON = 3\n")
TYPED_IN_README = ("a name and a date.\n", "a name and a date (YYYY-MM-DD).\n")

EXPIRING = """\
def expiring(items: list[Item], today: date) -> list[Item]:
    return [item for item in items if item.days_left(today) <= SOON]
"""
EXPIRING_WITHIN = """\
def expiring(items: list[Item], today: date, within: int = SOON) -> list[Item]:
    return [item for item in items if item.days_left(today) <= within]
"""

PRINTING = """\
from pantry.items import read
from pantry.report import page

print(page(read(sys.argv[1])))
"""
PRINTING_SOON = """\
from datetime import date

from pantry.alarm import SOON, expiring
from pantry.items import read
from pantry.report import page

items = read(sys.argv[1])
within = int(sys.argv[2]) if len(sys.argv) > 2 else SOON
print(page(items))
for item in expiring(items, date.today(), within):
    print(f"eat soon: {item.name}")
"""

USAGE = "    python -m pantry shelf.csv\n"
USAGE_WITH_DAYS = "    python -m pantry shelf.csv 5\n\nwarns of what has five days left or less.\n"

TYPED_AT_THE_END = ("# Pantry\n", "# Pantry\n\nFor people who forget what they bought.\n")
