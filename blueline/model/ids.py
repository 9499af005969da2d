"""Names of things."""

from typing import NewType

BlobId = NewType("BlobId", str)
"""Bytes named by their hash: 40 hexadecimal digits."""
