"""Decisions that an editor's text follows first, and the file when the person saves it.

An editor without a plugin of ours does not like a file to change under its text: so its text is changed, and
when it is saved, what was decided is recorded with its hunks and its reason. If what is saved is not just
that, it counts as an edit by hand, as of any other editor.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.desk import Desk
from blueline.desk.documents import decision_document
from blueline.desk.open_project import OpenProject
from blueline.desk.people import account, must_be_a_person
from blueline.desk.screens.editor_buffers import Buffer, DecisionWish, EditorDesk, NotTakenIn, edits_to
from blueline.desk.screens.typed_text import AGAIN_SECONDS
from blueline.desk.selectors import Selection, UnknownSelector
from blueline.diff.editor_places import as_shown, has_odd_ends, plain
from blueline.diff.merge import merged
from blueline.model.decider import Decider
from blueline.model.dependents import Dependents
from blueline.model.file_state import FileState, Regular
from blueline.model.ids import BlobId
from blueline.model.text import as_text
from blueline.model.verdict import Verdict
from blueline.review.choices import Choices
from blueline.review.deciding.planning import FilePlan, Plan, next_plan

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.editors import EditorEdit


SAVING_SECONDS = 1.0
"""How long an editor may take to write a file."""


class SavedWish(NamedTuple):
    """What a file holds when somebody has saved what they decided."""

    verdict: Verdict
    hunks: tuple[str, ...]
    dependents: Dependents
    reason: str
    live: str
    """What it holds before."""
    typed: str
    """The same with what was typed."""
    planned: str
    """And with the decision."""


class PlannedText(NamedTuple):
    """What an editor's text has to become."""

    buffer: Buffer
    edits: list[EditorEdit]
    shown: str


class PlannedDecision(NamedTuple):
    """What was decided at once, and what waits for the editor to save it."""

    document: DecisionDocument
    texts: list[PlannedText]


class EditorWishes:
    """What waits in the editor's texts of one project, by path."""

    def __init__(self) -> None:
        self._wishes: dict[str, SavedWish] = {}

    def watch(self, desk: Desk) -> None:
        """Have it looked at before the disk is, in every step that this desk takes from now on."""
        desk.project.before_look = lambda: self._settle(desk.project)

    def forget(self, path: str) -> None:
        """The editor's text did not follow."""
        self._wishes.pop(path, None)

    def waiting(self, path: str) -> Set[str]:
        """The hunks of a file that are decided once it is saved as its text is."""
        wish = self._wishes.get(path)
        return set() if wish is None else {*wish.hunks}

    def plan(
        self, desk: Desk, wish: DecisionWish, buffers: Sequence[Buffer], environ: Mapping[str, str]
    ) -> PlannedDecision:
        """Decide at once where no open text changes; the others wait until they are saved."""
        editor = EditorDesk(desk)
        editor.must_be_as_seen(wish)
        trial = editor.tried(wish)
        if trial["needs"]:
            return PlannedDecision(trial, [])
        must_be_a_person(environ, wish.verdict)
        self.watch(desk)
        project = desk.project
        plan = _plan(project, project.selectors.select(wish.selectors, everything=wish.everything), wish)
        by_path = {buffer.path: buffer for buffer in buffers}
        waiting = {
            one.before.live.path: one
            for one in plan.files
            if one.before.live.path in by_path and _is_new_text(one)
        }
        texts = [self._planned(one, by_path[path], plan, wish) for path, one in waiting.items()]
        rest = [result.hunk for result in plan.results if result.hunk.path not in waiting]
        if not rest:
            return PlannedDecision(trial, texts)
        if not waiting:
            return PlannedDecision(editor.decide(wish, ()), [])
        others = DecisionWish(
            verdict=wish.verdict,
            selectors=tuple(hunk.id for hunk in rest),
            dependents=wish.dependents,
            reason=wish.reason,
        )
        return PlannedDecision(editor.decide(others, ()), texts)

    def plan_turn(
        self, desk: Desk, buffers: Sequence[Buffer], environ: Mapping[str, str], *, again: bool
    ) -> PlannedDecision:
        """Undo the last decision, or redo: at once if no open text changes, else in these texts. Saved, they
        hold what was there before, which is known, and takes up its state of then."""
        must_be_a_person(environ, "redo" if again else "undo")
        plans = [one for one in desk.project.undo.plans(None, again=again) if _is_written(one)]
        by_path = {buffer.path: buffer for buffer in buffers}
        waiting = [one for one in plans if one.before.live.path in by_path]
        if not waiting:
            return PlannedDecision(desk.redo() if again else desk.undo(None), [])
        if len(waiting) < len(plans) or not all(map(_is_new_text, plans)):
            path = waiting[0].before.live.path
            raise NotTakenIn(
                f"this decision is about more than the text of {path}, which is open",
                hint=f"close it and try again, or type: blueline {'redo' if again else 'undo'}",
            )
        texts = []
        for one in waiting:
            buffer = by_path[one.before.live.path]
            live = one.before.live.plain or ""
            text = merged(live, _typed(buffer, live), one.after.live.plain or "")
            texts.append(PlannedText(buffer, edits_to(buffer.text, text), as_shown(text, buffer.text)))
        verdict = "redo" if again else "undo"
        document = decision_document(None, verdict, [], written=[], kept=[], needs=[])
        return PlannedDecision(document, texts)

    def _planned(self, one: FilePlan, buffer: Buffer, plan: Plan, wish: DecisionWish) -> PlannedText:
        """What a text has to become; it is remembered until it is saved."""
        live, after = one.before.live.plain or "", one.after.live.plain or ""
        path = buffer.path
        hunks = tuple(
            result.hunk.id
            for result in plan.results
            if result.hunk.path == path and result.outcome == "applied"
        )
        typed = now = _typed(buffer, live)
        before = self._wishes.get(path)
        if before is not None and _goes_on(before, wish, live, buffer):
            # The text has followed an earlier decision already.
            hunks = (*(one for one in before.hunks if one not in hunks), *hunks)
            now = buffer.typed or ""
            typed = merged(before.planned, now, before.typed)
        planned_text = merged(live, now, after)
        self._wishes[path] = SavedWish(
            verdict=wish.verdict,
            hunks=hunks,
            dependents=wish.dependents,
            reason=wish.reason,
            live=live,
            typed=typed,
            planned=planned_text,
        )
        edits = edits_to(buffer.text, planned_text)
        return PlannedText(buffer, edits, as_shown(planned_text, buffer.text))

    def _settle(self, project: OpenProject) -> None:
        """Record what was decided about the files that hold it by now."""
        if not self._wishes or project.store.has_news():
            return
        busy = project.queue.held()
        for path, wish in [*self._wishes.items()]:
            file = project.store.ledger.file_at(path)
            if path in busy:
                continue
            state, text = _found(project, path, wish)
            is_saved = file is not None and file.live.plain == wish.live and text == wish.planned
            if is_saved and isinstance(state, Regular):
                _record(project, path, wish, state)
            if text != wish.live:
                del self._wishes[path]


def _found(project: OpenProject, path: str, wish: SavedWish) -> tuple[FileState, str | None]:
    """What stands in a file. Many editors empty it, or move it away, before they write it anew: what is
    neither the old text nor the new is looked at again."""
    until = time.monotonic() + SAVING_SECONDS
    while True:
        state, _ = project.tree.read(path)
        text = as_text(project.store.read(state.blob)) if isinstance(state, Regular) else None
        if text in (wish.live, wish.planned) or time.monotonic() > until:
            return state, text
        time.sleep(AGAIN_SECONDS)


def _typed(buffer: Buffer, live: str) -> str:
    """What a file holds, with what was typed in the editor. Fails with NotTakenIn."""
    if buffer.base is None or buffer.typed is None:
        raise NotTakenIn(
            f"{buffer.path} is not what the editor shows, and nobody knows what was typed",
            hint="save it, or load it again from disk",
        )
    if has_odd_ends(buffer.text):
        raise NotTakenIn(
            f"{buffer.path} has carriage returns inside of its lines, which editors count in different ways",
            hint="decide about it in the workbench, or on the command line",
        )
    return merged(buffer.base, buffer.typed, live)


def _is_written(one: FilePlan) -> bool:
    return one.before.live != one.after.live


def _goes_on(before: SavedWish, wish: DecisionWish, live: str, buffer: Buffer) -> bool:
    """Whether a decision comes on top of one that the editor's text has followed, and still does."""
    is_alike = (before.verdict, before.dependents, before.reason) == (
        wish.verdict,
        wish.dependents,
        wish.reason,
    )
    return is_alike and before.live == live and plain(before.typed) != plain(buffer.text)


def _plan(project: OpenProject, selection: Selection, wish: DecisionWish | SavedWish) -> Plan:
    """As the desk plans a decision about which nothing has to be asked."""
    choices = Choices(dependents=wish.dependents)
    if wish.verdict == "reject":
        shared = project.selectors.shared(selection) if wish.dependents != "with" else ()
        selection = project.selectors.without(selection, shared)
    return next_plan(project.store.ledger, selection.files, wish.verdict, choices)


def _is_new_text(one: FilePlan) -> bool:
    """Whether a file stays where it is, and what changes is its text."""
    before, after = one.before.live, one.after.live
    return (
        before.path == after.path
        and before.plain is not None
        and after.plain is not None
        and before.plain != after.plain
    )


def _record(project: OpenProject, path: str, wish: SavedWish, state: Regular) -> None:
    """First what was typed, then the decision; the file holds both. If that does not come to what the file
    holds, nothing is said of the decision, and the look that follows finds out by itself."""
    store = project.store
    file = store.ledger.file_at(path)
    assert file is not None
    if wish.typed != wish.live:
        data = wish.typed.encode("utf-8")
        taking = store.taking()
        taking.typed(file, Regular(mode=state.mode, size=len(data), blob=BlobId(store.blobs.put(data))))
        store.keep(taking)
        store.save()
    try:
        selection = project.selectors.select(wish.hunks)
    except UnknownSelector:
        return
    plan = _plan(project, selection, wish)
    writes = project.carrier.writes(plan.files)
    if selection.stale or plan.needs or len(writes) != 1:
        return
    after = writes[0].after
    if writes[0].path == path and isinstance(after, Regular) and after.blob == state.blob:
        project.carrier.make(plan, wish.reason, by=Decider(account()))
