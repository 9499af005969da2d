"""What became of an edit."""

from dataclasses import dataclass

from blueline.errors import BluelineError


class EditRefused(BluelineError):
    """The edit cannot be made: the message says why, in words an agent can act on. Nothing was written."""


class StreamOver(BluelineError):
    """Nothing more can be written to a stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an edit that was not refused. As text, a sentence for the model."""

    path: str
    """Relative to the project's root."""
    call: str
    """The id of the call, as given or made up."""
    landed: bool
    """The file holds it now."""
    held: bool = False
    """It is a proposal: the file is unchanged until somebody accepts it."""
    cell: str = ""
    """The id of a cell that was added, in notebooks that have ids."""
    complete: bool = True
    """False for a stream that was cut short."""

    def __str__(self) -> str:
        if self.held:
            return (
                f"{self.path} was not changed. The edit is a proposal now: a person will accept or reject "
                f"it. Do not try it again, or in another way.{self._new_cell}"
            )
        if not self.complete:
            return f"{self.path} holds as much as arrived."
        return f"{self.path} was changed.{self._new_cell}"

    @property
    def _new_cell(self) -> str:
        return f" The new cell is {self.cell}." if self.cell else ""
