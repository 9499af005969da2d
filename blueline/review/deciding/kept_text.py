"""What stays although what it stood in, or built on, goes."""

from dataclasses import dataclass

from blueline.model.actor import ActorKind
from blueline.review.deciding.hunks import Hunk, hunks
from blueline.review.deciding.relations import is_asked_about
from blueline.review.deciding.sides import sides_of
from blueline.review.file import File
from blueline.review.medium.choice import medium_of
from blueline.review.medium.file_views import views_of
from blueline.review.weave.weave import Weave


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Text that stays although what it stood in goes."""

    path: str
    line: int
    text: str
    actor: ActorKind
    hunk: str | None = None


def kept_dependents(after: File, depending: dict[str, Hunk], salt: int) -> list[Kept]:
    """The hunks that stay although they build on what goes, as they are then."""
    if not depending:
        return []
    sides, views = sides_of(after), views_of(after)
    found = []
    for hunk in hunks(after, salt, {hunk.operation.number for hunk in depending.values()}):
        if hunk.id in depending and is_asked_about(hunk):
            _, _, new = views.of(hunk, *sides.of(hunk))
            text = (new.text or "").rstrip("\r\n")
            found.append(
                Kept(path=hunk.path, line=new.start + 1, text=text, actor=hunk.actor.kind, hunk=hunk.id)
            )
    return found


def kept(after: File, rejected: set[int]) -> list[Kept]:
    """What people typed into the rejected text, as it stands in the file afterwards."""
    found: list[Kept] = []
    node = after.live.node
    medium = medium_of(node)
    if medium is None:
        return found
    by_people = after.by_people - rejected
    if not by_people:
        return found
    weave = after.weaves[int(node.value)]
    created = after.creation(int(node.value)).mark.op in rejected
    stood_in = {
        segment
        for segment in weave.inside
        if segment.op in by_people
        and (created or any(outer.op in rejected for outer in weave.ancestors(segment)))
    }
    numbers = {
        number for number, run in enumerate(weave.runs) if run.live and run.insertion.segment in stood_in
    }
    shown = weave.live
    for number in sorted(numbers | _on_kept_lines(weave, rejected)):
        run = weave.runs[number]
        if run.insertion.op not in by_people:
            continue
        if not run.insertion.whole and not run.text.strip("\r\n"):
            continue  # the end of the line above what was typed
        line = shown.text.count("\n", 0, shown.before_run[number]) + 1
        text = run.text.rstrip("\r\n")
        if not medium.is_all:
            line, text = medium.seen(shown.text, line, text)
            if not text:
                continue
        actor = after.operations[run.insertion.op].actor.kind
        found.append(Kept(path=after.live.path, line=line, text=text, actor=actor))
    return found


def _on_kept_lines(weave: Weave, rejected: set[int]) -> set[int]:
    """Runs on lines that are there only because the end of a rejected line was kept for them."""
    found: set[int] = set()
    on_line: list[int] = []
    for number, _, _ in weave.live.spans:
        run = weave.runs[number]
        if run.live:
            on_line = [] if "\n" in run.text else on_line
            if not run.ends_line:
                on_line.append(number)
            continue
        if run.insertion.op in rejected:
            found.update(number for number in on_line if weave.runs[number].insertion.op)
        on_line = []
    return found
