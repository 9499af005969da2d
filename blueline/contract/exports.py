"""The review state for other programs."""

from typing import NotRequired, TypedDict


class PendingEdit(TypedDict):
    """An edit that is not decided, as `export --format pending-edits` writes it."""

    id: str
    timestamp: NotRequired[str]
    tool: str
    file_path: str
    """In full."""
    status: NotRequired[str]
    """pending."""
    old_string: NotRequired[str]
    """Of an edit."""
    new_string: NotRequired[str]
    content: NotRequired[str | None]
    """Of a write."""
    old_content: NotRequired[str | None]
    cell_id: NotRequired[str]
    """Of a cell of a notebook."""
    cell_index: NotRequired[int]
    """From zero."""
    cell_type: NotRequired[str]
    """Of a cell that is added or deleted."""
    cell_source: NotRequired[str]
    old_source: NotRequired[str | None]
    """Of a cell that is edited."""
    new_source: NotRequired[str | None]
