"""Finds the facts that the gate's answer rests on: what would ship, what was reviewed, what is undecided."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk import config
from blueline.desk.gate.evidence import Evidence, ReviewRecord, Unreadable
from blueline.desk.gate.parts import Part, placed
from blueline.desk.gate.reasons import undecided
from blueline.desk.project_store import Store
from blueline.errors import BluelineError
from blueline.model.ids import BlobId
from blueline.model.loop import GateReason, Policy
from blueline.review.file import File
from blueline.review.gate_answer import Facts
from blueline.review.loop_config import digest_of, policy_of
from blueline.review.medium.choice import on_disk
from blueline.review.setting import Content
from blueline.workspace.shipment import CannotTell, Files, Shipment, differences, object_name

if TYPE_CHECKING:
    from blueline.workspace.work_tree import WorkTree

REVIEW_TABLE = b"review"

Others = Callable[[bool], list[GateReason]]
"""What decisions and records have to say; True to read all records for it."""


class GateQuestion(NamedTuple):
    """What the gate is asked about: what is here, a commit, or what is about to be committed."""

    commit: str = ""
    is_staged: bool = False
    index_file: str = ""
    merged: tuple[str, ...] = ()
    """Of what is staged: other commits that it is a merge of. Bytes that one of them has are not its own."""
    is_between: bool = False
    """Of a commit: it is one of several that are pushed, and others stand behind it."""


class FactFinder:
    """Looks at one project, which whoever asks has locked."""

    def __init__(self, store: Store, evidence: Evidence, others: Others) -> None:
        self._store = store
        self._evidence = evidence
        self._others = others

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

    def found(self, asked: GateQuestion, *, is_quick: bool = False) -> Facts:
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
            others=self._others(not is_quick),
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
        extra = self.extra(policy)
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

            text = self.work_tree.read(head, f"{self.below}{config.PATH}")
            policies.append(policy_of(tomllib.loads(text.decode())))
        facts = replace(base, unreadable=unreadable, others=self._others_in(base, shipment.files, changed))
        return placed(facts, Part(shipment.tree, head, changed, policies, None), record, self._evidence)

    def _others_in(self, base: Facts, files: Files, only: Iterable[str]) -> list[GateReason]:
        return [*self._undecided_in(files, only), *(one for one in base.others if one.code != "undecided")]

    def extra(self, policy: Policy) -> str:
        """What ships besides what git has, in one word; empty if nothing does."""
        found = self.work_tree.extra(policy.shipped)
        if not found:
            return ""
        return hashlib.sha256(
            "".join(f"{p}\0{m:o}{n}\0" for p, (m, n) in sorted(found.items())).encode(
                "utf-8", "surrogateescape"
            )
        ).hexdigest()

    @property
    def below(self) -> str:
        """Where the project is in the work tree, which has other names for its files."""
        prefix = os.path.relpath(os.path.realpath(self._store.root), os.path.realpath(self.work_tree.top))
        return "" if prefix == "." else prefix + "/"

    def _undecided_in(self, files: Files, only: Iterable[str] | None = None) -> list[GateReason]:
        """Undecided changes that are in these files: those that stand in none of their bytes do not count."""
        below = self.below
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
