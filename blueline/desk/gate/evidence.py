"""What reviews came to, kept in the state folder so that damage is never taken for an answer.

`reviews` is one document behind its own digest, replaced whole. `reviewed/` has, for each tree that was
reviewed, the list of its files with their bytes; its digest stands in the review. A document that is not as
it was written is not read at all, and closes the gate. `trusted` says which commands a person has let run.
"""

import contextlib
import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from blueline.errors import BluelineError
from blueline.kernel import disk
from blueline.model.loop import Finding, LoopOutcome, LoopResult, Override, Review

FIRST_LINE = b"blueline-reviews 1 "
REVIEWS, REVIEWED, TRUSTED, LOOP_STATE = "reviews", "reviewed", "trusted", "loop-state.json"
MOST_REVIEWS = 50
"""Trees whose reviews are remembered."""


class Unreadable(BluelineError):
    """Evidence is damaged, or cannot be read."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} cannot be used: {why}", hint="look at that file, or remove it and review again"
        )
        self.path = path


class ReviewRecord:
    """Everything that is kept about reviews, as one value."""

    def __init__(
        self,
        reviews: list[Review] | None = None,
        overrides: list[Override] | None = None,
        seconds: dict[str, float] | None = None,
    ) -> None:
        self.reviews = reviews or []
        """Oldest first."""
        self.overrides = overrides or []
        self.seconds = seconds or {}
        """How long each command took last time."""

    def of(self, tree: str | None, config: str, extra: str) -> Review | None:
        """The review of exactly this."""
        for review in reversed(self.reviews):
            if (review.tree, review.config, review.extra) == (tree, config, extra):
                return review
        return None

    def put(self, review: Review) -> None:
        """Remember a review in the place of an earlier one of the same tree."""
        known = self.of(review.tree, review.config, review.extra)
        self.reviews = [*(one for one in self.reviews if one is not known), review][-MOST_REVIEWS:]


class Evidence:
    """The files. Whoever writes holds the project's lock."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self.path = state / REVIEWS

    def load(self) -> ReviewRecord:
        """Everything that is known; nothing if nothing was ever written. Raises Unreadable."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return ReviewRecord()
        except OSError as error:
            raise Unreadable(self.path, error.strerror or "it cannot be read") from error
        head, _, body = data.partition(b"\n")
        if head != FIRST_LINE + hashlib.sha256(body).hexdigest().encode():
            raise Unreadable(self.path, "it is damaged, or of a newer version")
        try:
            return _loaded(json.loads(body))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Unreadable(self.path, "it is not a record of reviews") from error

    def save(self, record: ReviewRecord) -> None:
        """Replace what is known, and forget lists of files that nothing names any more."""
        body = json.dumps(_dumped(record), separators=(",", ":")).encode()
        head = FIRST_LINE + hashlib.sha256(body).hexdigest().encode() + b"\n"
        self._put(self.path, head + body)
        named = {review.manifest for review in record.reviews}
        with contextlib.suppress(FileNotFoundError):
            for name in os.listdir(self._state / REVIEWED):
                if name not in named:
                    (self._state / REVIEWED / name).unlink()

    def _put(self, path: Path, data: bytes) -> None:
        temporaries = os.fsencode(self._state / "blobs" / "tmp")
        try:
            disk.put_in_place(os.fsencode(path), data, temporaries, sync=True)
        except OSError as error:
            hint = "check the permissions and the free space"
            raise BluelineError(f"{path} cannot be written: {error.strerror}", hint=hint) from error

    # The bytes that were reviewed

    def keep(self, files: Mapping[str, tuple[int, str]]) -> str:
        """Write down which files have which bytes; the digest of that."""
        lines = [f"{mode:o} {name} {path}\0" for path, (mode, name) in sorted(files.items())]
        data = "".join(lines).encode("utf-8", "surrogateescape")
        digest = hashlib.sha256(data).hexdigest()
        place = self._state / REVIEWED / digest
        if not place.exists():
            disk.make_folder(os.fsencode(place.parent))
            self._put(place, zlib.compress(data, 1))
        return digest

    def files(self, digest: str) -> dict[str, tuple[int, str]]:
        """The files of a review with their modes and bytes. Raises Unreadable."""
        place = self._state / REVIEWED / digest
        try:
            data = zlib.decompress(place.read_bytes())
        except FileNotFoundError as error:
            raise Unreadable(place, "it is missing") from error
        except OSError as error:
            raise Unreadable(place, error.strerror or "it cannot be read") from error
        except zlib.error as error:
            raise Unreadable(place, "it is damaged") from error
        if hashlib.sha256(data).hexdigest() != digest:
            raise Unreadable(place, "it is damaged")
        found = {}
        for line in data.decode("utf-8", "surrogateescape").split("\0")[:-1]:
            mode, name, path = line.split(" ", 2)
            found[path] = (int(mode, 8), name)
        return found

    # Trust

    def is_trusted(self, digest: str) -> bool:
        """Whether a person has let exactly these commands run."""
        return digest in self._trusted()

    def _trusted(self) -> dict[str, str]:
        try:
            found = json.loads((self._state / TRUSTED).read_bytes())
        except (OSError, ValueError):
            return {}  # nothing is trusted because something cannot be read
        return found if isinstance(found, dict) else {}

    def trust(self, digest: str, at: str) -> None:
        """Let these commands run from now on."""
        self._put(self._state / TRUSTED, json.dumps({**self._trusted(), digest: at}).encode())

    def distrust(self) -> None:
        """Let no command run until somebody has looked again."""
        (self._state / TRUSTED).unlink(missing_ok=True)

    # For readers of `loop-state.json`

    def export(self, document: Mapping[str, Any]) -> None:
        """Write the state of the loops in the shape that other programs know."""
        self._put(self._state / LOOP_STATE, json.dumps(document, indent=2).encode() + b"\n")


def _dumped(record: ReviewRecord) -> dict[str, Any]:
    return {
        "reviews": [
            {**asdict(one), "loops": {str(n): asdict(result) for n, result in one.loops.items()}}
            for one in record.reviews
        ],
        "overrides": [asdict(one) for one in record.overrides],
        "seconds": record.seconds,
    }


def _loaded(document: Mapping[str, Any]) -> ReviewRecord:
    return ReviewRecord(
        reviews=[
            Review(
                **{
                    **_exactly(Review, one),
                    "loops": {int(n): _result(result) for n, result in one["loops"].items()},
                }
            )
            for one in document["reviews"]
        ],
        overrides=[Override(**_exactly(Override, one)) for one in document["overrides"]],
        seconds={str(run): float(took) for run, took in document["seconds"].items()},
    )


def _result(value: Mapping[str, Any]) -> LoopResult:
    return LoopResult(run=_outcome(value["run"]), report=_outcome(value["report"]))


def _outcome(value: Mapping[str, Any] | None) -> LoopOutcome | None:
    if value is None:
        return None
    found = tuple(Finding(**_exactly(Finding, one)) for one in value["findings"])
    return LoopOutcome(
        **{**_exactly(LoopOutcome, value), "findings": found, "commands": tuple(value["commands"])}
    )


def _exactly(kind: type, value: Mapping[str, Any]) -> dict[str, Any]:
    """All fields of a kind: one that is missing is damage, not a default."""
    return {field.name: value[field.name] for field in fields(kind)}
