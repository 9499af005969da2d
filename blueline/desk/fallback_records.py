"""What hooks had to write elsewhere because they could not write into the state folder, taken over."""

import os
from pathlib import Path

from blueline.blobs.store import Blobs
from blueline.journal.frames import OBSERVATION, Frame
from blueline.journal.log import Journal
from blueline.kernel import project_folder


def adopt_fallbacks(root: Path, blobs: Blobs, journal: Journal) -> list[str]:
    """Move the records and contents of a project into its state folder; what there is to say of that."""
    warnings = []
    for name in project_folder.fallbacks(os.fsencode(root)):
        folder = Path(os.fsdecode(name))
        if not project_folder.is_private(name) or not (folder / "journal").exists():
            continue
        blobs.adopt(folder / "blobs")
        # A record whose write was not known to succeed may stand in both places.
        known = {found.payload for found in journal.read() if isinstance(found, Frame)}
        count = 0
        for found in Journal(folder / "journal").read():
            if isinstance(found, Frame) and found.kind == OBSERVATION and found.payload not in known:
                journal.append(OBSERVATION, found.payload)
                count += 1
        (folder / "journal").unlink()
        warnings.append(
            f"{count} records could not be written to the state folder and were kept elsewhere; "
            "they are taken over now, later than they happened"
        )
    return warnings
