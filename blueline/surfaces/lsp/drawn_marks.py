"""What an editor without a plugin of ours draws: marks, actions, buttons above lines, words about each.

What comes from files and agents is shown as plain text, never as markup that an editor might follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import TYPE_CHECKING, Any

from blueline.model.visible import visible

if TYPE_CHECKING:
    from blueline.contract.editors import EditorRange, PlacedHunkDocument
    from blueline.contract.files import FileDocument
    from blueline.contract.hunks import WhyDocument

ACCEPT, REJECT, UNDO, REDO = "blueline.accept", "blueline.reject", "blueline.undo", "blueline.redo"
COMMANDS = (ACCEPT, REJECT, UNDO, REDO)

QUICKFIX = "quickfix"
SOURCE = "source.blueline"
KINDS = (QUICKFIX, f"{SOURCE}.file", f"{SOURCE}.turn", f"{SOURCE}.all", f"{SOURCE}.undo")

HINT = 4
"""The severity that no editor lists among problems."""

MOST_LINES = 20
LONGEST_LINE = 200
LONGEST_TITLE = 60

Drawn = dict[str, Any]


def pending(hunks: Iterable[PlacedHunkDocument]) -> list[PlacedHunkDocument]:
    return [hunk for hunk in hunks if hunk["status"] == "pending"]


def place(hunk: PlacedHunkDocument) -> EditorRange:
    """Where it is drawn; what has no place of its own, at the top."""
    return hunk["range"] or line_range(0)


def line_range(line: int) -> EditorRange:
    """The beginning of a line."""
    return {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}


def diagnostics(hunks: Iterable[PlacedHunkDocument], waiting: Set[str] = frozenset()) -> list[Drawn]:
    """A mark for each undecided hunk, with what it took away. Some wait for the text to be saved."""
    return [
        {
            "range": _seen(place(hunk)),
            "severity": HINT,
            "source": "blueline",
            "code": hunk["id"],
            "message": _message(hunk, is_waiting=hunk["touched"] and hunk["id"] in waiting),
            "data": {"hunk": hunk["id"], "digest": hunk["digest"]},
        }
        for hunk in pending(hunks)
    ]


def _message(hunk: PlacedHunkDocument, *, is_waiting: bool) -> str:
    if is_waiting:
        return f"{headline(hunk)}: decided when you save"
    return "\n".join([headline(hunk), *_removed(hunk)])


def _seen(found: EditorRange) -> EditorRange:
    """The same, but never empty: many editors do not draw what is."""
    if found["start"] != found["end"]:
        return found
    line = found["start"]["line"]
    return {"start": found["start"], "end": {"line": line, "character": found["start"]["character"] + 1}}


def headline(hunk: PlacedHunkDocument) -> str:
    """Who did what, in a line."""
    actor = hunk["actor"]
    who = visible(actor["name"] or actor["kind"])
    return f"{who} proposes a change" if hunk["held"] else f"{who} {_deed(hunk)}"


def _deed(hunk: PlacedHunkDocument) -> str:
    old, new = hunk["old_lines"], hunk["new_lines"]
    match hunk["kind"]:
        case "modify" if not old:
            return f"added {_lines(new)}"
        case "modify" if not new:
            return f"removed {_lines(old)}"
        case "modify":
            return f"changed {_lines(old)}" if old == new else f"changed {_lines(old)} to {new}"
        case "create":
            return "created this file"
        case "rename":
            return f"renamed this file, which was {visible(hunk.get('from', ''))}"
        case kind:
            return visible(kind)


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _removed(hunk: PlacedHunkDocument) -> list[str]:
    """What stands in the text no more, or not yet, line by line."""
    text, sign = (hunk["new"], "+") if hunk["held"] else (hunk["old"], "-")
    lines = (text or "").split("\n")
    if lines[-1] == "":
        lines.pop()
    shown = [f"{sign} {_short(line.removesuffix(chr(13)), LONGEST_LINE)}" for line in lines[:MOST_LINES]]
    more = len(lines) - MOST_LINES
    return [*shown, f"{sign} … {_lines(more)} more"] if more > 0 else shown


def _short(text: str, longest: int) -> str:
    shown = visible(text, tabs=True)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def lenses(uri: str, hunks: Iterable[PlacedHunkDocument]) -> list[Drawn]:
    """Buttons above each undecided hunk."""
    found = []
    for hunk in pending(hunks):
        for title, command in ((f"Accept: {headline(hunk)}", ACCEPT), ("Reject", REJECT)):
            found.append({"range": place(hunk), "command": _command(title, command, about(uri, [hunk]))})
    return found


def about(uri: str, hunks: Iterable[PlacedHunkDocument]) -> Drawn:
    """What a command is about: hunks as they were seen."""
    seen = {hunk["id"]: hunk["digest"] for hunk in hunks}
    return {"uri": uri, "selectors": [*seen], "expect": seen}


def _command(title: str, command: str, *arguments: Drawn) -> Drawn:
    return {"title": title, "command": command, "arguments": [*arguments]}


def actions(uri: str, path: str, hunks: Iterable[PlacedHunkDocument], at: EditorRange) -> list[Drawn]:
    """What can be done at a place: first about the hunks there, then about the file, their turns, and all."""
    open_ones = pending(hunks)
    here = [hunk for hunk in open_ones if _meet(place(hunk), at)]
    found = []
    for hunk in here:
        marks = diagnostics([hunk])
        for verb, command in (("Accept", ACCEPT), ("Reject", REJECT)):
            title = f"{verb}: {headline(hunk)}"
            found.append(_action(title, QUICKFIX, command, about(uri, [hunk]), diagnostics=marks))
    name = _short(path, LONGEST_TITLE)
    for verb, command in (("Accept", ACCEPT), ("Reject", REJECT)):
        if len(open_ones) > 1 or (open_ones and not here):
            title = f"{verb} all {len(open_ones)} changes in {name}"
            found.append(_action(title, f"{SOURCE}.file", command, about(uri, open_ones)))
        turns = dict.fromkeys(hunk["turn"] for hunk in here or open_ones if hunk["turn"])
        for turn in turns:
            given = {"uri": uri, "selectors": [turn]}
            found.append(_action(f"{verb} all of turn {turn}", f"{SOURCE}.turn", command, given))
        everything = {"uri": uri, "everything": True}
        found.append(_action(f"{verb} everything undecided", f"{SOURCE}.all", command, everything))
    found.append(_action("Undo the last decision", f"{SOURCE}.undo", UNDO, {"uri": uri}))
    found.append(_action("Redo what was undone last", f"{SOURCE}.undo", REDO, {"uri": uri}))
    return found


def _action(title: str, kind: str, command: str, given: Drawn, **more: Any) -> Drawn:
    return {"title": title, "kind": kind, "command": _command(title, command, given), **more}


def of_kinds(found: Iterable[Drawn], kinds: list[str]) -> list[Drawn]:
    """Those that the editor asks for; a kind means those below it too."""
    return [
        one
        for one in found
        if not kinds or any(one["kind"] == kind or one["kind"].startswith(f"{kind}.") for kind in kinds)
    ]


def _meet(one: EditorRange, other: EditorRange) -> bool:
    """Whether two ranges have a line in common."""
    return one["start"]["line"] <= other["end"]["line"] and other["start"]["line"] <= one["end"]["line"]


def at_line(hunks: Iterable[PlacedHunkDocument], line: int) -> list[PlacedHunkDocument]:
    """The undecided hunks on a line."""
    return [hunk for hunk in pending(hunks) if _meet(place(hunk), line_range(line))]


def why(hunk: PlacedHunkDocument, known: WhyDocument) -> str:
    """What is known of a hunk, for people, as plain text."""
    lines = [headline(hunk), *_removed(hunk), ""]
    if known["prompt"]:
        lines.append(f"asked for: {_short(known['prompt'], LONGEST_LINE)}")
    if known["command"]:
        lines.append(f"by the command: {_short(known['command'], LONGEST_LINE)}")
    reason = known["about"].get("reason")
    if isinstance(reason, str) and reason:
        lines.append(f"because: {_short(reason, LONGEST_LINE)}")
    call = f", {known['call']}" if known["call"] else ""
    lines.append(f"{hunk['id']}{call}{', ' + known['turn'] if known['turn'] else ''}, {known['at']}")
    if known["builds_on"]:
        lines.append(f"builds on: {', '.join(known['builds_on'])}")
    if known["built_on_by"]:
        lines.append(f"others build on it: {', '.join(known['built_on_by'])}")
    return "\n".join(lines)


def notebook_mark(page: FileDocument) -> list[Drawn]:
    """One mark for a file whose hunks have no place in its text."""
    count = sum(hunk["status"] == "pending" for hunk in page["hunks"])
    if not count:
        return []
    changes = "1 undecided change" if count == 1 else f"{count} undecided changes"
    message = f"{changes} in this {page['kind']}, to be looked at with `blueline ui`"
    return [{"range": _seen(line_range(0)), "severity": HINT, "source": "blueline", "message": message}]
