"""The gate's answer in `status`, kept for as long as everything it follows from is the same.

That is the journal up to its end, the project's config, whether agents are recorded, and that no review was
ever run. Without a review the gate is closed: so what is kept never opens it, whoever wrote it there.
"""

from __future__ import annotations

import json
import os

from blueline.contract import VERSION
from blueline.kernel import disk
from blueline.kernel.plain_file import NotPlain, read_plain

TYPE_CHECKING = False  # the typing module costs more than a short command has
if TYPE_CHECKING:
    from _typeshed import StrPath

    from blueline.contract.gate import GateSummary
    from blueline.contract.overview import RecordingDocument, StatusDocument

NAME = "status.json"
CONFIG = ".blueline/config.toml"
REVIEWS, DAMAGE = "reviews", "damage.json"

Mark = tuple[int, tuple[int, str] | None]
"""How far the journal was read, and its last event."""


def keep(root: StrPath, state: StrPath, mark: Mark, document: StatusDocument) -> None:
    """Keep an answer, if it follows from nothing else."""
    if document["warnings"] or document["gate"]["open"] or document["gate"]["override"]:
        return
    basis = _basis(root, state, mark, document["recording"])
    if basis is None:
        return
    place = os.path.join(state, NAME)
    data = json.dumps([basis, document["gate"], document["reviews"]]).encode()
    try:
        if read_plain(place) == data:
            return
    except OSError:
        pass  # there is none yet, or none that can be read
    import contextlib  # a short command has no time for it

    with contextlib.suppress(OSError):  # on a full disk it is worked out again next time
        disk.put_in_place(os.fsencode(place), data, os.fsencode(os.path.join(state, "blobs", "tmp")))


def kept(
    root: StrPath, state: StrPath, mark: Mark, recording: RecordingDocument
) -> tuple[GateSummary, bool] | None:
    """The answer, and whether reviews are set up; None if somebody has to work it out."""
    try:
        basis, gate, reviews = json.loads(read_plain(os.path.join(state, NAME)))
    except (OSError, ValueError, TypeError):
        return None
    now = _basis(root, state, mark, recording)
    if now is None or basis != json.loads(json.dumps(now)) or gate.get("open") is not False:
        return None
    return gate, bool(reviews)


def _basis(root: StrPath, state: StrPath, mark: Mark, recording: RecordingDocument) -> list[object] | None:
    """What the answer follows from; None if there is more to it."""
    if any(os.path.exists(os.path.join(state, name)) for name in (REVIEWS, DAMAGE)):
        return None
    try:
        config = disk.blob_id(read_plain(os.path.join(root, CONFIG)))
    except NotPlain:
        return None
    except OSError:
        config = ""
    return [VERSION, mark, config, recording]
