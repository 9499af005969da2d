"""The command that goes through what is undecided, one change after the other."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, assert_never

from blueline.desk.hunk_filter import HunkWish
from blueline.errors import DONE, INTERRUPTED, BluelineError
from blueline.model.choices import Dependents
from blueline.surfaces.cli import outcomes, walk_text
from blueline.surfaces.cli.git_settings import is_set
from blueline.surfaces.cli.request import Request, complain, joined, write
from blueline.surfaces.cli.same_change import same_as
from blueline.surfaces.cli.walk_queue import Item, WalkQueue, looks
from blueline.surfaces.cli.walk_rows import Row, parts, rows, spanned
from blueline.surfaces.cli.walk_words import CHOICES, SINGLE, Misread, Order, Scope, read

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument
    from blueline.contract.hunks import HunkDocument
    from blueline.desk import Desk
    from blueline.model.verdict import Verdict
    from blueline.surfaces.cli.keyboard import Keyboard
    from blueline.surfaces.cli.terminal import Screen

PROMPT = f"accept, reject? [{CHOICES}] "
ANSWERS: dict[str, Dependents] = {"b": "with", "k": "keep"}

Made = tuple[str, int]
"""A verdict, and how many changes it was about."""


def walk(request: Request) -> int:
    """Go through what is undecided, on a terminal."""
    if request.is_json or not is_seen_and_heard():
        raise BluelineError(
            "walk needs a terminal, where somebody answers",
            hint="blueline list, then blueline accept or blueline reject",
        )
    from blueline.surfaces.cli.keyboard import Hangup, Keyboard

    going = Walk(request, Keyboard(sys.stdin, sys.stdout))
    code = DONE
    with going.keyboard, _signals(going.keyboard):
        try:
            going.run()
        except KeyboardInterrupt:
            write("\n")
            code = INTERRUPTED
        except Hangup:
            pass
    going.say(walk_text.end(going.made.values(), len(going.queue.hunks), going.screen))
    return code


def is_seen_and_heard() -> bool:
    """Whether somebody sits at a terminal, who reads there as well as types."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


@contextmanager
def _signals(keyboard: Keyboard) -> Iterator[None]:
    """Leave the terminal as it was when somebody ends us, and find it as we need it after Ctrl+Z."""
    from blueline.surfaces.cli.keyboard import Hangup

    def end(*_: object) -> None:
        raise Hangup

    wanted: dict[signal.Signals, Callable[[int, FrameType | None], object]] = {
        signal.SIGCONT: lambda *_: keyboard.take(),
        signal.SIGTERM: end,
        signal.SIGHUP: end,
    }
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _whole() -> Iterator[None]:
    """Ctrl+C waits until something has been done to its end."""
    waiting: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt


class Walk:
    """One person going through changes. The desk is open only while something is asked of it."""

    def __init__(self, request: Request, keyboard: Keyboard) -> None:
        self.keyboard = keyboard
        self.made: dict[str, Made] = {}
        """What was decided here, and stands."""
        self._undone: dict[str, Made] = {}
        self._request = request
        self._start = request.start
        self._wish = HunkWish(selectors=tuple(request.arguments.selectors))
        self._warned: set[str] = set()
        self._single = SINGLE if is_set("interactive.singlekey", os.environ) else ""
        self._is_new_here = True
        with self._desk() as desk:
            self._root, self._journal = desk.root, desk.state / "journal"
            self.queue = WalkQueue(self._undecided(desk))
        self._size = self._journal_size()

    @property
    def screen(self) -> Screen:
        """Asked for each time: somebody may have made the window narrower."""
        return self._request.screen(sys.stdout)

    def say(self, lines: Iterable[str]) -> None:
        write(joined(lines))

    def run(self) -> None:
        """Until nothing is left, or somebody leaves."""
        if not self.queue.items:
            return
        self.say([f"{walk_text.in_words(self.queue.hunks)} to decide; ? says what the keys do."])
        self._show()
        while self.queue.items:
            typed = self.keyboard.line(PROMPT, self._meanwhile, single=self._single)
            order = read(typed)
            if isinstance(order, Misread):
                self.say([order.why])
            elif order.verb == "quit":
                return
            else:
                self._guarded(order)

    def _guarded(self, order: Order) -> None:
        try:
            self._do(order)
        except BluelineError as error:
            complain(str(error), self._request.screen(sys.stderr), hint=error.hint)

    def _do(self, order: Order) -> None:
        match order.verb:
            case "accept" | "reject":
                self._decide(order)
            case "next" | "previous":
                self._move(1 if order.verb == "next" else -1)
            case "undo" | "redo":
                self._take_back(order.verb)
            case "split":
                self._split()
            case "viewed":
                self._view()
            case "note":
                self._note(order.text)
            case "why":
                self._why()
            case "file" | "turn" | "same":
                self._look_at(order.verb)
            case "edit":
                self._edit()
            case "help":
                self.say(walk_text.keys(self.screen))
            case "show":
                self._renew()
                self._show()
            case "quit":
                pass
            case never:
                assert_never(never)

    # The desk

    @contextmanager
    def _desk(self) -> Iterator[Desk]:
        with _whole(), self._request.open(self._start) as desk:
            yield desk
            warnings = [warning for warning in desk.warnings if warning not in self._warned]
        for warning in warnings:
            complain(warning, self._request.screen(sys.stderr))
        self._warned |= set(warnings)

    def _undecided(self, desk: Desk) -> list[HunkDocument]:
        return desk.list(by="hunk", status="pending", wish=self._wish)["hunks"]

    def _journal_size(self) -> int:
        with suppress(OSError):
            return os.stat(self._journal).st_size
        return 0

    def _meanwhile(self) -> str:
        """What came since anybody looked; asked for while nobody types."""
        if self._journal_size() == self._size:
            return ""
        with self._desk() as desk:
            found = self.queue.renew(self._undecided(desk))
        self._size = self._journal_size()
        return joined(walk_text.news(found, self.screen)) if found else ""

    def _renew(self) -> None:
        with self._desk() as desk:
            self._take_up(desk)

    def _take_up(self, desk: Desk) -> None:
        found = self.queue.renew(self._undecided(desk))
        if found:
            self.say(walk_text.news(found, self.screen))
        self._size = self._journal_size()

    # Looking

    def _show(self) -> None:
        item = self.queue.current
        if item is None:
            return
        with self._desk() as desk:
            why = desk.workbench.hunk(item.hunk["id"])
            found = rows(item.hunk, self._live(desk, item.hunk))
        if walk_text.is_shown_whole(found, item.lines):
            self.queue.see([item.hunk])
        done = sum(number for _, number in self.made.values())
        position = done + self.queue.at + 1, done + len(self.queue.items)
        self.say([""])
        self.say(walk_text.heading(item, why, position, self.screen))
        self.say(walk_text.drawn(found, self.screen, part=item.lines))

    def _live(self, desk: Desk, hunk: HunkDocument) -> Sequence[str]:
        """The lines of the file as it is, or of the cell; none where that is not text."""
        from blueline.diff.edits import split_lines

        page = desk.workbench.file(hunk["path"])
        cell = hunk.get("cell")
        if cell is None:
            return split_lines(page["live"] or "") if "cell" not in hunk else ()
        sources = [one["live"] for one in page.get("cells", ()) if one["index"] == cell["index"]]
        return split_lines((sources[0] or "") + "\n") if sources else ()

    def _rows(self, item: Item) -> list[Row]:
        with self._desk() as desk:
            return rows(item.hunk, self._live(desk, item.hunk))

    def _move(self, by: int) -> None:
        if self.queue.step(by):
            self.say([f"From {'the start' if by > 0 else 'the end'} again; {self._left()}."])
        self._show()

    def _left(self) -> str:
        return f"{walk_text.in_words(self.queue.hunks)} left to decide"

    def _view(self) -> None:
        path = self._here().hunk["path"]
        if self.queue.view():
            self.say([f"{walk_text.named(path)} is left for now; {self._left()}."])
        else:
            self.queue.viewed.clear()
            self.say([f"That was the last file; {self._left()}, and q leaves."])
        self._show()

    def _here(self) -> Item:
        item = self.queue.current
        assert item is not None
        return item

    def _why(self) -> None:
        from blueline.surfaces.cli.details import shown

        with self._desk() as desk:
            document = desk.show(self._here().hunk["id"])
        self.say([*shown(document, self.screen)][:-1])

    def _look_at(self, scope: Scope) -> None:
        """All changes of a file, of a turn, or the same one elsewhere: each of them whole."""
        self._renew()
        found = self._of(scope)
        self.say([f"{self._scope_name(scope)}: {walk_text.in_words(found)}, undecided."])
        for hunk in found:
            item = Item(hunk)
            self.say(["", *walk_text.title(item, self.screen)])
            self.say(walk_text.drawn(self._rows(item), self.screen, whole=True))
        self.queue.see(found)
        key = {"file": "f", "turn": "t", "same": "="}[scope] if scope in ("file", "turn", "same") else ""
        self.say(["", f"a {key} accepts all of this, x {key} rejects it; Enter goes back to the change."])

    def _of(self, scope: Scope) -> list[HunkDocument]:
        """The undecided changes that a scope takes in."""
        hunk, every = self._here().hunk, self.queue.hunks
        match scope:
            case "file":
                return [one for one in every if one["path"] == hunk["path"]]
            case "turn":
                return [one for one in every if hunk["turn"] and one["turn"] == hunk["turn"]] or [hunk]
            case "same":
                return same_as(hunk, every)
            case _:
                return [hunk]

    def _scope_name(self, scope: Scope) -> str:
        hunk = self._here().hunk
        names = {"file": hunk["path"], "turn": f"turn {hunk['turn']}", "same": "the same change"}
        return walk_text.named(names.get(scope, hunk["id"]))

    # Deciding

    def _decide(self, order: Order) -> None:
        item = self._here()
        scope: Scope = "lines" if order.scope == "change" and item.lines else order.scope
        if scope == "lines":
            chosen = self._line_selector(
                item, order.lines if order.scope == "lines" else item.lines or (0, 0)
            )
            meant = [item.hunk]
        else:
            meant = self._of(scope)
            chosen = [hunk["id"] for hunk in meant]
        verdict: Verdict = "accept" if order.verb == "accept" else "reject"
        if not chosen or not self._is_sure(verdict, scope, meant):
            return
        self._carry_out(verdict, chosen, meant, order.text)

    def _line_selector(self, item: Item, lines: tuple[int, int]) -> list[str]:
        found = self._rows(item)
        first, last = spanned(found)
        if not first or not (first <= lines[0] and lines[1] <= last):
            self.say([f"This change is on {walk_text.numbered((first, last))}; name some of that."])
            return []
        if item.hunk["held"]:
            self.say(["This is a proposal, which is not in the file yet: a or x decides about all of it."])
            return []
        cell = item.hunk.get("cell")
        part = f"#{cell['id'] or cell['index']}" if cell else ""
        return [f"{self._root / item.hunk['path']}{part}:{lines[0]}-{lines[1]}"]

    def _is_sure(self, verdict: Verdict, scope: Scope, meant: Sequence[HunkDocument]) -> bool:
        """Whether somebody wants that; asked if it takes in what was never shown."""
        unseen = self.queue.unseen(meant)
        if not unseen:
            return True
        self.say([f"{verdict} {walk_text.in_words(meant)}, {len(unseen)} of them not shown in full yet:"])
        self.say(walk_text.listed(unseen, self.screen))
        return self.keyboard.line("all of them? [y, Enter for no] ").strip().lower() in ("y", "yes")

    def _carry_out(
        self, verdict: Verdict, chosen: Sequence[str], meant: Sequence[HunkDocument], reason: str
    ) -> None:
        dependents: Dependents = "ask"
        seen = {hunk["id"]: looks(hunk) for hunk in meant}
        while True:
            with self._desk() as desk:
                now = {hunk["id"]: looks(hunk) for hunk in self._undecided(desk)}
                document: DecisionDocument | None = None
                known: dict[str, HunkDocument] = {}
                if all(now.get(name) == look for name, look in seen.items()):
                    document = desk.decide(verdict, chosen, dependents=dependents, reason=reason)
                    known = _known(desk, document)
                self._take_up(desk)
            if document is None:
                self.say(["This changed while you looked at it; nothing was decided. It is now:"])
                break
            if not document["needs"]:
                self._count(document)
                self.say(outcomes.brief(document, self.screen))
                break
            answer = self._chosen(document, known)
            if answer == "ask":
                break
            dependents = answer
        self._show()

    def _chosen(self, document: DecisionDocument, known: dict[str, HunkDocument]) -> Dependents:
        """What somebody answers to a question; "ask" if nothing is to be done."""
        if outcomes.answers_to(document) is None:
            self.say(outcomes.choice(document, self.screen, hunks=known, again=("", "")))
            return "ask"
        self.say(outcomes.question(document, self.screen, hunks=known))
        return ANSWERS.get(self.keyboard.line("? ", single="bk" if self._single else "").strip()[:1], "ask")

    def _count(self, document: DecisionDocument) -> None:
        applied = sum(result["outcome"] == "applied" for result in document["results"])
        of = document.get("of") or ""
        match document["verdict"]:
            case "undo" if of in self.made:
                self._undone[of] = self.made.pop(of)
            case "redo" if of in self._undone:
                self.made[of] = self._undone.pop(of)
            case "accept" | "reject" as verdict if document["decision"]:
                self.made[document["decision"]] = verdict, applied

    def _take_back(self, verb: str) -> None:
        with self._desk() as desk:
            document = desk.undo(None) if verb == "undo" else desk.redo()
            known = _known(desk, document)
            self._take_up(desk)
        if document["needs"]:
            self.say(outcomes.choice(document, self.screen, hunks=known, again=("", "")))
            return
        self._count(document)
        self.say(outcomes.brief(document, self.screen))
        self.queue.go_to(result["hunk"] for result in document["results"])
        self._show()

    def _split(self) -> None:
        item = self._here()
        found = self._rows(item)
        into = parts(found, item.lines)
        if len(into) < 2 or item.hunk["held"]:
            self.say(["This is one piece: it cannot be split any further."])
            return
        self.queue.split(into)
        self.say([f"Split into {len(into)}."])
        self._show()

    # Writing

    def _note(self, text: str) -> None:
        from blueline.desk.talkback.notes import NoteTarget

        text = text or self.keyboard.line("note: ").strip()
        if not text:
            self.say(["No note was written."])
            return
        kind = "must-fix" if text.startswith("!") else "question" if text.endswith("?") else "change"
        with self._desk() as desk:
            target = NoteTarget(kind="hunk", id=self._here().hunk["id"])
            note = desk.workbench.write_note(target, kind, text.lstrip("! ") or text)
            desk.workbench.change_note(note["id"], text=None, status="sent")
            self._take_up(desk)
        self.say([f"Noted ({kind}, {note['id']}): the agent hears it with its next prompt."])

    def _edit(self) -> None:
        from blueline.surfaces.cli.editor import edit

        item = self._here()
        path = Path(self._root, item.hunk["path"])
        if not path.is_file():
            self.say([f"{walk_text.named(item.hunk['path'])} is not there to be edited."])
            return
        with self.keyboard.lent():
            edit(path, spanned(self._rows(item))[0] or 1, os.environ)
        self._renew()
        self._show()


def _known(desk: Desk, document: DecisionDocument) -> dict[str, HunkDocument]:
    if not document["needs"]:
        return {}
    return {hunk["id"]: hunk for hunk in desk.list(by="hunk", status="all")["hunks"]}
