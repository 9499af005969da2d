"""What a person chose about what builds on a change that is rejected: for all files, or for single ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from blueline.model.dependents import Dependents, FileChoice


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The choice for all files, and those for single files, by path."""

    dependents: Dependents = "ask"
    files: Mapping[str, FileChoice] = field(default_factory=dict)

    def leaves(self, path: str) -> bool:
        """Whether nothing is to be done about a file."""
        return self.files.get(path) == "keep"

    def of(self, path: str) -> Dependents:
        """What is to be done about what builds on a change in a file."""
        match self.files.get(path):
            case "anyway":
                return "with"
            case "alone":
                return "keep"
            case _:
                return self.dependents


ASK = Choices()
"""Nothing was chosen yet."""
