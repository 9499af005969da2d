"""Names of files that hold secrets."""

from __future__ import annotations

import pytest

from blueline.model.secret import is_secret


@pytest.mark.parametrize(
    "path", [".env", "a/.env", ".env.local", "prod.env", "k.pem", "id_ed25519", ".ssh/config", "SECRETS.yaml"]
)
def test_names_of_secrets(path: str) -> None:
    assert is_secret(path)


@pytest.mark.parametrize(
    "path", ["env.py", ".env.example", "monkey.py", "id_rsa.pub", "secretary.md", "src/a.py"]
)
def test_names_of_no_secrets(path: str) -> None:
    assert not is_secret(path)
