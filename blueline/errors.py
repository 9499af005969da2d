"""The base of all errors a person can put right, and the exit codes."""

DONE = 0
FAILED = 1
USAGE = 2
BUG = 3
CHOICE_NEEDED = 4
"""Others build on it, or the file has moved on: nothing was written."""
GATE_CLOSED = 10
INTERRUPTED = 130


class BluelineError(Exception):
    """Something a person can put right. Anything else that escapes is a bug."""

    exit_code = FAILED

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
