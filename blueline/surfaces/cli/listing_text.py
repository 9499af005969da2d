"""What there is to see, as text: the state of all, lists, differences, the log."""

from __future__ import annotations

from itertools import groupby

from blueline.surfaces.cli.phrases import (
    NO_PROMPT,
    called,
    cell_name,
    count,
    counted,
    excerpt,
    hint,
    is_in_text,
    moment,
    overridden,
    place,
    remarks,
    sizes,
    some,
    status,
    subagent,
    tallies,
)
from blueline.surfaces.cli.same_hunks import same_changes
from blueline.surfaces.cli.terminal import Screen, columns, first_line, fitted, quoted, safe, visible, wrapped

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from blueline.contract.agents import AgentPresence
    from blueline.contract.groups import CountsDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.overview import DiffDocument, ListingDocument, StatusDocument
    from blueline.contract.turns import CallDocument

MODES = {
    "review": "edits land at once, and are reviewed after",
    "hold": "edits become proposals; nothing is written until you accept it",
    "direct": "edits are not recorded",
}

SHORTEST_EXCERPT = 12
LONG = 40
"""A list with more hunks than this begins with how many there are in each file."""
FEW_PATHS = 3
LONGEST_DESCRIPTION = 60


def state(document: StatusDocument, screen: Screen) -> Iterator[str]:
    """The answer to `status`."""
    counts, gate, mode = document["counts"], document["gate"], document["mode"]
    yield screen.paint(safe(document["root"]), "heading")
    label = "  mode     "
    first, *rest = wrapped(f"{visible(mode)} ({MODES.get(mode, 'unknown')})", screen.width - len(label))
    yield f"{label}{first}"
    yield from (f"{' ' * len(label)}{line}" for line in rest)
    yield from _agents(document.get("agents", ()), screen)
    recording = document["recording"]
    if not recording["recorded"]:
        yield f"  {screen.paint('not recorded here', 'bad')}: {safe(recording['why'])}"
    elif recording["by"] == "user":
        yield "  recorded by hooks in your own settings"
    is_known = recording["recorded"] and all(one["code"] != "corrupt-state" for one in gate["reasons"])
    decided = "nothing: every change is decided" if is_known else "nothing that is known of"
    yield f"  pending  {counted(counts) if counts['hunks'] else decided}"
    if document["turns_running"]:
        yield f"  running  {count(document['turns_running'], 'turn')}: more edits may follow"
    # Who never set reviews up is not reminded of them; the gate itself says all there is to say.
    reasons = [one for one in gate["reasons"] if document.get("reviews", True) or one["code"] != "no-review"]
    if gate["open"] or reasons or gate["override"]:
        yield f"  gate     {screen.paint('open', 'good') if gate['open'] else screen.paint('closed', 'bad')}"
    if override := gate["override"]:
        yield f"           {screen.paint(overridden(override), 'warn')}, although:"
    for reason in reasons:
        yield f"           {safe(reason['message'])}"
    if not recording["recorded"]:
        yield hint(safe(recording["hint"]), screen)
    elif counts["hunks"]:
        yield hint("blueline walk goes through them, blueline diff shows what changed", screen)
    elif any(reason["code"] in ("stale-review", "loop-failed") for reason in gate["reasons"]):
        yield hint("blueline review runs the checks again", screen)
    else:
        yield hint("let an agent work, then: blueline list", screen)


def _agents(found: Iterable[AgentPresence], screen: Screen) -> Iterator[str]:
    """Whose hooks were installed, and whether they do anything."""
    for number, agent in enumerate(found):
        note = ""
        if not agent["hooks"]:
            note = screen.paint(f"  its hooks are not in {visible(agent['settings'])} any more", "bad")
        elif not agent["heard"]:
            advice = f": {visible(agent['advice'])}" if agent["advice"] else ""
            note = screen.paint(f"  no event yet{advice}", "warn")
        yield f"  {'' if number else 'agents':7}  {visible(agent['label'])}{note}"


def listed(
    document: ListingDocument, screen: Screen, *, by: str, wanted: str, narrowed: bool = False
) -> Iterator[str]:
    """The answer to `list`: one line for each `by`, of those that are `wanted`, or some of those."""
    draw = {"hunk": _hunks, "file": _files, "call": _calls, "turn": _turns}[by]
    names = _names(document)
    # Where something is not recorded or lost, that is said whatever was asked for (D6).
    if not names and narrowed and document["recording"]["recorded"] and "lost" not in document:
        yield "No change is what you asked for."
        yield hint("blueline list shows what there is to decide, with --status all everything", screen)
        return
    if not names:
        yield from _nothing(document, wanted, screen)
        return
    yield from draw(document, screen)
    yield ""
    if not document["recording"]["recorded"] and document["mode"] != "direct":
        yield f"{screen.paint('Not recorded here', 'bad')}: {safe(document['recording']['why'])}."
        yield hint(safe(document["recording"]["hint"]), screen)
    if lost := document.get("lost"):
        yield f"{screen.paint('There may have been more', 'bad')}: {safe(lost['why'])}."
        yield hint(safe(lost["hint"]), screen)
    yield _after_list(names[0], wanted, screen)


def _names(document: ListingDocument) -> list[str]:
    """What each entry of a list can be selected by."""
    return [
        *(one["id"] for one in document.get("hunks", ())),
        *(one["path"] for one in document.get("files", ())),
        *(one["id"] for one in document.get("calls", ())),
        *(one["id"] for one in document.get("turns", ())),
    ]


def _after_list(first: str, wanted: str, screen: Screen) -> str:
    if wanted not in ("pending", "all"):
        return hint("blueline log says when, blueline undo takes the last decision back", screen)
    return hint(f"blueline show {quoted(first)}, then blueline accept or reject it", screen)


def _nothing(document: ListingDocument, wanted: str, screen: Screen) -> Iterator[str]:
    if wanted == "pending" and document["mode"] == "direct":
        yield "Nothing to decide. The mode is direct: what agents do is not recorded."
        yield hint("blueline mode review", screen)
    elif wanted in ("pending", "all") and not document["recording"]["recorded"]:
        yield f"{screen.paint('Not recorded here', 'bad')}: {safe(document['recording']['why'])}."
        yield hint(safe(document["recording"]["hint"]), screen)
    elif wanted in ("pending", "all") and (lost := document.get("lost")):
        yield f"{screen.paint('Nothing that is known of', 'bad')}: {safe(lost['why'])}."
        yield hint(safe(lost["hint"]), screen)
    elif wanted == "pending":
        yield "Nothing to decide: no change by an agent is waiting for an answer."
        yield hint("let an agent work; blueline list --status all shows what was decided", screen)
    elif wanted == "all":
        yield "No agent has changed anything in this project yet."
        yield hint("let one work in it, then: blueline list", screen)
    else:
        yield f"Nothing is {wanted}."
        yield hint("blueline list shows what there is to decide", screen)


def _hunks(document: ListingDocument, screen: Screen) -> Iterator[str]:
    found = document["hunks"]
    counts: CountsDocument = {
        "hunks": len(found),
        "files": len({hunk["path"] for hunk in found}),
        "calls": len({hunk["call"] for hunk in found if hunk["call"]}),
        "turns": len({hunk["turn"] for hunk in found if hunk["turn"]}),
    }
    mode = visible(document["mode"])
    note = "" if mode == "review" else screen.paint(f"   mode: {mode}", "warn")
    yield f"{screen.paint(counted(counts), 'heading')}{note}"
    if len(found) > LONG:
        yield from _by_file(found, screen)
    mixed = len({hunk["status"] for hunk in found}) > 1
    again, single = same_changes(found)
    columned = (_id, _line, _kind, sizes)
    widths = tuple(max(len(text(hunk)) for hunk in single) for text in columned if single)
    for places in again:
        yield ""
        yield from _same(places, screen)
    for path, group in groupby(single, key=lambda hunk: hunk["path"]):
        yield ""
        yield screen.paint(safe(path), "heading")
        yield from (_hunk(row, screen, mixed, widths) for row in group)


def _by_file(found: Sequence[HunkDocument], screen: Screen) -> Iterator[str]:
    """Where it all is, before each of it."""
    rows = [(safe(path), [*group]) for path, group in groupby(found, key=lambda hunk: hunk["path"])]
    width = max(columns(path) for path, _ in rows)
    yield ""
    for path, group in rows:
        added, removed = (sum(hunk[side] for hunk in group) for side in ("new_lines", "old_lines"))
        about = screen.paint(f"{count(len(group), 'hunk')}, +{added:,} -{removed:,}", "dim")
        yield f"{path}{' ' * (width - columns(path) + 2)}{about}"


def _same(group: Sequence[HunkDocument], screen: Screen) -> Iterator[str]:
    """One change that was made in many places, on a line, and where."""
    files = [*dict.fromkeys(hunk["path"] for hunk in group)]
    places = f"{count(len(group), 'place')} in {count(len(files), 'file')}"
    start = f"the same change in {places}: "
    rest = max(screen.width - len(start), SHORTEST_EXCERPT)
    yield f"{screen.paint(start, 'heading')}{excerpt(group[0], screen, rest)}"
    first = screen.paint(safe(group[0]["id"]), "id")
    yield f"  {first} and others; blueline walk {first}, then a = or x =, decides about all"


def _turn(row: HunkDocument | CallDocument) -> str:
    """`t1`, or `t1 a2` for what a sub-agent did in it."""
    return f"{safe(row['turn'])} {safe(row['subagent'])}".strip()


def _line(hunk: HunkDocument) -> str:
    if cell := hunk.get("cell"):
        line = f":{hunk['new_start'] or 1}" if cell["change"] == "edited" else ""
        return f"#{cell_name(cell)}{line}"
    return str(hunk["new_start"] or 1) if is_in_text(hunk) else ""


def _id(hunk: HunkDocument) -> str:
    return safe(hunk["id"])


def _kind(hunk: HunkDocument) -> str:
    return safe(hunk["kind"])


def _hunk(row: HunkDocument, screen: Screen, mixed: bool, widths: tuple[int, ...]) -> str:
    id_width, line_width, kind_width, size_width = widths
    cells = [
        (_id(row).ljust(id_width), "id"),
        (_line(row).rjust(line_width), ""),
        (_kind(row).ljust(kind_width), ""),
        (sizes(row).ljust(size_width), "dim"),
        (_turn(row).ljust(2), "dim"),
    ]
    used = 2 + sum(len(text) + 2 for text, _ in cells)
    painted = [screen.paint(text, style) for text, style in cells]
    if mixed:
        used += len("accepted") + 2
        painted.insert(1, status(row["status"], screen, width=len("accepted")))
    notes = ", ".join(remarks(row, short=True))
    notes = f"({notes}) " if notes else ""
    rest = max(screen.width - used - len(notes), SHORTEST_EXCERPT)
    return f"  {'  '.join(painted)}  {screen.paint(notes, 'warn')}{excerpt(row, screen, rest)}".rstrip()


def _files(document: ListingDocument, screen: Screen) -> Iterator[str]:
    rows = document["files"]
    width = max(columns(safe(row["path"])) for row in rows)
    for row in rows:
        path = safe(row["path"])
        blanks = " " * (width - columns(path) + 2)
        yield f"{status(row['status'], screen, width=9)} {path}{blanks}{screen.paint(tallies(row), 'dim')}"


def _calls(document: ListingDocument, screen: Screen) -> Iterator[str]:
    rows = document["calls"]
    width = max(len(row["id"]) for row in rows)
    for row in rows:
        identifier = screen.paint(safe(row["id"]).ljust(width), "id")
        about = screen.paint(f"of {_turn(row)}, {tallies(row)}", "dim")
        yield f"{identifier}  {status(row['status'], screen, width=9)} {called(row)}  {about}"


def _turns(document: ListingDocument, screen: Screen) -> Iterator[str]:
    for row in document["turns"]:
        identifier = screen.paint(safe(row["id"]), "id")
        about = screen.paint(f"{tallies(row)}  {safe(row['agent'])}  {moment(row['started'])}", "dim")
        running = "" if row["ended"] else screen.paint("  still running", "warn")
        yield f"{identifier}  {status(row['status'], screen)}  {about}{running}"
        yield f"    {fitted(first_line(row['prompt']) or NO_PROMPT, screen.width - 4)}"
        for one in row["subagents"]:
            identifier = screen.paint(safe(one["id"]), "id")
            running = "" if one["ended"] else screen.paint("  still running", "warn")
            about = screen.paint(f"{tallies(one)}  {subagent(one)}", "dim")
            yield f"    {identifier}  {status(one['status'], screen)}  {about}{running}"


def identifiers(document: ListingDocument) -> Iterator[str]:
    """Every id that the hunks of a list can be selected by, for completion."""
    found = document["hunks"]
    for column in zip(
        *((one["id"], one["call"], one["subagent"], one["turn"]) for one in found), strict=True
    ):
        yield from dict.fromkeys(safe(name) for name in column if name)


def described(document: ListingDocument) -> Iterator[str]:
    """The same, each with what it is, after a tab."""
    found = document["hunks"]
    for hunk in found:
        yield f"{safe(hunk['id'])}\t{place(hunk)} {excerpt(hunk, Screen(), LONGEST_DESCRIPTION)}".rstrip()
    for key in ("call", "turn"):
        groups: dict[str, list[HunkDocument]] = {}
        for hunk in found:
            groups.setdefault(safe(hunk["call"] if key == "call" else hunk["turn"]), []).append(hunk)
        for name, group in groups.items():
            paths = [*dict.fromkeys(hunk["path"] for hunk in group)]
            tool = f"{safe(group[0]['tool'])}: " if key == "call" else ""
            if name:
                yield f"{name}\t{tool}{count(len(group), 'hunk')} in {some(paths, FEW_PATHS)}"


def difference(document: DiffDocument, screen: Screen) -> Iterator[str]:
    """The answer to `diff`, for people."""
    from blueline.surfaces.cli import changes

    diff = document["diff"]
    if not diff:
        yield "No pending changes."
        yield hint("blueline list --status all shows what was decided", screen)
        return
    yield from changes.unified(diff, screen)
    if screen.watched:
        yield hint("blueline accept PATH, or blueline reject PATH:10-20 for some lines", screen)
