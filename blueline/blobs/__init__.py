"""Content by hash."""
