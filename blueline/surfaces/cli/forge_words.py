"""What the commands towards GitHub say to people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from blueline.surfaces.cli.phrases import hint
from blueline.surfaces.cli.terminal import Screen, first_line, fitted, safe, visible

if TYPE_CHECKING:
    from blueline.contract.setup import WorkflowDocument
    from blueline.contract.suggestions import (
        EventDocument,
        FetchedDocument,
        HandledDocument,
        LineCommentDocument,
        SuggestedDocument,
    )

STYLES = {"low": "dim", "medium": "warn", "high": "warn", "critical": "bad"}


def suggested(document: SuggestedDocument, screen: Screen) -> Iterator[str]:
    """The answer to `suggest`."""
    where = f"{safe(document['repository'])}#{document['thread']}"
    if document["dry_run"]:
        yield from _dry(document, screen)
        return
    if not document["suggestions"] and not document["committed"]:
        yield "There is nothing to suggest."
    elif document["suggestions"]:
        count = len(document["suggestions"])
        yield f"Offered {count} {_plural('suggestion', count)} on {screen.paint(where, 'heading')}"
    yield from _listed(document, screen)
    for url in document["urls"]:
        yield f"  {visible(url)}"
    if document["commit"]:
        commit, branch = document["commit"][:12], safe(document["branch"])
        yield f"Committed {len(document['committed'])} as {screen.paint(commit, 'id')} on {branch}"
    yield from _notices(document, screen)
    if document["here"].get("taken_back"):
        names = ", ".join(safe(path) for path in document["here"]["taken_back"])
        yield f"Taken back here: {names}"
        yield hint("blueline undo brings it back", screen)
    if document["here"].get("branch") == "behind":
        yield hint("your branch is behind: git pull", screen)


def _dry(document: SuggestedDocument, screen: Screen) -> Iterator[str]:
    count = len(document["suggestions"])
    if not count and not document["committed"]:
        yield "There is nothing to suggest."
        yield from _notices(document, screen)
        return
    yield f"Would offer {count} {_plural('suggestion', count)} and commit {len(document['committed'])}"
    yield from _listed(document, screen)
    yield from _notices(document, screen)
    texts = [text.split("\n") for text in document["texts"]]
    texts += [[f"{_lines(one)}:", *one["body"].split("\n")] for one in document["comments"]]
    for text in texts:
        yield ""
        yield screen.paint("─" * min(screen.width, 72), "dim")
        for line in text:
            yield visible(line, tabs=True)


def _lines(comment: LineCommentDocument) -> str:
    first = comment.get("start_line", comment["line"])
    return f"{comment['path']} lines {first}-{comment['line']}"


def _listed(document: SuggestedDocument, screen: Screen) -> Iterator[str]:
    for one in document["suggestions"]:
        number = screen.paint(str(one["number"]).rjust(4), "id")
        risk = screen.paint(f"  {one['risk']} risk", STYLES[one["risk"]]) if one["risk"] != "low" else ""
        yield f"{number}  {one['action'].ljust(6)}  {safe(one['path'])}{risk}"
        for reason in one["reasons"]:
            yield f"      {screen.paint(fitted(safe(reason), screen.width - 6), 'dim')}"
        if one["rationale"]:
            yield f"      {screen.paint(fitted(first_line(one['rationale']), screen.width - 6), 'dim')}"


def _notices(document: SuggestedDocument, screen: Screen) -> Iterator[str]:
    for one in chain(document["left"], document["skipped"]):
        yield f"  {screen.paint('left out', 'warn')}  {safe(one['path'])}: {safe(one['why'])}"
    for problem in (document["problem"], *document["here"].get("problems", ())):
        if problem:
            yield f"  {screen.paint('note', 'warn')}  {safe(problem)}"


def handled(document: EventDocument, screen: Screen) -> Iterator[str]:
    """The answer to `forge handle-event`."""
    first, *others = [line for line in document["answer"].split("\n") if line] or [""]
    yield f"{document['outcome']}: {safe(first)}" if first else document["outcome"]
    yield from (safe(line) for line in others)


def applied(document: HandledDocument, screen: Screen) -> Iterator[str]:
    """The answer to `apply`."""
    yield from (safe(line) for line in document["answer"].split("\n") if line)


def fetched(document: FetchedDocument, screen: Screen) -> Iterator[str]:
    """The answer to `forge fetch`."""
    for thread in document["threads"]:
        yield f"{screen.paint('#' + str(thread['thread']), 'heading')}  {safe(thread['branch'])}"
        for one in thread["suggestions"]:
            by = f" by {safe(one['by'])}" if one["by"] else ""
            why = f": {safe(one['why'])}" if one["why"] else ""
            yield f"{str(one['number']).rjust(4)}  {one['status'].ljust(8)}  {safe(one['path'])}{by}{why}"
        for said in thread["feedback"]:
            yield f"      {safe(said['by'])}: {first_line(said['text']) if said['text'] else said['verdict']}"
    count = document["handed_on"]
    if not document["threads"]:
        yield "Nothing was suggested."
    if count:
        yield f"{count} {_plural('word', count)} handed on to the agents; they hear it with your next prompt."


def workflow(found: WorkflowDocument | None, screen: Screen) -> Iterator[str]:
    """What `init` did about the workflow."""
    if found is None or not found["outcome"]:
        return
    if found["outcome"] == "left":
        verb = screen.paint("left".ljust(9), "warn")
        yield f"  {verb}  {visible(found['path'])}, which somebody has changed"
    elif found["outcome"] == "removed":
        yield f"Took {visible(found['path'])} out."
    else:
        verb = screen.paint(("wrote" if found["outcome"] == "written" else "found").ljust(9), "good")
        yield f"  {verb}  {visible(found['path'])}  {screen.paint('(commit it with the project)', 'dim')}"


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
