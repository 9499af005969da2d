"""One thing with all that is known of it, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from blueline.surfaces.cli import changes
from blueline.surfaces.cli.log_text import noted
from blueline.surfaces.cli.phrases import (
    NO_PROMPT,
    SHORT_COMMIT,
    hint,
    moment,
    place,
    remarks,
    sizes,
    status,
    subagent,
    tallies,
    verdict,
    who,
)
from blueline.surfaces.cli.terminal import Screen, first_line, quoted, safe, visible

if TYPE_CHECKING:
    from blueline.contract.cells import CellShown
    from blueline.contract.files import FileOperationDocument, FileShown, LinesShown
    from blueline.contract.groups import GroupDocument
    from blueline.contract.hunks import HunkDocument, HunkShown
    from blueline.contract.log import DecisionLogged, DecisionShown, NoteShown
    from blueline.contract.overview import ShownDocument
    from blueline.contract.turns import CallShown, SubagentShown, TurnShown


def shown(document: ShownDocument, screen: Screen) -> Iterator[str]:
    """The answer to `show`."""
    if document["kind"] == "hunk":
        return _hunk(document, screen)
    if document["kind"] == "call":
        return _call(document, screen)
    if document["kind"] == "turn":
        return _turn(document, screen)
    if document["kind"] == "subagent":
        return _subagent(document, screen)
    if document["kind"] == "file":
        return _file(document, screen)
    if document["kind"] == "cell":
        return _cell(document, screen)
    if document["kind"] == "lines":
        return _lines(document, screen)
    if document["kind"] == "note":
        return _note(document, screen)
    return _decision(document, screen)


def _facts(pairs: Iterable[tuple[str, str]], screen: Screen) -> Iterator[str]:
    """Names and values below each other; what is not known is left out."""
    known = [(name, value) for name, value in pairs if value]
    width = max((len(name) for name, _ in known), default=0)
    for name, value in known:
        yield f"  {screen.paint(name.ljust(width), 'dim')}  {value}"


def _title(row: HunkShown | CallShown | TurnShown | SubagentShown, screen: Screen) -> str:
    kind = "sub-agent" if row["kind"] == "subagent" else row["kind"]
    name = screen.paint(f"{kind} {safe(row['id'])}", "heading")
    return f"{name}  {status(row['status'], screen)}"


def _names(values: Iterable[str]) -> str:
    return ", ".join(safe(value) for value in values)


def _hunk(document: HunkShown, screen: Screen) -> Iterator[str]:
    # What a hunk calls its kind elsewhere is called its change here.
    row = cast("HunkDocument", {**document, "kind": document["change"]})
    yield f"{_title(document, screen)}  {place(row)}"
    tool = f" with {safe(row['tool'])}" if row["tool"] else ""
    yield from _facts(
        [
            ("what", f"{safe(row['kind'])} {sizes(row)}".strip()),
            ("from", safe(row.get("from"))),
            ("by", f"{who(**row['actor'])}{tool}"),
            ("in", f"call {safe(row['call'])}, turn {safe(row['turn'])}" if row["call"] else ""),
            ("sub-agent", safe(row["subagent"])),
            ("prompt", first_line(document["prompt"] or "")),
            ("at", moment(row["at"])),
            ("note", "; ".join(remarks(row))),
            ("builds on", _names(row["builds_on"])),
            ("built on by", _names(row["built_on_by"])),
            ("decided by", _names(document["decisions"])),
            *_about(document),
        ],
        screen,
    )
    if row["kind"] in ("rename", "mode"):
        return  # what there is of it was said
    yield ""
    if row["old"] is None and row["new"] is None:
        yield screen.paint("(not text)", "dim")
    else:
        yield from changes.replaced(row["old"] or "", row["new"] or "", screen)
    yield ""
    yield _next(row["status"], safe(row["id"]), screen)


def _note(document: NoteShown, screen: Screen) -> Iterator[str]:
    yield f"{screen.paint(safe(document['id']), 'heading')}  {noted(document)}"
    yield from _facts([("at", moment(document["at"]))], screen)
    yield ""
    yield from (visible(line) for line in document["text"].splitlines())
    if document["quote"]:
        yield ""
        yield from (screen.paint(f"> {visible(line)}", "dim") for line in document["quote"].splitlines())


def _about(row: HunkShown | CallShown) -> Iterator[tuple[str, str]]:
    """What the call brought with it; where its records are is of use to programs only."""
    for name, value in row["about"].items():
        if name in SENTENCES:
            yield from (("note", first_line(sentence)) for sentence in SENTENCES[name](value))
        elif name not in ("record", "end", "prompt", "subagent"):
            yield safe(name).replace("_", " "), first_line(_spelled(value))


def _counted(folders: list[list[Any]]) -> Iterator[str]:
    for path, before, after in folders:
        yield f"{after:,} files under {path} now, {before:,} before: counted, not itemised"


def _left(number: int) -> Iterator[str]:
    yield f"{number} of the processes it started still ran at its end, and may change more"


def _closed(folders: list[str]) -> Iterator[str]:
    yield f"could not be looked into: {', '.join(folders)}"


def _moved(git: dict[str, Any]) -> Iterator[str]:
    old, new = (git[f"{side}_branch"] or git[side][:10] for side in ("from", "to"))
    commits = f"{git['from'][:10]} to {git['to'][:10]}"
    yield f"git went from {old} to {new} ({commits}), and {git['files']:,} files with it"
    if old != new:
        yield f"to go back there: git checkout {quoted(old)}"
    else:
        yield f"to go back there: git reset {git['from'][:10]}"


SENTENCES: dict[str, Callable[[Any], Iterator[str]]] = {
    "counted": _counted,
    "stays": _left,
    "closed": _closed,
    "git": _moved,
}
"""What is told of a call in whole sentences."""


def _spelled(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    return "yes" if value is True else str(value)


def _next(state: object, name: str, screen: Screen) -> str:
    if state in ("pending", "mixed"):
        return hint(f"blueline accept {name} keeps it, reject {name} takes it back", screen)
    return hint("blueline log shows the decision, blueline undo takes one back", screen)


def _call(row: CallShown, screen: Screen) -> Iterator[str]:
    yield _title(row, screen)
    yield from _facts(
        [
            ("tool", safe(row["tool"])),
            ("path", safe(row["path"])),
            ("turn", safe(row["turn"])),
            ("sub-agent", safe(row["subagent"])),
            ("began", moment(row["started"])),
            ("ended", moment(row["ended"]) or "still running"),
            ("outcome", safe(row["outcome"])),
            ("hunks", _hunks(row)),
            *_about(row),
        ],
        screen,
    )
    yield _next(row["status"], safe(row["id"]), screen)


def _hunks(row: GroupDocument) -> str:
    return f"{tallies(row)}: {_names(row['hunks'])}" if row["hunks"] else "none"


def _turn(row: TurnShown, screen: Screen) -> Iterator[str]:
    yield _title(row, screen)
    yield from _facts(
        [
            ("agent", safe(row["agent"])),
            ("conversation", safe(row["conversation"])),
            ("began", moment(row["started"])),
            ("ended", moment(row["ended"]) or "still running"),
            ("hunks", _hunks(row)),
            *(
                ("sub-agent", f"{safe(one['id'])}  {subagent(one)}, {tallies(one)}")
                for one in row["subagents"]
            ),
        ],
        screen,
    )
    yield ""
    prompt = row["prompt"].strip("\n")
    for line in (prompt or NO_PROMPT).split("\n"):
        yield f"  {visible(line, tabs=True)}"
    yield ""
    yield _next(row["status"], safe(row["id"]), screen)


def _subagent(row: SubagentShown, screen: Screen) -> Iterator[str]:
    yield _title(row, screen)
    yield from _facts(
        [
            ("turn", safe(row["turn"])),
            ("type", safe(row["type"])),
            ("for", first_line(row["description"])),
            ("began", moment(row["started"])),
            ("ended", moment(row["ended"]) or "still running"),
            ("hunks", _hunks(row)),
        ],
        screen,
    )
    yield _next(row["status"], safe(row["id"]), screen)


def _file(row: FileShown, screen: Screen) -> Iterator[str]:
    yield f"{screen.paint(safe(row['path']), 'heading')}  {status(row['status'], screen)}"
    # The first is not a change: it is how the file was when it was first looked at.
    first, *steps = row["operations"]
    yield from _facts(
        [
            ("on disk", "yes" if row["exists"] else "no"),
            ("mode", safe(row["mode"])),
            ("hunks", _hunks(row)),
            ("known since", moment(first["at"])),
            *(("changed", _step(step)) for step in steps),
        ],
        screen,
    )
    yield _next(row["status"], quoted(row["path"]), screen)


def _cell(row: CellShown, screen: Screen) -> Iterator[str]:
    name = f"{row['path']}#{row['cell'] or row['index']}"
    yield f"{screen.paint(safe(name), 'heading')}  {status(row['status'], screen)}"
    yield from _facts(
        [
            ("type", safe(row["type"])),
            ("cell", f"{row['index']}" if row["index"] else "not in the notebook"),
            ("hunks", _hunks(row)),
        ],
        screen,
    )
    yield ""
    old, new = ("" if source is None else source + "\n" for source in (row["old"], row["new"]))
    yield from changes.replaced(old, new, screen)
    yield ""
    yield _next(row["status"], quoted(name), screen)


def _lines(row: LinesShown, screen: Screen) -> Iterator[str]:
    name = f"{row['path']}:{row['line']}-{row['end_line']}"
    yield f"{screen.paint(safe(name), 'heading')}  {status(row['status'], screen)}"
    yield from _facts([("hunks", _hunks(row))], screen)
    yield ""
    yield from changes.replaced(row["text"], row["text"], screen)
    yield ""
    yield _next(row["status"], quoted(name), screen)


def _step(step: FileOperationDocument) -> str:
    call = f" in {safe(step['call'])}" if step["call"] else ""
    return f"{moment(step['at'])} by {who(**step['actor'])}{call}"


def _decider(row: DecisionLogged) -> str:
    if row["commit"]:
        return f"commit {safe(row['commit'])[:SHORT_COMMIT]}"
    if row["request"]:
        return f"{safe(row['by'])}, at the hub"
    return f"{safe(row['agent'])}, as {safe(row['by'])}" if row["agent"] else safe(row["by"])


def _decision(row: DecisionShown, screen: Screen) -> Iterator[str]:
    name = screen.paint(f"decision {safe(row['id'])}", "heading")
    standing = "undone" if not row["stands"] else "decided anew since" if row["overtaken"] else "stands"
    yield f"{name}  {verdict(row).removesuffix(':')}, {standing}"
    yield from _facts(
        [
            ("at", moment(row["at"])),
            ("by", _decider(row)),
            ("reason", first_line(row["reason"])),
            ("hunks", _names(row["hunks"])),
            ("in", _names(row["paths"])),
            ("wrote", _names(row["written"]) or "nothing"),
        ],
        screen,
    )
    if row["stands"]:
        yield hint(f"blueline undo {safe(row['id'])} undoes it", screen)
    else:
        yield hint("blueline redo redoes the last one that was undone", screen)
