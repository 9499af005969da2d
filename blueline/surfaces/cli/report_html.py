"""What became of agents' work, as one page that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from blueline.surfaces.cli.phrases import moment
from blueline.surfaces.cli.report_text import (
    LONGEST_NAME,
    NOT_KNOWN,
    OUTCOMES,
    Outcome,
    sections,
    share,
    spelled,
)
from blueline.surfaces.cli.terminal import fitted, visible

if TYPE_CHECKING:
    from blueline.contract.report import ReportDocument, ReportRowDocument

WIDTH = 560
LABELS = 170
NUMBERS = 40
BAR, GAP = 18, 8
COLUMN, HEIGHT, BELOW = 34, 160, 20
MOST_BARS = 30

WORDS: dict[Outcome, str] = {
    "kept": "kept",
    "corrected": "corrected",
    "rejected": "rejected",
    "pending": "undecided",
}

POLICY = "default-src 'none'; style-src 'unsafe-inline'"

STYLE = """\
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .15rem .7rem; border-bottom: 1px solid #8884 }
th:first-child, td:first-child { text-align: left }
svg { max-width: 100%; height: auto; display: block }
svg text { font: 12px system-ui, sans-serif; fill: currentColor }
.kept { fill: #2a6f97 } .corrected { fill: #61a5c2 } .rejected { fill: #c1121f } .pending { fill: #adb5bd }
ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 1.2rem }
ul svg { display: inline; vertical-align: -1px }
"""


def page(document: ReportDocument, project: str) -> Iterator[str]:
    """The whole page, line by line. Everything that comes from elsewhere is escaped."""
    total = document["total"]
    since = f" since {_text(moment(document['since']))}" if document["since"] else ""
    title = f"What agents wrote in {_text(project)}"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield f"<title>{title}</title><style>\n{STYLE}</style></head><body>"
    yield f"<h1>{title}</h1>"
    yield f"<p>{total['changes']:,} changes{since}: {_text(spelled(total) or 'nothing')}.</p>"
    if total["changes"]:
        yield _legend()
        for name, rows in sections(document):
            yield f"<h2>By {name}</h2>"
            yield from _columns(rows) if name == "week" else _bars(rows)
            yield from _table(name, rows)
    yield "</body></html>"


def _text(text: str) -> str:
    return escape(visible(text), quote=True)


def _name(row: ReportRowDocument) -> str:
    return _text(fitted(row["name"] or NOT_KNOWN, LONGEST_NAME))


def _legend() -> str:
    size = 'width="12" height="12"'
    parts = [
        f'<li><svg {size} aria-hidden="true"><rect class="{one}" {size}/></svg> {word}</li>'
        for one, word in WORDS.items()
    ]
    return f"<ul>{''.join(parts)}</ul>"


def _plot(width: int, height: int, label: str) -> str:
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{label}">'


def _box(one: Outcome, place: str, about: str) -> str:
    return f'<rect class="{one}" {place}><title>{about} {WORDS[one]}</title></rect>'


def _bars(rows: Sequence[ReportRowDocument]) -> Iterator[str]:
    """A bar for each, as long as it has changes, in parts for what became of them."""
    shown = rows[:MOST_BARS]
    most = max(row["changes"] for row in shown)
    yield _plot(WIDTH, len(shown) * (BAR + GAP), "changes, by what became of them")
    for at, row in enumerate(shown):
        top, left = at * (BAR + GAP), float(LABELS)
        yield f'<text x="0" y="{top + BAR - 5}">{_name(row)}</text>'
        for one in OUTCOMES:
            width = row[one] / most * (WIDTH - LABELS - NUMBERS)
            if row[one]:
                place = f'x="{left:.1f}" y="{top}" width="{width:.1f}" height="{BAR}"'
                yield _box(one, place, f"{row[one]:,}")
            left += width
        yield f'<text x="{left + 6:.1f}" y="{top + BAR - 5}">{row["changes"]:,}</text>'
    yield "</svg>"


def _columns(rows: Sequence[ReportRowDocument]) -> Iterator[str]:
    """A column for each week."""
    shown = rows[-MOST_BARS:]
    most = max(row["changes"] for row in shown)
    yield _plot(len(shown) * COLUMN, HEIGHT + BELOW, "changes, by week")
    for at, row in enumerate(shown):
        left, bottom = at * COLUMN + 4, float(HEIGHT)
        for one in OUTCOMES:
            height = row[one] / most * HEIGHT
            bottom -= height
            if row[one]:
                place = f'x="{left}" y="{bottom:.1f}" width="{COLUMN - 8}" height="{height:.1f}"'
                yield _box(one, place, f"{_name(row)}: {row[one]:,}")
        yield f'<text x="{left}" y="{HEIGHT + 14}">{_text(row["name"][-3:])}</text>'
    yield "</svg>"


def _table(name: str, rows: Sequence[ReportRowDocument]) -> Iterator[str]:
    heads = (name, "changes", *WORDS.values(), "kept of decided")
    yield f"<table><thead><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr></thead><tbody>"
    for row in rows:
        cells = (_name(row), f"{row['changes']:,}", *(f"{row[one]:,}" for one in OUTCOMES), share(row))
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    yield "</tbody></table>"
