"""What there is to see: status, lists, one thing in detail, the log, patches, exports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeVar, cast

from blueline.desk import damage
from blueline.desk.documents import actor_document, hunk_documents
from blueline.desk.file_parts import shown_cell, shown_lines
from blueline.desk.gate.reasons import undecided
from blueline.desk.hunk_filter import ANYTHING, HunkWish, is_about, narrowed
from blueline.desk.patches import Patches
from blueline.desk.pending_edits import pending_edits
from blueline.desk.project_store import Store
from blueline.desk.record_documents import (
    call_document,
    decision_logged,
    group_document,
    note_logged,
    subagent_document,
    turn_document,
)
from blueline.desk.selectors import NamedFiles, NamedGroup, NamedLines, NamedPart, Selectors, UnknownSelector
from blueline.desk.state_folder import mode_of
from blueline.model.ids import CALL, DECISION, NOTE, SUBAGENT, TURN
from blueline.model.loop import GateReason
from blueline.model.selector import RECORDS, NumberSelector
from blueline.review.deciding.hunks import Hunk
from blueline.review.deciding.planning import FilePlan, Need
from blueline.review.setting import ABSENT

if TYPE_CHECKING:
    from blueline.contract.files import FileGroup, FileShown
    from blueline.contract.groups import GroupDocument, HunkStatus
    from blueline.contract.hunks import HunkDocument, HunkShown
    from blueline.contract.log import DecisionShown, EntriesDocument, LogEntry, NoteShown
    from blueline.contract.overview import (
        DiffDocument,
        ListingDocument,
        RecordingDocument,
        ShownDocument,
        StatusDocument,
    )
    from blueline.contract.stored import StoredDecision
    from blueline.contract.turns import CallGroup, SubagentGroup, TurnGroup
    from blueline.desk.gate.gatekeeper import Gatekeeper

Group = TypeVar("Group", bound="GroupDocument")


def put_off(decision: int, why: str) -> str:
    """The warning that a decision was not carried out."""
    return f"{DECISION.id(decision)}, which was put off, was not carried out: {why}"


class Reports:
    """Answers questions about one project."""

    def __init__(
        self,
        store: Store,
        selectors: Selectors,
        environ: Mapping[str, str],
        recording: RecordingDocument,
    ) -> None:
        self._store = store
        self._index = store.index
        self._screens = store.index.screens
        self._ledger = store.ledger
        self._selectors = selectors
        self._status: tuple[tuple[int, object], StatusDocument] | None = None
        self._is_personal = False
        """Whether the status follows from what somebody has set for themselves, outside of the project."""
        self._environ = environ
        self._recording = recording

    def status(self) -> StatusDocument:
        """Everything in one look, worked out once for several who ask while nothing happens."""
        gatekeeper = self.gatekeeper()
        stamp = self._ledger.counters.event, gatekeeper.kept()
        if self._status is None or self._status[0] != stamp:
            self._status = stamp, self._worked_out(gatekeeper)
        return self._status[1]

    def keep_status(self) -> None:
        """Let the next command answer with the status as it is, if nothing happens until then."""
        from blueline.desk import kept_status  # only who is asked for nothing else has the time

        document = self.status()
        if not self._is_personal:
            kept_status.keep(self._store.root, self._store.state, self._store.mark, document)

    def _worked_out(self, gatekeeper: Gatekeeper) -> StatusDocument:
        self._warn_of_what_was_put_off()
        return {
            "mode": mode_of(self._store.state),
            "recording": self._recording,
            "counts": self._index.files.counts(),
            "turns_running": len(self._ledger.running_turns()),
            "gate": gatekeeper.summary(),
            "reviews": gatekeeper.is_set_up,
            "root": self._store.place,
            "warnings": self._store.warnings,
        }

    def gatekeeper(self, own: frozenset[int] = frozenset()) -> Gatekeeper:
        """Whoever says whether what is here may ship. `own` are calls that it is asked from."""
        from blueline.desk.gate.gatekeeper import Gatekeeper  # most commands never need it

        return Gatekeeper(self._store, lambda afresh: self.gate_reasons(own, afresh=afresh))

    def _warn_of_what_was_put_off(self) -> None:
        """A decision could not be carried out at the end of a call, and nobody has decided again since.

        A hook had it tried, to whom no warning is of any use.
        """
        left = self._index.decisions.scan(put_off=True)
        pending = {*self._index.files.pending_ids()} if left else set()
        for one in left:
            if not pending.isdisjoint(one["hunks"]):
                self._store.warn(put_off(one["number"], one["reason"]))

    def gate_reasons(self, own: frozenset[int], *, afresh: bool) -> list[GateReason]:
        """Why what is here may not ship, as far as decisions and records tell."""
        reasons = []
        if not self._recording["recorded"]:
            message, hint = f"not recorded here: {self._recording['why']}", self._recording["hint"]
            reasons.append(GateReason(code="not-recording", message=message, hint=hint))
        counts = self._index.files.counts()
        if counts["hunks"]:
            found = self._index.files.pending_ids()
            reasons.append(undecided(counts["hunks"], counts["files"], found))
        reasons += self._accepted_by_nobody()
        reasons += damage.reasons(self._store, afresh=afresh)
        if notes := self._screens.open_notes_of("must-fix"):
            message = f"{notes} {'notes say' if notes > 1 else 'note says'} that something must be fixed"
            hint = "resolve them in the workbench: blueline ui"
            reasons.append(GateReason(code="must-fix", message=message, hint=hint))
        running = [
            CALL.id(call.number)
            for call in self._ledger.open_calls()
            if call.about.tree and call.number not in own
        ]
        if running:
            message = f"what {', '.join(running)} changes is not known before its end"
            hint = "wait for it to end"
            reasons.append(GateReason(code="incomplete", message=message, hint=hint, about=tuple(running)))
        if doubts := self._doubts():
            message = f"{doubts} calls could not be looked at to their end, and files changed since"
            hint = "look at the files, then decide on something: blueline list"
            reasons.append(GateReason(code="incomplete", message=message, hint=hint))
        return reasons

    def _accepted_by_nobody(self) -> list[GateReason]:
        from blueline.desk.gate.deciders import AGENT_DECIDED, accepted_by_nobody  # as `gatekeeper`

        found = accepted_by_nobody(self._store)
        self._is_personal = any(reason.code == AGENT_DECIDED for reason in found)
        if not self._is_personal:
            return found
        from blueline.desk import people, person_config  # agents hardly ever decide

        counted = person_config.flag(self._environ, people.COUNT)
        return [reason for reason in found if not (counted and reason.code == AGENT_DECIDED)]

    def _doubts(self) -> int:
        """Calls that may have done more than we saw, and nobody has decided anything since."""
        doubtful = self._index.calls.scan(doubtful=True)
        if not doubtful:
            return 0
        last = self._index.decisions.last(stands=True)
        decision = self._index.decisions.get(last) if last is not None else None
        looked = decision["order"] if decision is not None else 0
        return sum(call["order"] > looked for call in doubtful)

    def listing(self, by: str, status: str, wish: HunkWish = ANYTHING) -> ListingDocument:
        """What there is to decide, or was decided. What is counted is all that is pending, as ever."""
        found: ListingDocument = {
            "mode": mode_of(self._store.state),
            "recording": self._recording,
            "counts": self._index.files.counts(),
        }
        for reason in damage.reasons(self._store):
            found["lost"] = {"why": reason.message, "hint": reason.hint}
        match by:
            case "file":
                found["files"] = _having(status, self._files(wish))
            case "call":
                found["calls"] = _having(status, _of_some(self._calls(wish), wish))
            case "turn":
                found["turns"] = _having(status, _of_some(self._turns(wish), wish))
            case _:
                found["hunks"] = self._wished(self._hunks(status), wish)
        return found

    def _wished(self, found: list[HunkDocument], wish: HunkWish) -> list[HunkDocument]:
        return narrowed(found, wish, self._selectors) if wish else found

    def _hunks(self, status: str) -> list[HunkDocument]:
        if status == "pending":
            return self._with_queue(self._index.files.hunks(status))
        found = []
        for number in self._index.files.with_hunks(status):
            file = self._ledger.file(number)
            if file is not None:
                found += hunk_documents(self._ledger, file)
        wanted = self._with_queue([hunk for hunk in found if status in ("all", hunk["status"])])
        return sorted(
            wanted, key=lambda hunk: (hunk["path"], hunk.get("place", hunk["new_start"]), hunk["at"])
        )

    def _with_queue(self, found: list[HunkDocument]) -> list[HunkDocument]:
        """The hunks, with the decision that waits for the end of a call, where there is one."""
        waiting = {
            hunk: DECISION.id(decision.number)
            for decision in self._ledger.unfinished()
            if decision.verdict == "queued"
            for hunk in decision.hunks
        }
        for hunk in found if waiting else ():
            hunk["queued"] = waiting.get(hunk["id"])
        return found

    def _by(
        self, key: Literal["path", "call", "turn", "subagent"], wish: HunkWish = ANYTHING
    ) -> dict[str | None, list[HunkDocument]]:
        groups: dict[str | None, list[HunkDocument]] = {}
        for hunk in self._wished(self._index.files.hunks("all"), wish):
            groups.setdefault(hunk[key], []).append(hunk)
        return groups

    def _files(self, wish: HunkWish) -> list[FileGroup]:
        groups = self._by("path", wish).values()
        return [{"path": hunks[0]["path"], **group_document(hunks)} for hunks in groups]

    def _calls(self, wish: HunkWish = ANYTHING) -> list[CallGroup]:
        hunks = self._by("call", wish)
        return [
            {**call_document(call), **group_document(hunks.get(CALL.id(call["number"]), []))}
            for call in self._index.calls.scan()
        ]

    def _turns(self, wish: HunkWish = ANYTHING) -> list[TurnGroup]:
        hunks = self._by("turn", wish)
        subagents: dict[str, list[SubagentGroup]] = {}
        for subagent in self._subagents(wish):
            subagents.setdefault(subagent["turn"], []).append(subagent)
        turns = [*map(turn_document, self._index.turns.scan())]
        return [
            {
                **turn,
                **group_document(hunks.get(turn["id"], [])),
                "subagents": subagents.get(turn["id"], []),
            }
            for turn in turns
        ]

    def _subagents(self, wish: HunkWish = ANYTHING) -> list[SubagentGroup]:
        found = [*map(subagent_document, self._index.subagents.scan())]
        hunks = self._by("subagent", wish) if found else {}
        return [{**one, **group_document(hunks.get(one["id"], []))} for one in found]

    def show(self, selector: str) -> ShownDocument:
        """One thing with all that is known of it."""
        match self._selectors.meaning(selector, RECORDS):
            case NumberSelector() as record:
                return self._show_record(record)
            case Hunk() as hunk:
                return self._show_hunk(hunk)
            case NamedGroup(named) if named.kind == CALL:
                name = CALL.id(named.number)
                return {**next(one for one in self._calls() if one["id"] == name), "kind": "call"}
            case NamedGroup(named) if named.kind == SUBAGENT:
                name = SUBAGENT.id(named.number)
                return {**next(one for one in self._subagents() if one["id"] == name), "kind": "subagent"}
            case NamedGroup(named):
                name = TURN.id(named.number)
                return {**next(one for one in self._turns() if one["id"] == name), "kind": "turn"}
            case NamedFiles([number]):
                return self._show_file(number)
            case NamedLines() as lines:
                text, hunks = shown_lines(self._ledger, lines)
                return {**text, **group_document(hunks)}
            case NamedPart() as part:
                cell, hunks = shown_cell(self._ledger, part)
                return {**cell, **group_document(hunks)}
            case Need() as split:
                hint = f"look at what took its place: {', '.join(split.now)}"
                raise UnknownSelector(f"{selector} was split", hint=hint)
            case _:
                hint = "`blueline show` takes an id of any kind, a file, lines or a cell of one"
                raise UnknownSelector(f"nothing here is called {selector!r}", hint=hint)

    def _show_record(self, record: NumberSelector) -> DecisionShown | NoteShown:
        if record.kind == NOTE:
            note = self._index.notes.get(record.number)
            assert note is not None
            return {**note_logged(note), "quote": note["quote"]}
        decision = self._index.decisions.get(record.number)
        assert decision is not None
        paths = self._index.screens.paths_of(decision["files"])
        return {**decision_logged(decision, paths), "overtaken": self._is_overtaken(decision)}

    def _is_overtaken(self, decision: StoredDecision) -> bool:
        """Whether a decision that stands is the last word on nothing any more."""
        number = decision["of"] or decision["number"]
        known = self._ledger.decision(number)
        if not decision["stands"] or known is None or not known.files:
            return False
        files = [file for one in known.files if (file := self._ledger.file(one)) is not None]
        marks = ((mark, file.fallen) for file in files for _, mark in file.pieces())
        return not any(mark.signature(fallen)[-1:] == (number,) for mark, fallen in marks)

    def _show_hunk(self, hunk: Hunk) -> HunkShown:
        document = self._hunk(hunk)
        call = None if hunk.operation.call is None else self._index.calls.get(hunk.operation.call)
        turn = self._index.turns.get(call["turn"]) if call else None
        shown = {
            **document,
            "kind": "hunk",
            "change": document["kind"],
            "prompt": turn["prompt"] if turn else None,
            "about": call_document(call)["about"] if call else {},
            "decisions": [*map(DECISION.id, hunk.signature)],
        }
        return cast("HunkShown", shown)  # elsewhere the key `kind` says what is called `change` here

    def _hunk(self, hunk: Hunk) -> HunkDocument:
        file = self._ledger.file(hunk.file)
        assert file is not None
        known = self._with_queue(hunk_documents(self._ledger, file, include_hidden=True))
        return next(one for one in known if one["id"] == hunk.id)

    def _file_hunks(self, number: int) -> list[HunkDocument]:
        file = self._ledger.file(number)
        return hunk_documents(self._ledger, file) if file is not None else []

    def _show_file(self, number: int) -> FileShown:
        file = self._ledger.file(number)
        assert file is not None
        hunks = self._file_hunks(number)
        return {
            "kind": "file",
            "path": file.live.path,
            "exists": file.live.node != ABSENT,
            "mode": f"{file.live.mode:o}",
            **group_document(hunks),
            "operations": [
                {
                    "at": operation.at,
                    "actor": actor_document(operation.actor),
                    "call": CALL.id_or_none(operation.call),
                }
                for operation in file.operations.values()
            ],
        }

    def log(self, wish: HunkWish = ANYTHING) -> EntriesDocument:
        """Turns, calls, decisions, notes and overrides of the gate, newest first."""
        entries: list[tuple[int, LogEntry]] = []
        for turn in self._index.turns.scan():
            entries.append((turn["order"], {**turn_document(turn), "kind": "turn", "at": turn["started"]}))
        for call in self._index.calls.scan():
            entries.append((call["order"], {**call_document(call), "kind": "call", "at": call["started"]}))
        decisions = [*self._store.decisions()]
        paths = self._index.screens.paths_of({file for one in decisions for file in one["files"]})
        entries += [(one["order"], decision_logged(one, paths)) for one in decisions]
        entries += [(one["order"], note_logged(one)) for one in self._store.index.notes.scan()]
        entries.sort(key=lambda entry: entry[0], reverse=True)
        found = self._with_overrides([entry for _, entry in entries])
        if wish:
            about = narrowed(self._index.files.hunks("all"), replace(wish, since=""), self._selectors)
            found = [entry for entry in found if is_about(entry, wish, about)]
        return {"entries": found}

    def _with_overrides(self, entries: list[LogEntry]) -> list[LogEntry]:
        from blueline.desk.gate.evidence import Unreadable  # as `gatekeeper`: few commands need it
        from blueline.desk.gate.gate_documents import with_overrides

        try:
            return with_overrides(entries, self.gatekeeper().overrides())
        except Unreadable:
            return entries  # it closes the gate, and that says so

    def difference(self, selectors: Sequence[str]) -> DiffDocument:
        """The pending changes as a unified diff."""
        return Patches(self._store, self._selectors).difference(selectors)

    def effect(self, plans: Iterable[FilePlan]) -> str:
        """What a decision would change in the files, as a unified diff."""
        return Patches(self._store, self._selectors).effect(plans)

    def export(self, form: str) -> str:
        """The review state for others."""
        if form == "patch":
            return Patches(self._store, self._selectors).patch()
        if form == "json":
            document = {**self.listing("hunk", "all"), "turns": self._turns(), "calls": self._calls()}
            gate = self.gatekeeper().gate()
            return json.dumps({**document, "log": self.log()["entries"], "gate": gate}, indent=2) + "\n"
        return json.dumps(pending_edits(self._store, self._by("call")), indent=2) + "\n"


def _of_some(groups: list[Group], wish: HunkWish) -> list[Group]:
    """Groups with nothing in them are of no interest to somebody who asks for a part."""
    return [group for group in groups if group["hunks"]] if wish else groups


def _having(status: str, groups: list[Group]) -> list[Group]:
    """The groups with a hunk of this status; `all` for every one."""
    if status == "all":
        return groups
    wanted = cast("HunkStatus", status)
    return [group for group in groups if group["counts"][wanted]]
