"""Whole screens: what a surface needs at once to show a project, or one file of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from blueline.desk.documents import (
    actor_document,
    counted,
    digest_of,
    file_documents,
    group_status,
    hunk_documents,
)
from blueline.desk.project_store import Store
from blueline.desk.record_documents import call_document, subagent_document, turn_document
from blueline.desk.reports import Reports
from blueline.desk.screens.notebooks import notebook_cells, outputs
from blueline.desk.selectors import UnknownSelector
from blueline.errors import BluelineError
from blueline.kernel import disk, refs
from blueline.model.answer import ACCEPTED, HELD, REJECTED, UNDECIDED, Answer
from blueline.model.file_state import Absent, FileState, Folder, Link, Regular
from blueline.model.ids import CALL, OUTSIDE, TURN, BlobId, hunk_number, whole_of
from blueline.model.piece import PieceAnswer
from blueline.model.text import as_text
from blueline.review.file import BASE, Content, File
from blueline.review.intake.authorship import names
from blueline.review.medium.choice import on_disk
from blueline.review.medium.file_views import why_whole
from blueline.review.weave.weave import IMAGINED
from blueline.workspace.tree import Tree

if TYPE_CHECKING:
    from blueline.contract.cells import OutputsDocument
    from blueline.contract.files import FileDocument, FileEntry, FileKind, FileLetter, SpanDocument
    from blueline.contract.groups import CountedDocument
    from blueline.contract.hunks import (
        HunkDocument,
        HunkEntry,
        HunkFields,
        HunkSummary,
        RelatedCall,
        WhyDocument,
    )
    from blueline.contract.overview import OutsideEntry, OverviewDocument
    from blueline.contract.turns import CallDocument, CallGroup, SubagentDocument, SubagentGroup, TurnEntry

RECENT_TURNS = 50
"""Older ones are shown only if something in them is pending."""

MOST_OUTSIDE = 200
"""Edits of people and their programs that are shown."""

LARGEST_TEXT = 16 << 20
"""Characters. A longer text is not shown; it can be decided about all the same."""

LARGEST_READ = 4 * LARGEST_TEXT
"""Bytes of a file that nobody has changed yet: a larger one is not even read."""

LONGEST_HEAD = 4096

MUTED_NAMES = {"bun.lockb", "go.sum", "npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml"}
MUTED_ENDS = (".min.js", ".min.css", ".map", ".snap", "_pb2.py", "_pb2.pyi", ".pb.go", ".g.dart", ".lock")
MUTED_FOLDERS = {"node_modules", "vendor", "dist", "build", "__snapshots__", "generated"}

KINDS: dict[str, FileKind] = {
    "text": "text",
    "notebook": "notebook",
    "bytes": "binary",
    "link": "link",
    "folder": "folder",
}
LETTERS: dict[str, FileLetter] = {"create": "A", "delete": "D", "rename": "R", "symlink": "T"}


def is_ours(path: str) -> bool:
    """Whether a path leads to a file of the project: not out of it, and not to what is git's own."""
    names = path.split("/")
    return not any(name in ("", ".", "..") or name.lower().rstrip(". ") == ".git" for name in names)


class TooLargeToRead(BluelineError):
    """A file that no page could show."""


def is_muted(path: str) -> bool:
    """Whether a path looks like that of a file which programs make and nobody reads."""
    *folders, name = path.lower().split("/")
    return name in MUTED_NAMES or name.endswith(MUTED_ENDS) or not MUTED_FOLDERS.isdisjoint(folders)


class Pages:
    """Draws up whole screens of one project."""

    def __init__(self, store: Store, reports: Reports, tree: Tree) -> None:
        self._store = store
        self._index = store.index
        self._screens = store.index.screens
        self._ledger = store.ledger
        self._reports = reports
        self._tree = tree

    def overview(self) -> OverviewDocument:
        """The project at one look: files, turns with their calls, what others did, what is pending."""
        first = max(0, self._ledger.counters.turn - RECENT_TURNS + 1)
        hunks = [hunk for hunk in self._screens.hunks_since(first) if is_asked_about(hunk)]
        status = self._reports.status()
        root = self._store.root
        return {
            "version": self._ledger.counters.event,
            "project": {"name": root.name or str(root), "root": str(root), "branch": branch_of(root)},
            "mode": status["mode"],
            "counts": status["counts"],
            "gate": status["gate"],
            "warnings": status["warnings"],
            "files": self._files(hunks),
            "turns": self._turns(hunks, first),
            "outside": self._outside(),
            "hunks": [_listed(hunk) for hunk in hunks if hunk["status"] == "pending"],
        }

    def _files(self, hunks: Iterable[HunkDocument]) -> list[FileEntry]:
        by_path: dict[str, list[HunkDocument]] = {}
        for hunk in hunks:
            by_path.setdefault(hunk["path"], []).append(hunk)
        kinds = self._screens.kinds()
        running = {path for call in self._ledger.open_calls() for path in names(call)}
        stuck = {
            path
            for decision in self._ledger.unfinished()
            if decision.verdict != "queued"
            for write in decision.writes
            for path in (write.path, write.old_path)
        }
        notes = self._screens.open_notes()
        return [
            {
                "path": path,
                "letter": _letter(group),
                "status": "conflict" if path in stuck else group_status([one["status"] for one in group]),
                "pending": sum(one["status"] == "pending" for one in group),
                "decided": sum(one["status"] != "pending" for one in group),
                "notes": notes.get(path, 0),
                "muted": is_muted(path),
                "kind": KINDS.get(kinds.get(path, ""), "absent"),
                "running": path in running,
            }
            for path, group in by_path.items()
        ]

    def _turns(self, hunks: Iterable[HunkDocument], first: int) -> list[TurnEntry]:
        by_turn: dict[str, list[HunkDocument]] = {}
        by_call: dict[str, list[HunkDocument]] = {}
        for hunk in hunks:
            by_turn.setdefault(hunk["turn"] or "", []).append(hunk)
            by_call.setdefault(hunk["call"] or "", []).append(hunk)
        found: list[TurnEntry] = []
        for number in range(self._ledger.counters.turn, 0, -1):
            group = by_turn.get(TURN.id(number), [])
            turn = self._index.turns.get(number) if group or number >= first else None
            if turn is None:
                continue
            calls = [
                _call_group(call_document(call), by_call) for call in self._index.calls.scan(turn=number)
            ]
            subagents = [
                _subagent_group(subagent_document(one), group)
                for one in self._index.subagents.scan(turn=number)
            ]
            found.append({**turn_document(turn), **_group(group), "calls": calls, "subagents": subagents})
        return found

    def _outside(self) -> list[OutsideEntry]:
        operations = self._screens.outside(MOST_OUTSIDE)
        hunks = {hunk["id"]: hunk for hunk in self._screens.hunks_named(name for _, name in operations)}
        return [
            {"id": OUTSIDE.id(op), "actor": hunk["actor"], "path": hunk["path"], "at": hunk["at"]}
            for op, hunk in ((op, hunks[name]) for op, name in operations)
            if not is_asked_about(hunk)
        ]

    def file(self, path: str) -> FileDocument:
        """One file: its texts, every hunk that there is anything to look at of, and who wrote which line."""
        file = self._ledger.file_at(path)
        if file is None:
            return self._unreviewed(path)
        live, baseline = file.live, file.baseline
        is_large = max(len(live.text or ""), len(baseline.text or "")) > LARGEST_TEXT
        is_notebook = live.node.kind == "notebook"
        shows = not (is_large or is_notebook)
        original, final = self._imagined(file) if shows else (None, None)
        hunks = [] if is_large else file_documents(self._ledger, file)
        page: FileDocument = {
            "path": live.path,
            "version": self._ledger.counters.event,
            "revision": self._revision(live),
            "kind": KINDS.get(live.node.kind, "absent"),
            "mode_bits": f"{live.mode:o}" if live.mode >= 0 else None,
            "too_large": is_large,
            "baseline": baseline.plain if shows else None,
            "live": live.text if shows else None,
            "hunks": hunks,
            "spans": self.spans(file) if shows else [],
            "as_text": why_whole(file),
        }
        # What is the same as another side is not sent twice.
        if original != page["baseline"]:
            page["original"] = original
        if final != page["live"]:
            page["final"] = final
        if is_notebook and not is_large:
            page["cells"] = notebook_cells(file, hunks, self._store.read)
            page["held"] = any(mark.state == HELD for _, mark in file.pieces())
        return page

    def bytes_of(self, path: str, side: str) -> bytes | None:
        """A file that is no text, from one side."""
        file = self._ledger.file_at(path)
        if file is None:
            return None
        node = (file.baseline if side == "baseline" else file.live).node
        return self._store.read(BlobId(str(node.value))) if node.kind == "bytes" else None

    def agreed(self, path: str) -> bytes | None:
        """The bytes of a file as agreed on; of one that nobody has changed, as it is."""
        file = self._ledger.file_at(path)
        if file is None:
            state = self.unreviewed_state(path)
            return self._store.read(state.blob) if isinstance(state, Regular) else None
        if file.baseline.node.kind == "bytes":
            return self._store.read(BlobId(str(file.baseline.node.value)))
        return on_disk(file.baseline, self._store.read)

    def outputs(self, path: str, cell: int) -> OutputsDocument:
        """What running a cell of a notebook left in it."""
        file = self._ledger.file_at(path)
        if file is None or file.live.node.kind != "notebook":
            raise UnknownSelector(f"{path!r} is no notebook under review", hint="see the list of files")
        return outputs(file, cell, self._store.read)

    def hunk(self, identifier: str) -> WhyDocument:
        """One hunk: all that is known of it, and which other calls had to do with the same lines."""
        shown = self._reports.show(identifier)
        file = self._ledger.file_at(shown["path"]) if shown["kind"] == "hunk" else None
        if shown["kind"] != "hunk" or file is None:
            raise UnknownSelector(f"there is no hunk {identifier!r}", hint="it may have been split meanwhile")
        near: dict[str, RelatedCall] = {}
        for other in hunk_documents(self._ledger, file):
            number = CALL.number(other["call"] or "")
            call = None if number is None else self._index.calls.get(number)
            if call is not None and other["id"] != identifier and _touch(shown, other):
                related = near.setdefault(CALL.id(call["number"]), {**call_document(call), "hunks": []})
                related["hunks"].append(other["id"])
        digest = digest_of(shown, shown["change"])
        command = shown["about"].get("command")
        return {
            **shown,
            "digest": digest,
            "command": command if isinstance(command, str) else None,
            "related": [*near.values()],
        }

    def _imagined(self, file: File) -> tuple[str | None, str | None]:
        """The text if everything pending were rejected, and if it were accepted."""
        open_pieces = [piece for piece, mark in file.pieces() if mark.state in UNDECIDED]
        if not open_pieces:
            return file.live.text, file.live.text

        def answered(answer: Answer) -> str | None:
            return file.answered([PieceAnswer(piece, answer) for piece in open_pieces], IMAGINED).live.text

        return answered(REJECTED), answered(ACCEPTED)

    def _revision(self, content: Content) -> str | None:
        if content.node.kind == "notebook":
            return disk.blob_id(on_disk(content, self._store.read) or b"")
        if content.text is not None:
            return disk.blob_id(content.text.encode("utf-8"))
        return str(content.node.value) if content.node.kind in ("bytes", "link") else None

    def _unreviewed(self, path: str) -> FileDocument:
        """A file that nobody has anything to say about yet, as it is on disk."""
        state = self.unreviewed_state(path)
        text = as_text(self._store.read(state.blob)) if isinstance(state, Regular) else None
        is_large = len(text or "") > LARGEST_TEXT
        text = None if is_large else text
        return {
            "path": path,
            "version": self._ledger.counters.event,
            "revision": state.blob if isinstance(state, Regular) else None,
            "kind": _kind_of(state, text, is_large=is_large),
            "mode_bits": f"{state.mode:o}" if isinstance(state, Regular) else None,
            "too_large": is_large,
            "baseline": text,
            "live": text,
            "hunks": [],
            "spans": [],
        }

    def unreviewed_state(self, path: str) -> FileState:
        """What stands at a path that nothing is known of. Fails if that is nothing, or not for us."""
        try:
            signature = self._tree.signature(path) if is_ours(path) else None
            if signature is not None and signature.size > LARGEST_READ:
                raise TooLargeToRead(f"{path} is too large to be shown", hint="look at it in another way")
            state = Absent() if signature is None else self._tree.read(path)[0]
        except ValueError:
            state = Absent()
        if isinstance(state, Absent):
            raise UnknownSelector(f"there is no file {path!r} in the project", hint="see the list of files")
        return state

    def spans(self, file: File) -> list[SpanDocument]:
        """Who wrote each line of the text as it is. A line by several is in the spans of each of them."""
        node = file.live.node
        if node.kind != "text":
            return []
        weave = file.weaves[int(node.value)]
        line = 0
        open_spans: dict[int, list[int]] = {}
        closed: list[tuple[int, int, int]] = []
        for run, start, end in weave.live.spans:
            text, op = weave.runs[run].text[start:end], weave.runs[run].insertion.op
            ends = text.count("\n")
            last = line + ends - (text[-1:] == "\n")
            if op != BASE:
                span = open_spans.get(op)
                if span is not None and span[1] >= line - 1:
                    span[1] = max(span[1], last)
                else:
                    if span is not None:
                        closed.append((span[0], span[1], op))
                    open_spans[op] = [line, last]
            line += ends
        closed += [(first, last, op) for op, (first, last) in open_spans.items()]
        return [self._span(file, *one) for one in sorted(closed)]

    def _span(self, file: File, first: int, last: int, op: int) -> SpanDocument:
        operation = file.operations[op]
        call = self._ledger.call(operation.call) if operation.call is not None else None
        return {
            "start_line": first + 1,
            "end_line": last + 1,
            "actor": actor_document(operation.actor),
            "call": CALL.id(call.number) if call else None,
            "turn": TURN.id(call.turn) if call else None,
        }

    def stale(self, expected: Mapping[str, str]) -> list[str] | None:
        """What took the place of hunks that are not any more what somebody saw; None if all are."""
        pending = {hunk["id"]: hunk for hunk in self._screens.hunks_named(expected)}
        now: list[str] = []
        is_stale = False
        for identifier, digest in expected.items():
            known = pending.get(identifier)
            # The index has the lines of what is pending, and only of that.
            if (
                known is not None
                and known["status"] == "pending"
                and digest_of(known, known["kind"]) == digest
            ):
                continue
            found = self._parts_of(identifier)
            if not any(one["id"] == identifier and digest_of(one, one["kind"]) == digest for one in found):
                is_stale = True
                now += [one["id"] for one in found]
        return now if is_stale else None

    def _parts_of(self, identifier: str) -> list[HunkDocument]:
        """What is called by an id now: the hunk, or the parts that it was split into."""
        number = hunk_number(self._ledger.counters.salt, identifier)
        file_number = None if number is None else self._index.files.of_hunk(number)
        file = None if file_number is None else self._ledger.file(file_number)
        if file is None:
            return []
        whole = whole_of(identifier)
        found = hunk_documents(self._ledger, file, include_hidden=True)
        return [one for one in found if whole_of(one["id"]) == whole]


def is_asked_about(hunk: HunkSummary) -> bool:
    """Whether anybody is asked about a hunk: what people and their programs do is not."""
    return hunk["actor"]["kind"] not in ("person", "external")


def _touch(one: HunkFields, other: HunkFields) -> bool:
    """Whether two hunks show the same lines, or neighbouring ones."""
    (first, last), (start, end) = (
        (it["new_start"], it["new_start"] + it["new_lines"]) for it in (one, other)
    )
    return first <= end and start <= last


def _listed(hunk: HunkDocument) -> HunkEntry:
    rest = {name: value for name, value in hunk.items() if name not in ("old", "new")}
    return cast("HunkEntry", {**rest, "digest": digest_of(hunk, hunk["kind"])})


def _letter(group: Iterable[HunkDocument]) -> FileLetter:
    kinds = {hunk["kind"] for hunk in group}
    return next((letter for kind, letter in LETTERS.items() if kind in kinds), "M")


def _group(hunks: list[HunkDocument]) -> CountedDocument:
    statuses = [hunk["status"] for hunk in hunks]
    return {"status": group_status(statuses), "counts": counted(statuses)}


def _call_group(call: CallDocument, by_call: Mapping[str, list[HunkDocument]]) -> CallGroup:
    hunks = by_call.get(call["id"], [])
    return {**call, **_group(hunks), "hunks": [hunk["id"] for hunk in hunks]}


def _subagent_group(subagent: SubagentDocument, hunks: Iterable[HunkDocument]) -> SubagentGroup:
    own = [hunk for hunk in hunks if hunk["subagent"] == subagent["id"]]
    return {**subagent, **_group(own), "hunks": [hunk["id"] for hunk in own]}


def _kind_of(state: FileState, text: str | None, *, is_large: bool) -> FileKind:
    match state:
        case Regular():
            return "text" if text is not None or is_large else "binary"
        case Link():
            return "link"
        case Folder():
            return "folder"
        case _:
            return "absent"


def branch_of(root: Path) -> str | None:
    """The branch that is checked out, read without asking git; None if there is none."""
    found = refs.repository(os.fsencode(root))
    if found is None:
        return None
    try:
        fd = os.open(found[0] + b"/HEAD", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        head = disk.read_whole(fd, LONGEST_HEAD)
    except OSError:
        return None
    finally:
        os.close(fd)
    name = head.strip().removeprefix(b"ref: refs/heads/")
    return os.fsdecode(name) if head.startswith(b"ref: refs/heads/") else None
