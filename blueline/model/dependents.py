"""What a person can choose about what builds on a change that is rejected."""

from typing import Literal, get_args

Dependents = Literal["ask", "with", "keep"]
"""Ask about it, take it back as well, or leave it as it is."""

FileChoice = Literal["anyway", "alone", "keep"]
"""For one file: take it back with what builds on it, take it back without that, or leave it."""

FILE_CHOICES: tuple[FileChoice, ...] = get_args(FileChoice)
