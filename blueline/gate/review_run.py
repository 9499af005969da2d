"""A review: loop after loop, each only if the one before passed, and every result written down at once."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk import Desk
from blueline.errors import BluelineError
from blueline.gate.command_run import Ended, run
from blueline.gate.findings import (
    LARGEST_DOCUMENT,
    LONGEST_MESSAGE,
    MOST_FINDINGS,
    cut,
    in_document,
    understood,
)
from blueline.kernel.plain_file import read_plain
from blueline.model.loop import ERROR, LOOPS, NAMES, WARNING, Finding, LoopCommand, LoopOutcome

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument
    from blueline.contract.reviews import ReviewDocument, ReviewEvent, ReviewPlan

Tell = Callable[["ReviewEvent"], None]
OpenDesk = Callable[[], AbstractContextManager[Desk]]

FILES = "{files}"
LONGEST_LIST = 100_000
"""Characters of file names that one command gets; for more it is run again."""
_ERROR = re.compile(r"\berror: ", re.IGNORECASE)

WIDE = {"COLUMNS": "400"}
"""Tools cut what they say at the edge of a terminal, and there is none."""


class NotTrusted(BluelineError):
    """Nobody has let these commands run."""


class ReviewRequest(NamedTuple):
    """What somebody wants reviewed."""

    loops: tuple[int, ...] = LOOPS
    scope: str = "changed"
    """changed, all or paths."""
    paths: tuple[str, ...] = ()


def wish_of(loops: str, scope: Sequence[str]) -> ReviewRequest:
    """What the words of a command mean."""
    numbers = []
    for word in loops.split(","):
        if word.strip() not in map(str, LOOPS):
            raise BluelineError(f"there is no loop {word.strip()!r}", hint="for example: --loops 1,2")
        numbers.append(int(word))
    if list(scope) in ([], ["changed"], ["all"]):
        return ReviewRequest(tuple(sorted(set(numbers))), (*scope, "changed")[0])
    return ReviewRequest(tuple(sorted(set(numbers))), "paths", tuple(scope))


def preview(open_desk: OpenDesk, wish: ReviewRequest) -> ReviewPlan:
    """What a review would do."""
    with open_desk() as desk:
        return desk.gatekeeper.plan(wish.loops, wish.scope, wish.paths)


class ReviewRun:
    """The commands of a review, one after the other, and what is recorded of each."""

    def __init__(
        self,
        open_desk: OpenDesk,
        wish: ReviewRequest,
        *,
        by: str,
        environ: Mapping[str, str],
        tell: Tell = lambda event: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._open = open_desk
        self._wish = wish
        self._by = by
        self._environ = environ
        self._tell = tell
        self._is_stopped = is_stopped

    def run(self) -> ReviewDocument:
        """Run the loops; the gate's answer, with what was done."""
        plan = preview(self._open, self._wish)
        if not plan["trusted"]:
            raise NotTrusted(
                "the commands of these loops are not trusted yet",
                hint="look at them: blueline review --preview, then: blueline trust",
            )
        with self._open() as desk:
            root, policy = desk.root, desk.gatekeeper.policy
            # Beside the files it would change the tree that is being reviewed.
            self._environ = {"PYTHONPYCACHEPREFIX": str(desk.state / "pycache"), **self._environ, **WIDE}
            gate = desk.gatekeeper.gate()
        if policy.digest != plan["config"]:
            raise BluelineError("the config changed just now", hint="start the review again")
        done: list[int] = []
        for number in self._wish.loops:
            loop = policy.loops[number]
            if loop.skip:
                self._tell({"event": "loop-skipped", "loop": number, "name": NAMES[number], "why": loop.skip})
                continue
            if loop.commands:
                gate = self._loop(number, loop.commands, root, plan)
                done.append(number)
            answer = gate["loops"][number - 1]
            if not answer["passed"]:
                if not loop.commands or answer["state"] == "unreported":
                    self._tell({"event": "loop-waits", "loop": number, "name": NAMES[number]})
                break
        return {
            "ran": done,
            "gate": gate,
            "passed": all(gate["loops"][n - 1]["passed"] for n in self._wish.loops)
            and any(loop["state"] != "skipped" for loop in gate["loops"]),
        }

    def _loop(
        self, number: int, commands: Sequence[LoopCommand], root: Path, plan: ReviewPlan
    ) -> GateDocument:
        self._tell({"event": "loop-started", "loop": number, "name": NAMES[number]})
        findings: list[Finding] = []
        seconds: dict[str, float] = {}
        passed = True
        for command in commands:
            self._tell({"event": "command-started", "loop": number, "run": command.run})
            ended, found = self._command(command, root, plan)
            seconds[command.run] = round(ended.seconds, 3)
            is_good = ended.passed and not any(one.severity == ERROR for one in found)
            findings += found
            passed = passed and is_good
            self._tell(
                {
                    "event": "command-ended",
                    "loop": number,
                    "run": command.run,
                    "passed": is_good,
                    "code": ended.code,
                    "why": ended.why,
                    "seconds": seconds[command.run],
                }
            )
            if self._is_stopped():
                raise KeyboardInterrupt
        outcome = LoopOutcome(
            passed=passed,
            at=_now(),
            by=self._by,
            findings=tuple(findings[:MOST_FINDINGS]),
            dropped=max(len(findings) - MOST_FINDINGS, 0),
            scope=plan["scope"],
            covers=plan["covers"],
            seconds=sum(seconds.values()),
            commands=tuple(one.run for one in commands),
        )
        with self._open() as desk:
            gate = desk.gatekeeper.ran(number, outcome, plan, seconds)
        answer = gate["loops"][number - 1]
        self._tell(
            {
                "event": "loop-ended",
                "loop": number,
                "name": NAMES[number],
                "passed": passed and answer["state"] != "failed",
                "issues": answer["issues"],
            }
        )
        return gate

    def _command(self, command: LoopCommand, root: Path, plan: ReviewPlan) -> tuple[Ended, list[Finding]]:
        before = _stamp(root / command.results) if command.results else None
        top = Path(plan["top"])
        environ = {**self._environ, "BLUELINE_SCOPE": plan["scope"]}
        ended, found = Ended(0, 0.0, ""), list[Finding]()
        for words in spelled(command.run, [os.path.relpath(top / path, root) for path in plan["files"]]):
            ended = run(
                words,
                str(root),
                command.seconds,
                environ=environ,
                tell=lambda line: self._tell({"event": "line", "text": line}),
                is_stopped=self._is_stopped,
            )
            found += judged(ended, command.run, str(root))
            if not ended.passed:
                break
        if command.results:
            found += results(root / command.results, before, command, str(root))
        return ended, found


def judged(ended: Ended, source: str, root: str) -> list[Finding]:
    """What a command found. Its exit code decides; that it failed is always said."""
    found = understood(ended.output, root, source)
    if ended.passed:
        # A test may well print what looks like an error. A document of findings says what it means.
        is_document = ended.output.lstrip()[:1] in ("{", "<")
        return found if is_document else [_as_warning(one) for one in found]
    if not any(one.severity == ERROR for one in found):
        lines = [line.strip() for line in ended.output.splitlines() if line.strip()]
        said = [line for line in lines if _ERROR.search(line)] or lines
        last = f": {said[-1]}" if said else ""
        why = ended.why or f"it gave {ended.code}"
        message = cut(f"{source}: {why}{last}", LONGEST_MESSAGE)
        found.append(Finding(severity=ERROR, message=message, source=source))
    return found


def _as_warning(found: Finding) -> Finding:
    from dataclasses import replace

    return replace(found, severity=WARNING)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def results(path: Path, before: tuple[int, int] | None, command: LoopCommand, root: str) -> list[Finding]:
    """What a command wrote into its file of results. One that cannot be understood is no good sign."""
    wrong = ""
    if _stamp(path) in (None, before):
        wrong = f"{command.results} was not written"
    elif path.is_symlink() or not path.is_file() or not path.resolve().is_relative_to(Path(root).resolve()):
        wrong = f"{command.results} is not a file of the project"
    elif path.stat().st_size > LARGEST_DOCUMENT:
        wrong = f"{command.results} is too large to be read"
    else:
        found = in_document(read_plain(path), root, command.run)
        if found is not None:
            return found
        wrong = f"{command.results} is neither SARIF nor JUnit XML"
    return [Finding(severity=ERROR, message=wrong, source=command.run)]


def spelled(command: str, files: Sequence[str]) -> Iterator[str]:
    """The command with the files in scope in their place: once, several times if they are many, or never."""
    if FILES not in command:
        yield command
        return
    batch: list[str] = []
    size = 0
    for path in files:
        word = shlex.quote(f"./{path}" if path.startswith("-") else path)
        if batch and size + len(word) > LONGEST_LIST:
            yield command.replace(FILES, " ".join(batch))
            batch, size = [], 0
        batch.append(word)
        size += len(word) + 1
    if batch:
        yield command.replace(FILES, " ".join(batch))


def reported(
    open_desk: OpenDesk, number: int, *, passed: bool, issues: Sequence[str], by: str
) -> GateDocument:
    """What an agent reports of a loop; the gate's answer after it."""
    found = tuple(issue(text, by) for text in issues)
    if passed and any(one.severity == ERROR for one in found):
        raise BluelineError(
            "a loop with errors has not passed", hint="use --failed, or --issue warning:… for lesser things"
        )
    if not passed and not found:
        found = (Finding(severity=ERROR, message="reported as failed, without a reason", source=by),)
    outcome = LoopOutcome(passed=passed, at=_now(), by=by, findings=found[:MOST_FINDINGS])
    with open_desk() as desk:
        return desk.gatekeeper.reported(number, outcome)


def issue(text: str, source: str) -> Finding:
    """An issue as it is typed: [error:|warning:][FILE:LINE:] MESSAGE."""
    severity, rest = ERROR, text.strip()
    for name in (ERROR, WARNING):
        if rest.lower().startswith(f"{name}:"):
            severity, rest = name, rest[len(name) + 1 :].strip()
    parts = rest.split(":", 2)
    if len(parts) == 3 and parts[1].isdecimal() and len(parts[1]) < 9 and parts[0] and " " not in parts[0]:
        return Finding(
            severity=severity,
            message=cut(parts[2].strip(), LONGEST_MESSAGE),
            file=parts[0],
            line=int(parts[1]),
            source=source,
        )
    return Finding(severity=severity, message=cut(rest, LONGEST_MESSAGE), source=source)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
