"""What a project's config says about reviews, made of the plain values that TOML gives."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from blueline.model.loop import LOOPS, USUAL_SECONDS, Loop, LoopCommand, Policy

LONGEST_COMMAND = 4_000
MOST_COMMANDS = 50
MOST_SECONDS = 24 * 3600


class PolicyUnusable(ValueError):
    """What is wrong with the config."""


def policy_of(document: Mapping[str, Any]) -> Policy:
    """The `[review]` part of a config."""
    table = document.get("review", {})
    if not isinstance(table, dict):
        raise PolicyUnusable("[review] must be a table")
    _known(table, {"loops", "shipped"}, "[review]")
    loops = table.get("loops", {})
    if not isinstance(loops, dict):
        raise PolicyUnusable("[review.loops] must be a table, with loops 1 to 4 in it")
    unknown = sorted(set(loops) - {str(n) for n in LOOPS})
    if unknown:
        raise PolicyUnusable(f"there is no loop {unknown[0]!r}; they are 1, 2, 3 and 4")
    return Policy(
        loops={n: _loop(n, loops.get(str(n), {})) for n in LOOPS},
        shipped=_texts(table.get("shipped", []), "[review] shipped"),
        digest=digest_of(table),
    )


def digest_of(table: object) -> str:
    """The name of exactly this content."""
    plain = json.dumps(table, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(plain.encode()).hexdigest()


def _loop(number: int, table: object) -> Loop:
    where = f"[review.loops.{number}]"
    if not isinstance(table, dict):
        raise PolicyUnusable(f"{where} must be a table")
    _known(table, {"commands", "timeout", "report", "skip"}, where)
    seconds = _seconds(table.get("timeout", USUAL_SECONDS), where)
    commands = table.get("commands", [])
    if not isinstance(commands, list) or len(commands) > MOST_COMMANDS:
        raise PolicyUnusable(f"{where} commands must be a list of at most {MOST_COMMANDS} commands")
    report, skip = table.get("report", False), table.get("skip", "")
    if not isinstance(report, bool):
        raise PolicyUnusable(f"{where} report must be true or false")
    if not isinstance(skip, str):
        raise PolicyUnusable(f"{where} skip must be a text that says why")
    return Loop(
        number=number,
        commands=tuple(_command(one, seconds, where) for one in commands),
        report=report,
        skip=skip.strip(),
    )


def _command(value: object, seconds: int, where: str) -> LoopCommand:
    table = {"run": value} if isinstance(value, str) else value
    if not isinstance(table, dict):
        raise PolicyUnusable(f'{where} commands holds texts, or tables such as {{ run = "make test" }}')
    _known(table, {"run", "timeout", "results"}, f"a command of {where}")
    run, results = table.get("run"), table.get("results", "")
    if not isinstance(run, str) or not run.strip() or len(run) > LONGEST_COMMAND or "\0" in run:
        raise PolicyUnusable(f"a command of {where} must be a text of at most {LONGEST_COMMAND} characters")
    if not isinstance(results, str) or results.startswith("/") or ".." in results.split("/"):
        raise PolicyUnusable(f"results in {where} must be a path inside the project")
    return LoopCommand(
        run=run.strip(), seconds=_seconds(table.get("timeout", seconds), where), results=results
    )


def _seconds(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= MOST_SECONDS:
        raise PolicyUnusable(f"timeout in {where} must be a number of seconds, {MOST_SECONDS} at most")
    return value


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise PolicyUnusable(f"{where} must be a list of patterns")
    return tuple(value)


def _known(table: Mapping[str, Any], keys: set[str], where: str) -> None:
    unknown = sorted(set(table) - keys)
    if unknown:
        raise PolicyUnusable(f"{where} has no {unknown[0]!r}")
