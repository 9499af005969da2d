"""The append-only log, and what can be rebuilt from it."""
