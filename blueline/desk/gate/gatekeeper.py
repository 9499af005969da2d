"""Finds the facts that the gate's answer rests on, and writes down what reviews came to."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk import config
from blueline.desk.gate.deciders import who_decided
from blueline.desk.gate.evidence import Evidence, ReviewRecord, Unreadable
from blueline.desk.gate.gate_documents import gate_document, loop_state
from blueline.desk.gate.parts import Part, placed
from blueline.desk.gate.reasons import undecided
from blueline.desk.project_store import Store
from blueline.errors import BluelineError
from blueline.model.ids import BlobId
from blueline.model.loop import (
    ERROR,
    NAMES,
    Finding,
    GateReason,
    LoopOutcome,
    LoopResult,
    Override,
    Policy,
    Review,
)
from blueline.review.file import Content, File
from blueline.review.gate_answer import Answer, Facts, answered
from blueline.review.loop_config import digest_of as digest_of
from blueline.review.loop_config import policy_of as policy_of
from blueline.review.medium.choice import on_disk
from blueline.workspace.shipment import CannotTell, Files, Shipment, differences, object_name

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument, GateSummary
    from blueline.contract.reviews import ReviewPlan
    from blueline.workspace.work_tree import WorkTree

REVIEW_TABLE = b"review"

Others = Callable[[], list[GateReason]]
"""What decisions and records have to say."""


class GateQuestion(NamedTuple):
    """What the gate is asked about: what is here, a commit, or what is about to be committed."""

    commit: str = ""
    is_staged: bool = False
    index_file: str = ""
    merged: tuple[str, ...] = ()
    """Of what is staged: other commits that it is a merge of. Bytes that one of them has are not its own."""
    is_between: bool = False
    """Of a commit: it is one of several that are pushed, and others stand behind it."""


class Gatekeeper:
    """Answers for one project, which whoever asks has locked."""

    def __init__(self, store: Store, others: Others) -> None:
        self._store = store
        self._others = others
        self._evidence = Evidence(store.state)

    @cached_property
    def work_tree(self) -> WorkTree:
        from blueline.workspace.work_tree import WorkTree  # most commands never need it

        return WorkTree(self._store.root)

    @cached_property
    def policy(self) -> Policy:
        """What the config asks for, as agreed: what an agent wrote there counts when it is accepted."""
        try:
            text = config.agreed(self._store.root, self._store.ledger)
            if REVIEW_TABLE not in text:
                return replace(Policy(), digest=digest_of({}))
            import tomllib  # takes longer than most commands

            return policy_of(tomllib.loads(text.decode()))
        except ValueError as error:  # not a plain file, not TOML, not UTF-8, or not what a policy is
            raise BluelineError(
                f"{config.PATH} cannot be used: {error}", hint="put that right; see docs/gate.md"
            ) from error

    # The answer

    def gate(self, asked: GateQuestion | None = None) -> GateDocument:
        """Whether something may ship, and why not."""
        asked = asked or GateQuestion()
        facts = self.facts(asked)
        answer = answered(facts)
        if asked == GateQuestion():
            self._export(facts, answer)
        return gate_document(facts, answer, who_decided(self._store, self._changed(asked)))

    def _changed(self, asked: GateQuestion) -> set[str]:
        """Files of the project that are not as others have them."""
        try:
            files = self.work_tree.at(asked.commit)[1] if asked.commit else self.work_tree.here()
            found = differences(self.work_tree.base(), files.files)
        except CannotTell:
            return set()
        below = self._below
        return {path.removeprefix(below) for path in found if path.startswith(below)}

    def summary(self) -> GateSummary:
        """The answer in short, for those who show it beside other things."""
        facts = self.facts(GateQuestion(), is_quick=True)
        answer = answered(facts)
        self._export(facts, answer)
        whole = gate_document(facts, answer, [])
        return {"open": whole["open"], "reasons": whole["reasons"], "override": whole["override"]}

    @property
    def is_set_up(self) -> bool:
        """Whether anybody ever asked for reviews here: loops in the config, or one that was run."""
        try:
            return self._evidence.path.exists() or self.policy != policy_of({})
        except BluelineError:
            return True  # something is meant to be there, and cannot be read

    def stamp(self) -> object:
        """Equal as long as the answer is, but for what the ledger says. Costs nothing without a review."""
        found = self.kept()
        if found is None:
            return None
        with contextlib.suppress(CannotTell):
            return found, self.work_tree.here().tree
        return None, self._store.now()

    def kept(self) -> object:
        """Equal as long as what reviews left is, which is None without any."""
        try:
            found = self._evidence.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def facts(self, asked: GateQuestion, *, is_quick: bool = False) -> Facts:
        """Everything the answer for a tree depends on."""
        unreadable: list[str] = []
        record, policy = ReviewRecord(), Policy()
        try:
            record = self._evidence.load()
        except Unreadable as error:
            unreadable.append(str(error.path))
        try:
            policy = self.policy
        except BluelineError as error:
            unreadable.append(str(error))
        base = Facts(
            tree=None,
            head="",
            policy=policy,
            overrides=record.overrides,
            others=self._others(),
            now=self._store.now(),
            latest=record.reviews[-1] if record.reviews else None,
        )
        if is_quick and not record.reviews and not record.overrides:
            # Nothing could fit any tree, so there is no need to read it.
            return replace(base, tree=None if unreadable else "", unreadable=unreadable)
        try:
            return self._compared(base, asked, record, unreadable)
        except CannotTell as error:
            return replace(base, unreadable=unreadable, cannot_tell=(str(error), error.hint))

    def _compared(
        self, base: Facts, asked: GateQuestion, record: ReviewRecord, unreadable: list[str]
    ) -> Facts:
        policy = base.policy
        extra = self._extra(policy)
        if asked.is_staged:
            return self._staged(base, asked, record, unreadable, extra)
        if asked.is_between:
            return self._between(base, asked, record, unreadable)
        head, shipment = (
            self.work_tree.at(asked.commit)
            if asked.commit
            else (self.work_tree.head(), self.work_tree.here())
        )
        others = base.others
        if asked.commit:
            others = [
                *self._undecided_in(shipment.files),
                *(one for one in others if one.code != "undecided"),
            ]
        else:
            others = [*others, *self._unfinished()]
        review = record.of(shipment.tree, policy.digest, extra)
        changed: Sequence[str] = ()
        latest = review or base.latest
        if latest is not None:
            try:
                files = self._evidence.files(latest.manifest)
            except Unreadable as error:
                unreadable = [*unreadable, str(error.path)]
            else:
                changed = [*differences(files, shipment.files)]
        return replace(
            base,
            tree=shipment.tree,
            head=head,
            extra=extra,
            review=review,
            changed=changed,
            is_config_other=latest is not None and latest.config != policy.digest,
            unreadable=unreadable,
            others=others,
        )

    def _unfinished(self) -> Iterator[GateReason]:
        """What keeps the files that are here from being what git would commit."""
        for paths, what, hint in (
            (self.work_tree.conflicts(), "a merge is not finished", "put the files together, then: git add"),
            (
                self.work_tree.unseen(),
                "git was told not to look at",
                "git update-index --no-assume-unchanged",
            ),
            (
                self.work_tree.unfinished_inside(),
                "a submodule has changes that are in no commit of it, and would not ship",
                "commit or remove them there",
            ),
        ):
            if paths:
                message = f"{what}: {', '.join(paths[:3])}"
                yield GateReason(code="incomplete", message=message, hint=hint, about=tuple(paths))

    def _staged(
        self, base: Facts, asked: GateQuestion, record: ReviewRecord, unreadable: list[str], extra: str
    ) -> Facts:
        staged = self.work_tree.staged(asked.index_file, asked.merged)
        head, here = self.work_tree.head(), {**self.work_tree.committed()}
        for path, state in self.work_tree.staged(asked.index_file).items():
            here.pop(path, None)
            if state is not None:
                here[path] = state
        tree = Shipment(here, digits=len(head) or 40).tree
        facts = replace(base, unreadable=unreadable, others=self._others_in(base, here, staged))
        return placed(facts, Part(tree, head, staged, [base.policy], extra), record, self._evidence)

    def _between(
        self, base: Facts, asked: GateQuestion, record: ReviewRecord, unreadable: list[str]
    ) -> Facts:
        """A commit with others behind it may have been reviewed under loops that are no more."""
        head, shipment = self.work_tree.at(asked.commit)
        changed = self.work_tree.changed_in(head)
        policies = [base.policy]
        with contextlib.suppress(ValueError):
            import tomllib

            text = self.work_tree.read(head, f"{self._below}{config.PATH}")
            policies.append(policy_of(tomllib.loads(text.decode())))
        facts = replace(base, unreadable=unreadable, others=self._others_in(base, shipment.files, changed))
        return placed(facts, Part(shipment.tree, head, changed, policies, None), record, self._evidence)

    def _others_in(self, base: Facts, files: Files, only: Iterable[str]) -> list[GateReason]:
        return [*self._undecided_in(files, only), *(one for one in base.others if one.code != "undecided")]

    def _extra(self, policy: Policy) -> str:
        found = self.work_tree.extra(policy.shipped)
        if not found:
            return ""
        return hashlib.sha256(
            "".join(f"{p}\0{m:o}{n}\0" for p, (m, n) in sorted(found.items())).encode(
                "utf-8", "surrogateescape"
            )
        ).hexdigest()

    @property
    def _below(self) -> str:
        """Where the project is in the work tree, which has other names for its files."""
        prefix = os.path.relpath(os.path.realpath(self._store.root), os.path.realpath(self.work_tree.top))
        return "" if prefix == "." else prefix + "/"

    def _undecided_in(self, files: Files, only: Iterable[str] | None = None) -> list[GateReason]:
        """Undecided changes that are in these files: those that stand in none of their bytes do not count."""
        below = self._below
        found: dict[str, list[str]] = {}
        for hunk in self._store.index.files.hunks("pending"):
            path = str(hunk["path"])
            if only is not None and below + path not in only:
                continue
            file = self._store.ledger.file_at(path)
            if file is None or not self._is_baseline(file, below, files):
                found.setdefault(path, []).append(str(hunk["id"]))
        if not found:
            return []
        count = sum(map(len, found.values()))
        return [undecided(count, len(found), [one for ids in found.values() for one in ids])]

    def _is_baseline(self, file: File, below: str, files: Files) -> bool:
        old, new = below + file.baseline.path, below + file.live.path
        if files.get(old) != self._named(file.baseline, len(next(iter(files.values()), (0, ""))[1]) or 40):
            return False
        return old == new or new not in files

    def _named(self, content: Content, digits: int) -> tuple[int, str] | None:
        """Mode and object of a content; None for one that is not there."""
        match content.node.kind:
            case "absent" | "folder":
                return None
            case "link":
                return 0o120000, object_name(os.fsencode(str(content.node.value)), digits)
            case "bytes":
                data = self._store.read(BlobId(str(content.node.value)))
            case _:
                data = on_disk(content, self._store.read)
        # What is lost is like nothing, and so the change counts.
        return 0o100755 if content.mode & 0o100 else 0o100644, object_name(
            data, digits
        ) if data is not None else ""

    # What a review would do

    def plan(self, loops: Sequence[int], scope: str, paths: Sequence[str]) -> ReviewPlan:
        """What a review would run, on which files, and how long that took last time."""
        record = self._record()
        shipment = self.work_tree.here()
        changed = [
            path
            for path, state in differences(self.work_tree.base(), shipment.files).items()
            if state is not None
        ]
        files = self._in_scope(scope, paths, changed, shipment.files)
        known = record.seconds
        return {
            "tree": shipment.tree,
            "head": self.work_tree.head(),
            "config": self.policy.digest,
            "manifest": self._evidence.keep(shipment.files),
            "trusted": not self.policy.commands or self._evidence.is_trusted(self.policy.digest),
            "top": str(self.work_tree.top),
            "scope": scope,
            "files": files,
            "covers": scope != "paths" or {*changed} <= {*files},
            "seconds": sum(known.get(one.run, 0.0) for n in loops for one in self.policy.loops[n].commands),
            "loops": [
                {
                    "loop": n,
                    "name": NAMES[n],
                    "commands": [
                        {
                            "run": one.run,
                            "timeout": one.seconds,
                            "last": known.get(one.run),
                            "results": one.results,
                        }
                        for one in self.policy.loops[n].commands
                    ],
                    "report": self.policy.loops[n].needs_report,
                    "skip": self.policy.loops[n].skip,
                }
                for n in loops
            ],
        }

    def _in_scope(self, scope: str, paths: Sequence[str], changed: list[str], files: Files) -> list[str]:
        if scope == "changed":
            return changed
        if scope == "all":
            return sorted(files)
        top = Path(os.path.realpath(self.work_tree.top))
        wanted = []
        for path in paths:
            place = Path(os.path.realpath(self._store.root / path))
            if not place.is_relative_to(top):
                raise BluelineError(f"{path} is outside of the project", hint="name files of the project")
            wanted.append(str(place.relative_to(top)))
        return [
            path
            for path in sorted(files)
            if any(one in (".", path) or path.startswith(one + "/") for one in wanted)
        ]

    # What is written down

    def _record(self) -> ReviewRecord:
        return self._evidence.load()

    def trust(self, digest: str) -> None:
        """Let exactly these commands run."""
        if digest != self.policy.digest:
            raise BluelineError(
                "these are not the loops that the config has now",
                hint="look at them: blueline review --preview",
            )
        self._evidence.trust(digest, self._store.now())

    def distrust(self) -> None:
        self._evidence.distrust()

    @property
    def is_trusted(self) -> bool:
        return not self.policy.commands or self._evidence.is_trusted(self.policy.digest)

    def ran(
        self, number: int, outcome: LoopOutcome, plan: ReviewPlan, seconds: Mapping[str, float]
    ) -> GateDocument:
        """Write down how a loop's commands ended, which were run by a plan."""
        record = self._record()
        record.seconds = {**record.seconds, **seconds}
        shipment = self.work_tree.here()
        if shipment.tree != plan["tree"]:
            moved = Finding(severity=ERROR, message=self._moved(plan["manifest"], shipment.files))
            outcome = replace(outcome, passed=False, findings=(*outcome.findings, moved))
        return self._put(record, number, shipment, lambda known: replace(known, run=outcome))

    def _moved(self, manifest: str, files: Files) -> str:
        names: list[str] = []
        with contextlib.suppress(Unreadable):
            names = [*differences(self._evidence.files(manifest), files)]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        which = f" ({', '.join(names[:3])}{more})" if names else ""
        return f"files changed while this loop ran{which}, so it says nothing about them: review again"

    def reported(self, number: int, outcome: LoopOutcome) -> GateDocument:
        """Write down what an agent reported of a loop."""
        return self._put(
            self._record(), number, self.work_tree.here(), lambda known: replace(known, report=outcome)
        )

    def _put(
        self,
        record: ReviewRecord,
        number: int,
        shipment: Shipment,
        change: Callable[[LoopResult], LoopResult],
    ) -> GateDocument:
        policy, extra = self.policy, self._extra(self.policy)
        review = record.of(shipment.tree, policy.digest, extra)
        if review is None:
            review = Review(
                tree=shipment.tree,
                head=self.work_tree.head(),
                config=policy.digest,
                extra=extra,
                at=self._store.now(),
                manifest=self._evidence.keep(shipment.files),
            )
        loops = {**review.loops, number: change(review.loops.get(number, LoopResult()))}
        record.put(replace(review, loops=loops, at=self._store.now(), head=self.work_tree.head()))
        self._evidence.save(record)
        return self.gate()

    def override(self, *, by: str, reason: str, expires: str) -> Override:
        """Open the gate for exactly this tree, for a while."""
        record = self._record()
        now = self._store.now()
        if expires <= now:
            raise BluelineError("an override must end later than now", hint="for example: --expires 2h")
        tree = self.work_tree.here().tree
        found = Override(
            number=len(record.overrides) + 1, by=by, reason=reason, at=now, expires=expires, tree=tree
        )
        record.overrides = [*record.overrides, found]
        self._evidence.save(record)
        self.gate()
        return found

    def overrides(self) -> Sequence[Override]:
        """All there ever were."""
        return self._record().overrides

    def _export(self, facts: Facts, answer: Answer) -> None:
        """`loop-state.json`, for other programs; only where a review was ever run."""
        if facts.latest is None and facts.review is None:
            return
        document = loop_state(facts, answer)
        if document != getattr(self, "_exported", None):
            self._exported = document
            self._evidence.export(document)
