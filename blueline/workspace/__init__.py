"""The person's own files."""
