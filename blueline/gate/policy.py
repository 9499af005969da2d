"""What a commit's own config asks for, read without a desk: whoever verifies has none."""

from __future__ import annotations

import tomllib

from blueline.desk.gate.gatekeeper import digest_of as digest_of


def digest_in(text: bytes) -> str:
    """The digest of the part of a config that reviews are bound to."""
    return digest_of(tomllib.loads(text.decode()).get("review", {}))
