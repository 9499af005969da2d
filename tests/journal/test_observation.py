"""What the recorder wrote down, read again."""

from __future__ import annotations

import pytest

from blueline.hook import recorder
from blueline.journal.observation import Observation, ObservationUnreadable, parse
from blueline.model.file_state import Absent, FileState, Link, Other, Regular, Unknown
from blueline.model.ids import BlobId

BLOB = BlobId("ab" * 20)


class TestObservations:
    @pytest.mark.parametrize(
        ("line", "state"),
        [
            (b"state file 644 12 " + BLOB.encode(), Regular(mode=0o644, size=12, blob=BLOB)),
            (b"state link ../a\\nb \\\\", Link(target="../a\nb \\")),
            (b"state absent", Absent()),
            (b"state absent ", Absent()),
            (b"state absent src/new folder", Absent(missing_folder="src/new folder")),
            (b"state other 10644", Other(mode=0o10644)),
            (b"state unknown cannot-read EACCES", Unknown(why="cannot-read EACCES")),
        ],
    )
    def test_every_state_is_read(self, line: bytes, state: FileState) -> None:
        payload = recorder.compose(
            7, "codex", "Stop", b"hold", [b"path a", line, b"stat 1 2 3 4 5"], b"raw\n\nraw"
        )
        assert parse(payload) == Observation(
            at_ns=7,
            agent="codex",
            event="Stop",
            mode="hold",
            path="a",
            outside=None,
            state=state,
            stat=(1, 2, 3, 4, 5),
            looks=(),
            tree=None,
            changes_blob=None,
            process=None,
            raw=b"raw\n\nraw",
            raw_blob=None,
        )

    def test_a_payload_in_the_blob_store(self) -> None:
        seen = parse(recorder.compose(7, "codex", None, b"review", [b"outside /x"], BLOB))
        assert (seen.event, seen.outside, seen.raw, seen.raw_blob) == (None, "/x", None, BLOB)

    def test_lines_of_a_later_version_are_passed_over(self) -> None:  # QC17
        payload = recorder.compose(
            7, "codex", None, b"review", [b"path a", b"colour blue", b"state sold"], b""
        )
        state = parse(payload).state
        assert isinstance(state, Unknown)

    @pytest.mark.parametrize(
        "payload",
        [
            b"",
            b"{}",
            b"blueline-observation 2\nat 1\nagent a\nmode review\n\n",
            b"blueline-observation 1\n\n",
            b"blueline-observation 1\nat noon\nagent a\nmode review\n\n",
            b"blueline-observation 1\nat 1\nagent a\nmode review\nstate file x y z\n\n",
        ],
    )
    def test_what_is_no_observation_is_an_error_with_a_hint(self, payload: bytes) -> None:
        with pytest.raises(ObservationUnreadable) as caught:
            parse(payload)
        assert caught.value.hint
