"""What was done, as text: decisions, questions that come back, checks, purges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from blueline.model.visible import visible_within
from blueline.surfaces.cli.listing_text import MODES
from blueline.surfaces.cli.phrases import count, excerpt, hint, listed, place, some, who
from blueline.surfaces.cli.terminal import Screen, columns, first_line, fitted, safe, visible, wrapped

if TYPE_CHECKING:
    from blueline.contract.checks import CheckDocument, PurgeDocument
    from blueline.contract.decisions import DecisionDocument, KeptDocument, NeedDocument, ResultDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.contract.overview import ModeDocument

DONE = {"accept": "Accepted", "reject": "Rejected"}
WOULD = {"accept": "Would accept", "reject": "Would reject"}
NOT_APPLIED = {
    "already": "was decided so already",
    "conflict": "was left: the file has moved on",
    "skipped": "was left out",
    "queued": "waits until the agent has finished with the file",
}

MOST_SHOWN = 20
SHORTEST_KEPT = 20
FEW_LINKED = 3


def decided(document: DecisionDocument, screen: Screen) -> Iterator[str]:
    """The answer to accept, reject, undo and redo when no choice is needed."""
    results: list[ResultDocument]
    decision, results, written = visible_within([document[key] for key in ("decision", "results", "written")])
    applied = [result for result in results if result["outcome"] == "applied"]
    dry = bool(document.get("dry_run"))
    yield _headline(document, decision or "", applied, dry=dry)
    yield from _by_path(results, screen)
    yield from _writing(written, applied, screen, dry=dry)
    for kept in document["kept"]:
        yield _kept(kept, screen)
    if document.get("linked"):
        yield from _linked(some(document["linked"], MOST_SHOWN), screen)
    if diff := document.get("diff"):
        from blueline.surfaces.cli import changes  # most answers have nothing to compare

        yield ""
        yield from changes.unified(diff, screen)
        yield ""
    yield _next(document["verdict"], decision or "", applied, screen, dry=dry)


def brief(document: DecisionDocument, screen: Screen, *, part: str = "") -> Iterator[str]:
    """The same for somebody who has just seen what it is about, and sees what comes next at once.

    `part` names the lines, if it was about some of a hunk.
    """
    applied = [result for result in document["results"] if result["outcome"] == "applied"]
    yield _headline(document, safe(document["decision"]), applied, dry=False, part=part)
    for result in document["results"]:
        if result["outcome"] not in ("applied", "queued"):
            why = safe(result["reason"]) or NOT_APPLIED.get(result["outcome"], safe(result["outcome"]))
            yield f"  {screen.paint(safe(result['hunk']), 'id')} {why}"
    for kept in document["kept"]:
        yield _kept(kept, screen)
    if document.get("linked"):
        yield from _linked(some(document["linked"], FEW_LINKED), screen)


def _linked(ids: str, screen: Screen) -> Iterator[str]:
    why = "the same words changed in other files"
    start = f"  {screen.paint('look at', 'warn')}  {screen.paint(ids, 'id')}:"
    if columns(f"  look at  {ids}: {why}") <= screen.width:
        yield f"{start} {why}"
    else:
        yield start
        yield f"{' ' * len('  look at  ')}{why}"


def _headline(
    document: DecisionDocument, decision: str, applied: list[ResultDocument], *, dry: bool, part: str = ""
) -> str:
    verdict, hunks = document["verdict"], part or count(len(applied), "hunk")
    named = f" (decision {decision})" if decision else ""
    if verdict in ("undo", "redo"):
        if not decision:
            return f"There is nothing to {verdict}."
        of = safe(document.get("of"))
        return f"{'Undid' if verdict == 'undo' else 'Redid'} {of}: {hunks}{named}."
    if dry:
        return f"{WOULD.get(verdict, verdict)} {hunks}; nothing was written."
    if any(result["outcome"] == "queued" for result in document["results"]):
        return f"Queued{named}: it is carried out as soon as the agent's call has ended."
    if not applied:
        return "Nothing changed: there was nothing left to decide."
    return f"{DONE.get(verdict) or visible(verdict)} {hunks}{named}."


def _by_path(results: list[ResultDocument], screen: Screen) -> Iterator[str]:
    """The hunks by file; those that were not applied say why. All texts are safe to show."""
    groups: dict[str, list[ResultDocument]] = {}
    for result in results:
        groups.setdefault(result["path"], []).append(result)
    shown = list(groups)[:MOST_SHOWN]
    width = max((columns(path) for path in shown), default=0)
    for path in shown:
        start = f"  {screen.paint(path, 'heading')}{' ' * (width - columns(path) + 2)}"
        ids = [result["hunk"] for result in groups[path] if result["outcome"] == "applied"]
        if ids:
            yield f"{start}{screen.paint(listed(ids, MOST_SHOWN), 'id')}"
        for result in groups[path]:
            if result["outcome"] != "applied":
                why = result["reason"] or NOT_APPLIED.get(result["outcome"], result["outcome"])
                yield f"{start}{screen.paint(result['hunk'], 'id')} {why}"
    if len(groups) > MOST_SHOWN:
        yield f"  and {count(len(groups) - MOST_SHOWN, 'more file')}"


def _writing(
    written: list[str], applied: list[ResultDocument], screen: Screen, *, dry: bool
) -> Iterator[str]:
    """Which files were written, unless it is exactly those that were just listed."""
    verb = "would write" if dry else "wrote"
    if written and {*written} == {result["path"] for result in applied}:
        yield screen.paint(f"  {verb} {count(len(written), 'file')}", "dim")
    elif written:
        yield f"  {screen.paint(verb, 'dim')}  {listed(written, MOST_SHOWN)}"
    elif applied:
        yield screen.paint("  no file has to be written", "dim")


def _kept(kept: KeptDocument, screen: Screen) -> str:
    """A text that stays although what it stands in goes."""
    kind = kept["actor"]["kind"]
    typed = "typed by you" if kind in ("person", "external") else f"by {who(kind)}"
    hunk = f" in {safe(kept['hunk'])}" if kept.get("hunk") else ""
    where = safe(kept["path"]) + (f":{kept['line']}" if kept["line"] else "")
    start = f"  {screen.paint('kept', 'good')}  "
    about = f"{where}, {typed}{hunk}: "
    text = first_line(kept["text"]) or "blank lines"
    return f"{start}{about}{fitted(text, max(screen.width - columns(about) - 8, SHORTEST_KEPT))}"


def _next(verdict: str, decision: str, applied: list[ResultDocument], screen: Screen, *, dry: bool) -> str:
    if dry:
        return hint("the same without --dry-run does it", screen)
    if decision and verdict == "undo":
        return hint("blueline redo redoes it", screen)
    if decision:
        return hint(f"blueline list shows what is left, blueline undo {decision} undoes this", screen)
    if applied:
        return hint("blueline list", screen)
    return hint("blueline log shows every decision with its id", screen)


def choice(
    document: DecisionDocument, screen: Screen, *, hunks: dict[str, HunkDocument], again: tuple[str, str]
) -> Iterator[str]:
    """The question when a decision was not made, with the words to type for each answer.

    `hunks` are those that are known by id. `again` is the same command with --with-dependents, and with
    --keep-dependents.
    """
    yield from _question(document, screen, hunks)
    yield ""
    answers = answers_to(document)
    if answers is None:
        yield f"{screen.paint('hint:', 'warn')} {safe(document.get('hint') or 'look again, then decide')}"
        return
    width = max(map(len, answers)) + 1
    for words, command in zip(answers, again, strict=True):
        yield f"{screen.paint(f'{words}:'.ljust(width), 'warn')}  {command}"


def question(document: DecisionDocument, screen: Screen, *, hunks: dict[str, HunkDocument]) -> Iterator[str]:
    """The same for somebody who answers at once, with the keys for each answer."""
    yield from _question(document, screen, hunks, with_excerpts=True)
    yield ""
    back, keep = answers_to(document) or ("", "")
    yield f"  {screen.paint('b', 'id')}  {back}"
    yield f"  {screen.paint('k', 'id')}  {keep}"
    yield f"  {screen.paint('Enter', 'id')}  to leave everything as it is"


def _question(
    document: DecisionDocument,
    screen: Screen,
    hunks: dict[str, HunkDocument],
    *,
    with_excerpts: bool = False,
) -> Iterator[str]:
    error = safe(document.get("error") or "a choice is needed")
    said = f"nothing was written: {error}"
    first, *rest = wrapped(said, screen.width - len("blueline: ")) if with_excerpts else [said]
    yield f"{screen.paint('blueline:', 'bad')} {first}"
    yield from (f"  {line}" for line in rest)
    for need in document["needs"]:
        yield from _need(need, hunks, screen)
        others = need.get("built_on_by") or need.get("now") or ()
        for name in others[:MOST_SHOWN] if with_excerpts else ():
            if name in hunks:
                # What goes with the one answer, and stays with the other.
                yield f"      {excerpt(hunks[name], screen, screen.width - 6)}"


def outdated(document: DecisionDocument, screen: Screen, *, hunks: dict[str, HunkDocument]) -> Iterator[str]:
    """What took the place of ids that are no longer current."""
    yield from _question(document, screen, hunks, with_excerpts=True)


def answers_to(document: DecisionDocument) -> tuple[str, str] | None:
    """What taking along and keeping mean for what is asked; None if neither is an answer to it."""
    needs = document["needs"]
    if any(need.get("now") or not _is_choice(need) for need in needs):
        return None
    if any(need.get("built_on_by") or need.get("shared_with") for need in needs):
        return "to take them back too", "to keep them as they are"
    return "to go back to the original", "to keep what you wrote"


def _is_choice(need: NeedDocument) -> bool:
    return bool(need.get("built_on_by") or need.get("shared_with") or need.get("lines"))


def _need(need: NeedDocument, hunks: dict[str, HunkDocument], screen: Screen) -> Iterator[str]:
    name = safe(need.get("hunk"))
    if need.get("now"):
        yield f"  {screen.paint(name, 'id')} is no longer current; in its place there are"
        yield from _each(need["now"], hunks, screen)
    elif need.get("shared_with"):
        calls = ", ".join(safe(call) for call in need["shared_with"])
        yield f"  {_described(str(need['hunk']), hunks, screen)} may be the work of {calls} as well"
    elif need.get("built_on_by"):
        yield f"  {_described(str(need['hunk']), hunks, screen)} is built on by"
        yield from _each(need["built_on_by"], hunks, screen)
    elif need.get("lines"):
        yield f"  {_described(str(need['hunk']), hunks, screen)} was corrected by you"
        for line in need["lines"][:MOST_SHOWN]:
            before = "nothing" if line["before"] is None else safe(first_line(line["before"]))
            yield f"    line {line['line']} is   {safe(line['now'])}"
            yield f"    {' ' * len(str(line['line']))}     was   {before}"
    else:
        whys = {
            "moved-on": "has moved on since it was looked at",
            "before-unknown": "was not seen before the edit",
        }
        why = whys.get(str(need.get("why")), safe(need.get("why") or "needs a look"))
        yield f"  {safe(need.get('path') or name)} {why}"


def _each(identifiers: list[str], hunks: dict[str, HunkDocument], screen: Screen) -> Iterator[str]:
    for identifier in identifiers[:MOST_SHOWN]:
        yield f"    {_described(identifier, hunks, screen)}"
    if len(identifiers) > MOST_SHOWN:
        yield f"    and {len(identifiers) - MOST_SHOWN:,} more"


def _described(identifier: str, hunks: dict[str, HunkDocument], screen: Screen) -> str:
    shown = screen.paint(visible(identifier), "id")
    hunk = hunks.get(identifier)
    if hunk is None:
        return shown
    origin = f", {safe(hunk['tool'])} in {safe(hunk['turn'])}" if hunk["turn"] else ""
    return f"{shown}  {place(hunk)}{origin}"


def moded(document: ModeDocument, screen: Screen) -> Iterator[str]:
    """The answer to `mode`."""
    mode = document["mode"]
    yield f"mode: {visible(mode)} ({MODES.get(mode, 'unknown')})"
    others = [name for name in MODES if name != mode]
    yield hint(" or ".join(f"blueline mode {name}" for name in others), screen)


def checked(document: CheckDocument, screen: Screen) -> Iterator[str]:
    """The answer to `check`."""
    problems = document["problems"]
    serious = [problem for problem in problems if not problem["harmless"]]
    counts = ", ".join(f"{number:,} {safe(name)}" for name, number in document["counts"].items())
    if not serious:
        yield f"{screen.paint('What is stored is whole:', 'good')} {counts or 'nothing yet'}."
    else:
        yield f"{screen.paint(count(len(serious), 'problem'), 'bad')} found in {counts or 'what is stored'}."
    for problem in problems:
        kind = screen.paint("harmless", "dim") if problem["harmless"] else screen.paint("problem ", "bad")
        yield f"  {kind}  {safe(problem['what'])}  {screen.paint(safe(problem['where']), 'dim')}"
    for repaired in document["repaired"]:
        yield f"  {screen.paint('repaired', 'good')}  {safe(repaired)}"
    if document["concerned"]:
        names = "any file" if "*" in document["concerned"] else some(document["concerned"], 5)
        yield f"  {screen.paint('to do', 'warn')}     look at {names}: what was recorded is lost, then accept"
        yield hint("blueline accept PATH, or blueline accept --all", screen)
    elif serious and not document["repaired"]:
        yield hint("blueline check --repair puts right what it can", screen)
    else:
        yield hint("blueline doctor tries whether agents are recorded", screen)


def purged(document: PurgeDocument, screen: Screen) -> Iterator[str]:
    """The answer to `purge`."""
    paths = document["purged"]
    dry = bool(document["dry_run"])
    if document["before"] is not None:
        yield from _history_purged(document, document["before"], screen)
        return
    if not paths:
        yield "Nothing to remove: no decided file has stored content here."
        yield hint("blueline list shows what is undecided; that is never removed", screen)
        return
    verb = "Would remove" if dry else "Removed"
    yield f"{verb} all that is stored about {count(len(paths), 'file')} ({document['bytes']:,} bytes)."
    yield from (f"  {safe(path)}" for path in paths[:MOST_SHOWN])
    if len(paths) > MOST_SHOWN:
        yield f"  and {len(paths) - MOST_SHOWN:,} more"
    if words := document["words"]:
        where = some(words, MOST_SHOWN)
        if document["words_purged"]:
            yield f"{verb} the prompts, commands, reasons and notes of {where}."
        else:
            yield f"What was in them may also stand in prompts, commands, reasons and notes: {where}."
            yield hint("blueline show ID shows them; --and-words removes them, too", screen)
    if dry:
        yield hint("the same without --dry-run does it, and cannot be undone", screen)
    else:
        yield hint("your files are as they were; blueline check verifies the rest", screen)


def _history_purged(document: PurgeDocument, before: str, screen: Screen) -> Iterator[str]:
    """The answer to `purge --older`."""
    paths, size = document["purged"], document["bytes"]
    dry = bool(document["dry_run"])
    when = before.replace("T", " ")[: len("2030-01-31 18:00")]
    if not paths and not size:
        yield f"Nothing to remove: nothing that files held before {when} UTC is kept for history alone."
        yield hint("only what is decided goes, and with fold_history = false in the config, nothing", screen)
        return
    verb = "Would remove" if dry else "Removed"
    yield f"{verb} what {count(len(paths), 'file')} held before {when} UTC ({size:,} bytes)."
    yield from (f"  {safe(path)}" for path in paths[:MOST_SHOWN])
    if len(paths) > MOST_SHOWN:
        yield f"  and {len(paths) - MOST_SHOWN:,} more"
    yield "What was decided there stays as it is, and cannot be taken back."
    if dry:
        yield hint("the same without --dry-run does it, and cannot be undone", screen)
    else:
        yield hint("your files are as they were; blueline check verifies the rest", screen)
