"""What became of agents' work, as one page that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Literal

from blueline.model.visible import visible

if TYPE_CHECKING:
    from blueline.contract.report import OutcomesDocument, ReportDocument, ReportRowDocument

Outcome = Literal["kept", "corrected", "rejected", "pending"]
OUTCOMES: tuple[Outcome, ...] = ("kept", "corrected", "rejected", "pending")
WORDS: dict[Outcome, str] = {
    "kept": "kept",
    "corrected": "corrected",
    "rejected": "rejected",
    "pending": "undecided",
}
LONGEST_NAME = 24
NOT_KNOWN = "not known"

WIDTH = 560
LABELS = 170
NUMBERS = 50
BAR, GAP = 18, 8
COLUMN, HEIGHT, BELOW = 34, 160, 20
MOST_BARS = 30
MOST_ROWS = 200

POLICY = "default-src 'none'; style-src 'unsafe-inline'"

STYLE = """\
:root { color-scheme: light dark; --ink: #1d2530; --paper: #fdfcf9; --blue: #1d5bb8;
  --kept: #2a6f97; --corrected: #61a5c2; --rejected: #c1121f; --pending: #adb5bd }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe4ea; --paper: #14181d; --blue: #8ab4f0;
    --kept: #4f9bc7; --corrected: #a9d6e5; --rejected: #ef5b62; --pending: #6c757d }
}
body { font: 15px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--paper) }
h1 { font-size: 1.5rem; overflow-wrap: anywhere } h2 { font-size: 1.15rem; margin-top: 2rem }
a { color: var(--blue) }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: .5rem 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .15rem .7rem; border-bottom: 1px solid #8884; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
svg { max-width: 100%; height: auto; display: block }
svg text { font: 12px system-ui, sans-serif; fill: currentColor }
.kept { fill: var(--kept) } .corrected { fill: var(--corrected) }
.rejected { fill: var(--rejected) } .pending { fill: var(--pending) }
ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem }
ul svg { display: inline; vertical-align: -1px }
"""


def page(
    document: ReportDocument,
    where: str,
    *,
    nonce: str = "",
    above: Iterable[str] = (),
    links: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """The whole page, line by line. Everything that comes from elsewhere is escaped.

    On its own it brings its policy along; with a `nonce` it has one from whoever serves it. `above` are lines
    of HTML that come first, and `links` leads names of projects to their own pages.
    """
    total = document["total"]
    since = f" since {_text(moment(document['since']))}" if document["since"] else ""
    title = f"What agents wrote in {_text(where)}"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    if not nonce:
        yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    style = f'<style nonce="{escape(nonce)}">' if nonce else "<style>"
    yield f"<title>{title}</title>{style}\n{STYLE}</style></head><body>"
    yield from above
    yield "<main>"
    yield f"<h1>{title}</h1>"
    changes = "1 change" if total["changes"] == 1 else f"{total['changes']:,} changes"
    yield f"<p>{changes}{since}: {_text(spelled(total) or 'nothing')}.</p>"
    if total["changes"]:
        yield _legend()
        for name, rows in sections(document):
            yield f"<h2>By {name}</h2>"
            yield from _columns(rows) if name == "week" else _bars(rows)
            yield from _table(name, rows, (links or {}) if name == "project" else {})
    yield "</main></body></html>"


def sections(document: ReportDocument) -> list[tuple[str, Sequence[ReportRowDocument]]]:
    """The tables that say anything: where, who, what with, who decided, when."""
    parts: list[tuple[str, Sequence[ReportRowDocument]]] = [
        ("project", document.get("projects", [])),  # type: ignore[list-item]
        ("agent", document["agents"]),
        ("model", document["models"]),
        ("tool", document["tools"]),
        ("folder", document["folders"]),
        ("person", document["people"]),
        ("week", document["weeks"]),
    ]
    silent = ("project", "model", "person")
    return [(name, rows) for name, rows in parts if name not in silent or any(row["name"] for row in rows)]


def spelled(counts: OutcomesDocument) -> str:
    """`12 kept, 2 rejected`."""
    return ", ".join(f"{counts[one]:,} {WORDS[one]}" for one in OUTCOMES if counts[one])


def share(row: OutcomesDocument) -> str:
    """How much of what was decided was kept, corrected or not; nothing if nothing was."""
    decided = row["changes"] - row["pending"]
    return f"{(row['kept'] + row['corrected']) / decided:.0%}" if decided else ""


def moment(at: str | None) -> str:
    """A time as the clock here shows it; empty when it is not known."""
    try:
        return datetime.fromisoformat(at or "").astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return at or ""


def _text(text: str) -> str:
    return escape(visible(text), quote=True)


def _name(row: ReportRowDocument) -> str:
    name = visible(row["name"]) or NOT_KNOWN
    return escape(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…", quote=True)


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


def _table(name: str, rows: Sequence[ReportRowDocument], links: Mapping[str, str]) -> Iterator[str]:
    heads = (name, "changes", *WORDS.values(), "kept of decided")
    # Whatever scrolls can be reached by keys.
    yield f'<div class="wide" tabindex="0" role="region" aria-label="By {name}, as a table">'
    yield f"<table><thead><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr></thead><tbody>"
    for row in rows[:MOST_ROWS]:
        where = links.get(str(row.get("id", "")))
        first = f'<a href="{escape(where, quote=True)}">{_name(row)}</a>' if where else _name(row)
        cells = (first, f"{row['changes']:,}", *(f"{row[one]:,}" for one in OUTCOMES), share(row))
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    yield "</tbody></table>"
    if len(rows) > MOST_ROWS:
        yield f"<p>and {len(rows) - MOST_ROWS:,} more</p>"
    yield "</div>"
