"""The last proof of what AI agents do to your files."""

# Nothing is imported here: every hook process pays for this file.
__version__ = "0.1.0"
