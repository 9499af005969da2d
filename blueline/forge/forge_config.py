"""The `[forge]` part of the project's config.

The address of the host is not among it: whoever could change that would be sent the token.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from blueline.errors import BluelineError
from blueline.forge.comment_sizes import USUAL_MOST
from blueline.model.risk import LEVELS, PATHS, USUAL, Level, RiskRules

Mode = Literal["suggest-only", "suggest-and-commit", "commit-only", "hybrid"]
MODES: tuple[Mode, ...] = ("suggest-only", "suggest-and-commit", "commit-only", "hybrid")
CONFIG = ".blueline/config.toml"
MOST_PER_COMMENT = 100


class ForgeConfigUnusable(BluelineError):
    """What is wrong with the config."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgeSettings:
    """How this project wants its suggestions."""

    default_mode: Mode = "suggest-only"
    risk_threshold: Level = "high"
    """In the mode hybrid, what has at least this risk is suggested, and the rest is committed."""
    max_per_comment: int = USUAL_MOST
    show_rationale: bool = True
    pull_suggestions: bool = True
    rules: RiskRules = field(default_factory=RiskRules)


KEYS = (
    "defaultMode",
    "riskThreshold",
    "maxSuggestionsPerComment",
    "showRationale",
    "enablePRSuggestions",
    "risk",
    "paths",
    "manyLines",
    "manyFiles",
)


def read(text: bytes) -> ForgeSettings:
    """The settings that a config holds; the usual ones where it says nothing."""
    import tomllib

    try:
        document = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _unusable(f"it is not valid TOML ({error})") from error
    forge = document.get("forge", {})
    if not isinstance(forge, dict):
        raise _unusable("[forge] must be a table")
    unknown = forge.keys() - set(KEYS)
    if unknown:
        raise _unusable(f"[forge] has no {sorted(unknown)[0]!r}")
    usual = ForgeSettings()
    return ForgeSettings(
        default_mode=_choice(forge, "defaultMode", MODES, usual.default_mode),
        risk_threshold=_choice(forge, "riskThreshold", LEVELS, usual.risk_threshold),
        max_per_comment=_count(forge, "maxSuggestionsPerComment", usual.max_per_comment, MOST_PER_COMMENT),
        show_rationale=_flag(forge, "showRationale", usual.show_rationale),
        pull_suggestions=_flag(forge, "enablePRSuggestions", usual.pull_suggestions),
        rules=RiskRules(
            levels={**USUAL, **_levels(forge)},
            paths={**PATHS, **_paths(forge)},
            many_lines=_count(forge, "manyLines", usual.rules.many_lines),
            many_files=_count(forge, "manyFiles", usual.rules.many_files),
        ),
    )


def _unusable(why: str) -> ForgeConfigUnusable:
    return ForgeConfigUnusable(
        f"{CONFIG} cannot be used: {why}", hint="see docs/github.md for what it may hold"
    )


def _choice(forge: Mapping[str, Any], key: str, choices: tuple[Any, ...], usual: Any) -> Any:
    value = forge.get(key, usual)
    if value not in choices:
        raise _unusable(f"{key} must be one of {', '.join(choices)}")
    return value


def _count(forge: Mapping[str, Any], key: str, usual: int, most: int | None = None) -> int:
    value = forge.get(key, usual)
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or value < 1
        or (most is not None and value > most)
    ):
        raise _unusable(f"{key} must be a number from 1" + (f" to {most}" if most is not None else ""))
    return value


def _flag(forge: Mapping[str, Any], key: str, usual: bool) -> bool:
    value = forge.get(key, usual)
    if not isinstance(value, bool):
        raise _unusable(f"{key} must be true or false")
    return value


def _levels(forge: Mapping[str, Any]) -> dict[str, Level]:
    found = _table(forge, "risk")
    for rule, level in found.items():
        if rule not in USUAL:
            raise _unusable(f"there is no rule {rule!r}; the rules are {', '.join(USUAL)}")
        if level not in LEVELS:
            raise _unusable(f"the level of {rule} must be one of {', '.join(LEVELS)}")
    return found


def _paths(forge: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    found = _table(forge, "paths")
    for rule, patterns in found.items():
        if rule not in PATHS:
            raise _unusable(f"{rule!r} does not go by paths; these do: {', '.join(PATHS)}")
        if not isinstance(patterns, list) or not all(isinstance(one, str) and one for one in patterns):
            raise _unusable(f'the paths of {rule} must be a list of patterns such as "src/auth/*"')
    return {rule: tuple(patterns) for rule, patterns in found.items()}


def _table(forge: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = forge.get(key, {})
    if not isinstance(value, dict):
        raise _unusable(f"[forge.{key}] must be a table")
    return value
