"""Bytes that were seen or written, each kept once and found by its hash."""
