"""Reviews on the command line: the preview, the question, the run as it happens; reports of agents; trust."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from blueline.desk import Desk
from blueline.errors import DONE, FAILED, BluelineError
from blueline.surfaces.cli.gate_commands import answered
from blueline.surfaces.cli.phrases import count, hint
from blueline.surfaces.cli.request import Request, UsageError, joined, write
from blueline.surfaces.cli.terminal import Screen, fitted, safe, visible

if TYPE_CHECKING:
    from blueline.contract.reviews import (
        LoopReported,
        ReviewDocument,
        ReviewedEvent,
        ReviewEvent,
        ReviewPlan,
        TrustDocument,
    )

MOST_FILES = 10


def review(request: Request) -> int:
    from blueline.desk.people import name_of
    from blueline.gate.review_run import ReviewRun, preview, wish_of

    given = request.arguments
    wish = wish_of(given.loops, [*given.scope, *given.paths])

    def open_desk() -> AbstractContextManager[Desk]:
        return request.desk()

    plan = preview(open_desk, wish)
    if given.preview:
        return request.answer(plan, previewed)
    if not given.events and not request.is_json:
        write(joined(previewed(plan, request.screen(sys.stdout))))
    if not _is_wanted(request, plan):
        return DONE
    screen = request.screen(sys.stderr if request.is_json else sys.stdout)
    progress = _Progress(screen)

    def tell(event: ReviewEvent) -> None:
        if given.events:
            write(json.dumps(event) + "\n")
        elif not request.is_json:
            progress.tell(event)

    for one in (signal.SIGTERM, signal.SIGHUP):
        # Whoever ends this wants all of it ended.
        signal.signal(one, signal.default_int_handler)
    done = ReviewRun(open_desk, wish, by=name_of(os.environ), environ=os.environ, tell=tell).run()
    code = DONE if done["passed"] else FAILED
    if given.events:
        last: ReviewedEvent = {"event": "reviewed", **done}
        write(json.dumps(last) + "\n")
        return code
    return request.answer(done, reviewed, code=code)


def _is_wanted(request: Request, plan: ReviewPlan) -> bool:
    """Whether the person wants it, having seen it. Commands that nobody trusts yet are asked about too."""
    is_here = sys.stdin is not None and sys.stdin.isatty() and not request.is_json
    given = request.arguments
    if not plan["trusted"]:
        if not is_here:
            from blueline.gate.review_run import NotTrusted

            raise NotTrusted(
                "the commands of these loops are not trusted yet",
                hint="look at them: blueline review --preview, then: blueline trust",
            )
        if not _asked("These commands are new here. Let them run from now on? [y/N] "):
            return False
        _trust_now(request, plan["config"])
    if given.yes or given.events:
        return True
    if not is_here:
        raise UsageError(
            "a review runs commands, and nobody is here to be asked",
            hint="say --yes if you mean it, or --preview to see what would be run",
        )
    return _asked("Proceed with review? [y/N] ")


def _asked(question: str) -> bool:
    write(question, sys.stderr)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    write("Nothing was run.\n", sys.stderr)
    return False


def _trust_now(request: Request, digest: str) -> None:
    from blueline.desk.people import must_be_a_person

    must_be_a_person(os.environ, "trust commands")
    with request.desk() as desk:
        desk.gatekeeper.trust(digest)


def trust(request: Request) -> int:
    from blueline.desk.people import must_be_a_person
    from blueline.gate.review_run import preview, wish_of

    given = request.arguments
    must_be_a_person(os.environ, "say which commands are trusted")
    if given.forget:
        with request.desk() as desk:
            desk.gatekeeper.distrust()
        forgot: TrustDocument = {"trusted": False}
        return request.answer(forgot, lambda d, s: ["Nothing is trusted any more."])
    plan = preview(request.desk, wish_of("1,2,3,4", ()))
    if not given.digest:
        if sys.stdin is None or not sys.stdin.isatty():
            raise UsageError(
                "nobody is here to be asked",
                hint=f"look at: blueline review --preview, then: blueline trust {plan['config']}",
            )
        write(joined(previewed(plan, request.screen(sys.stderr))), sys.stderr)
        if not _asked("Let exactly these commands run? [y/N] "):
            return DONE
    if given.digest and given.digest != plan["config"]:
        raise BluelineError(
            "the loops are not those that were looked at", hint="look again: blueline review --preview"
        )
    with request.desk() as desk:
        desk.gatekeeper.trust(plan["config"])
    trusted: TrustDocument = {"trusted": True, "config": plan["config"]}
    return request.answer(trusted, lambda d, s: ["These commands may run.", hint("blueline review", s)])


def loop(request: Request) -> int:
    from blueline.desk.people import must_be_a_person, name_of
    from blueline.gate.review_run import reported

    given = request.arguments
    number = int(given.number)
    if given.passed:
        with request.desk() as desk:
            is_skipped = bool(desk.gatekeeper.policy.loops[number].skip)
        if is_skipped:  # nothing else looks then, so somebody has to
            must_be_a_person(os.environ, "say that a loop was done that is skipped")
    gate = reported(request.desk, number, passed=given.passed, issues=given.issues, by=name_of(os.environ))
    found = gate["loops"][number - 1]

    def draw(document: LoopReported, screen: Screen) -> Iterator[str]:
        yield f"loop {number} is recorded as {'passed' if given.passed else 'failed'}"
        if given.passed and not found["passed"]:
            missing = {"commands": "its commands have not been run", "report": "a report is missing"}
            why = ", ".join(missing[one] for one in found["needs"]) or f"it is {found['state']}"
            yield f"  it has not passed yet: {why}"
        yield hint("blueline gate says what else is missing", screen)

    reported_now: LoopReported = {"recorded": found, "gate": gate}
    return request.answer(reported_now, draw)


# What is shown


def previewed(plan: ReviewPlan, screen: Screen) -> Iterator[str]:
    """What a review would do."""
    files = plan["files"]
    yield f"{screen.paint('Review', 'heading')} of {count(len(files), 'file')} ({safe(plan['scope'])})"
    for path in files[:MOST_FILES]:
        yield f"    {safe(path)}"
    if len(files) > MOST_FILES:
        yield f"    and {len(files) - MOST_FILES:,} more"
    for one in plan["loops"]:
        yield f"  loop {one['loop']}  {screen.paint(safe(one['name']), 'heading')}"
        if one["skip"]:
            yield f"    {screen.paint('skipped', 'warn')}: {safe(one['skip'])}"
            continue
        for command in one["commands"]:
            took = f"{command['last']:.1f} s last time" if command["last"] is not None else "never run here"
            yield f"    $ {visible(command['run'], tabs=True)}  {screen.paint(f'({took})', 'dim')}"
        if one["report"]:
            yield "    an agent's report"
    if not plan["covers"]:
        yield screen.paint("  some changed files are not in this scope: the gate stays closed", "warn")
    if not plan["trusted"]:
        yield screen.paint(f"  not trusted yet: {safe(plan['config'])}", "warn")


class _Progress:
    """What happens, as it happens."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._is_drawn = False

    def tell(self, event: ReviewEvent) -> None:
        screen = self._screen
        if event["event"] == "line":
            if screen.watched:
                self._draw(f"      {fitted(visible(event['text']), screen.width - 8)}")
            return
        self._clear()
        match event["event"]:
            case "loop-started":
                self._say(f"loop {event['loop']}  {event['name']}")
            case "loop-skipped":
                self._say(f"loop {event['loop']}  skipped: {visible(event['why'])}")
            case "loop-waits":
                self._say(f"loop {event['loop']}  {event['name']}: waits for an agent's report")
            case "command-started":
                if screen.watched:
                    self._draw(f"    … {fitted(visible(event['run']), screen.width - 8)}")
            case "command-ended":
                mark = screen.paint("ok", "good") if event["passed"] else screen.paint("failed", "bad")
                why = f" ({safe(event['why'])})" if event["why"] else ""
                self._say(f"    {mark}  {visible(event['run'])}{why}  {event['seconds']:.1f} s")
            case "loop-ended":
                style = "good" if event["passed"] else "bad"
                self._say(f"  {screen.paint('passed' if event['passed'] else 'failed', style)}")
            case _:
                pass

    def _draw(self, line: str) -> None:
        self._clear()
        write(line)
        self._is_drawn = True

    def _clear(self) -> None:
        if self._is_drawn:
            write("\r\x1b[K")
            self._is_drawn = False

    def _say(self, line: str) -> None:
        write(line + "\n")


def reviewed(document: ReviewDocument, screen: Screen) -> Iterator[str]:
    """The issues of a review, then the gate."""
    for one in document["gate"]["loops"]:
        for issue in one["issues"]:
            place = f"{issue['file']}:{issue.get('line', '')}: " if issue.get("file") else ""
            style = "bad" if issue["severity"] == "error" else "warn"
            yield f"  {screen.paint(safe(issue['severity']), style)} {safe(place)}{safe(issue['message'])}"
    yield "gate:"
    yield from (f"  {line}" for line in answered(document["gate"], screen))
