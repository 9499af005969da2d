"""Whole screens: what a surface needs at once to show a project, or one file of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from blueline.desk.documents import (
    actor_document,
    digest_of,
    file_documents,
    hunk_documents,
)
from blueline.desk.project_store import Store
from blueline.desk.record_documents import call_document
from blueline.desk.reports import Reports
from blueline.desk.screens.notebooks import notebook_cells, outputs
from blueline.desk.screens.project_overview import KINDS
from blueline.desk.selectors import UnknownSelector
from blueline.errors import BluelineError
from blueline.kernel import disk
from blueline.model.answer import ACCEPTED, HELD
from blueline.model.file_state import Absent, FileState, Folder, Link, Regular
from blueline.model.ids import CALL, TURN, BlobId, hunk_number, whole_of
from blueline.model.piece import PieceAnswer
from blueline.model.text import as_text
from blueline.review.deciding.hunks import hunks
from blueline.review.file import File
from blueline.review.line_authors import line_authors
from blueline.review.medium.choice import in_sections, on_disk
from blueline.review.medium.file_views import why_whole
from blueline.review.operation import BASE
from blueline.review.setting import Content
from blueline.review.weave.weave import IMAGINED
from blueline.workspace.tree import Tree

if TYPE_CHECKING:
    from blueline.contract.cells import OutputsDocument
    from blueline.contract.files import FileDocument, FileKind, SpanDocument
    from blueline.contract.hunks import (
        HunkDocument,
        HunkFields,
        HunkShown,
        RelatedCall,
        WhyDocument,
    )
    from blueline.contract.log import HunkPlaceDocument

LARGEST_TEXT = 16 << 20
"""Characters. A longer text is not shown; it can be decided about all the same."""

LARGEST_READ = 4 * LARGEST_TEXT
"""Bytes of a file that nobody has changed yet: a larger one is not even read."""

AROUND = 3
"""How many lines of the file are shown on each side of a hunk by itself."""


def is_ours(path: str) -> bool:
    """Whether a path leads to a file of the project: not out of it, and not to what is git's own."""
    names = path.split("/")
    return not any(name in ("", ".", "..") or name.lower().rstrip(". ") == ".git" for name in names)


MOST_PLACED = 20
"""Files of which it is looked up where their decided hunks stand."""


class TooLargeToRead(BluelineError):
    """A file that no page could show."""


class Pages:
    """Draws up whole screens of one project."""

    def __init__(self, store: Store, reports: Reports, tree: Tree) -> None:
        self._store = store
        self._index = store.index
        self._screens = store.index.screens
        self._ledger = store.ledger
        self._reports = reports
        self._tree = tree

    def file(self, path: str) -> FileDocument:
        """One file: its texts, every hunk that there is anything to look at of, and who wrote which line."""
        file = self._ledger.file_at(path)
        if file is None:
            return self._unreviewed(path)
        live, baseline = file.live, file.baseline
        is_large = _is_large(file)
        is_notebook = in_sections(live)
        shows = not (is_large or is_notebook)
        original, final = self._imagined(file) if shows else (None, None)
        listed = [] if is_large else file_documents(self._ledger, file)
        page: FileDocument = {
            "path": live.path,
            "version": self._ledger.counters.event,
            "revision": self._revision(live),
            "kind": KINDS.get(live.node.kind, "absent"),
            "mode_bits": _octal(live.mode),
            "too_large": is_large,
            "baseline": baseline.plain if shows else None,
            "live": live.text if shows else None,
            "hunks": listed,
            "spans": self.spans(file) if shows else [],
            "as_text": why_whole(file),
        }
        # What is the same as another side is not sent twice.
        if original != page["baseline"]:
            page["original"] = original
        if final != page["live"]:
            page["final"] = final
        if baseline.mode != live.mode:
            page["baseline_mode_bits"] = _octal(baseline.mode)
        if is_notebook and not is_large:
            page["cells"] = notebook_cells(file, listed, self._store.read)
            page["held"] = any(mark.state == HELD for _, mark in file.undecided)
        return page

    def shows_hunks(self, path: str) -> bool:
        """Whether the page of a file has its hunks."""
        file = self._ledger.file_at(path)
        return file is not None and not _is_large(file)

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
        if file is None or not in_sections(file.live):
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
        above, below = _around(shown, file)
        command = shown["about"].get("command")
        is_new = (shown["change"], shown["status"]) == ("create", "pending")
        return {
            **shown,
            "digest": digest,
            "command": command if isinstance(command, str) else None,
            "agreed": _agreed_lines(file) if is_new else [],
            "above": above,
            "below": below,
            "related": [*near.values()],
        }

    def places(self, hunks: Iterable[str]) -> dict[str, HunkPlaceDocument]:
        """Where some hunks stand, by their ids: of those in many files, which file it is has to do."""
        named = {one["id"]: one for one in self._screens.hunks_named(hunks)}
        lines: dict[str, int] = {}
        for path in [*dict.fromkeys(one["path"] for one in named.values())][:MOST_PLACED]:
            file = self._ledger.file_at(path)
            for shown in [] if file is None else file_documents(self._ledger, file):
                lines[shown["id"]] = shown["new_start"] if shown["kind"] == "modify" else 0
        return {name: {"path": one["path"], "line": lines.get(name, 0)} for name, one in named.items()}

    def _imagined(self, file: File) -> tuple[str | None, str | None]:
        """The text if everything pending were rejected, and if it were accepted."""
        # What is in the text with all that is undecided rejected is what is agreed.
        node = file.baseline.node
        original = file.weaves[int(node.value)].baseline.text if node.is_woven else None
        if not any(hunk.state == HELD for hunk in hunks(file, self._ledger.counters.salt)):
            return original, file.live.text  # what is pending stands there already
        undecided = [PieceAnswer(piece, ACCEPTED) for piece, _ in file.undecided]
        return original, file.answered(undecided, IMAGINED).live.text

    def _revision(self, content: Content) -> str | None:
        if in_sections(content):
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

    def digests(self, identifiers: Sequence[str]) -> dict[str, str]:
        """What hunks show, each by a digest; of those that there are not, none."""
        known = self._screens.hunks_named(identifiers)
        found = {one["id"]: digest_of(one, one["kind"]) for one in known if one["status"] == "pending"}
        # Of what is decided the index has no lines.
        for identifier in identifiers:
            if identifier not in found:
                parts = (one for one in self._parts_of(identifier) if one["id"] == identifier)
                found |= {one["id"]: digest_of(one, one["kind"]) for one in parts}
        return found

    def _parts_of(self, identifier: str) -> list[HunkDocument]:
        """What is called by an id now: the hunk, or the parts that it was split into."""
        number = hunk_number(self._ledger.counters.salt, identifier)
        made = None if number is None else self._index.files.of_hunk(number)
        file = None if made is None else self._ledger.file(made.file)
        if file is None:
            return []
        whole = whole_of(identifier)
        found = hunk_documents(self._ledger, file, include_hidden=True)
        return [one for one in found if whole_of(one["id"]) == whole]


def _agreed_lines(file: File) -> list[int]:
    """The lines of a text with nothing undecided on them, from one."""
    return [number for number, author in enumerate(line_authors(file), 1) if not author.pending]


def _is_large(file: File) -> bool:
    return max(len(content.text or "") for content in (file.live, file.baseline)) > LARGEST_TEXT


def _touch(one: HunkFields, other: HunkFields) -> bool:
    """Whether two hunks show the same lines, or neighbouring ones."""
    (first, last), (start, end) = (
        (it["new_start"], it["new_start"] + it["new_lines"]) for it in (one, other)
    )
    return first <= end and start <= last


def _around(hunk: HunkShown, file: File) -> tuple[list[str], list[str]]:
    """The lines of the text before and after a hunk: of a proposal, where they are agreed on."""
    if hunk["status"] != "pending" or hunk["new"] is None:
        return [], []
    if hunk["held"]:
        text, start, count = file.baseline.plain, hunk["old_start"], hunk["old_lines"]
    else:
        text, start, count = file.live.text, hunk["new_start"], hunk["new_lines"]
    if not text or (hunk["held"] and text != file.live.text):
        return [], []
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    first = start - 1 if count else start
    return lines[max(0, first - AROUND) : first], lines[first + count : first + count + AROUND]


def _octal(mode: int) -> str | None:
    return f"{mode:o}" if mode >= 0 else None


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
