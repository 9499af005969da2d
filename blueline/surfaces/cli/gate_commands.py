"""The gate: asking it, overriding it, signing its answer and verifying a signed one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from blueline.desk.people import must_be_a_person, name_of
from blueline.errors import DONE, FAILED, GATE_CLOSED, BluelineError
from blueline.model.ids import OVERRIDE
from blueline.surfaces.cli.durations import until
from blueline.surfaces.cli.phrases import count, hint, moment, overridden, some
from blueline.surfaces.cli.request import Request, UsageError, joined, write
from blueline.surfaces.cli.terminal import Screen, safe

if TYPE_CHECKING:
    from blueline.contract.gate import DecidedDocument, GateDocument, ReasonDocument
    from blueline.contract.shipping import ContextDocument, OverrideMade
    from blueline.contract.statements import SignedDocument, VerifiedDocument

MOST_ABOUT = 5
MOST_ISSUES = 20
MOST_CLOSED = 3
"""Of many commits that may not go out, a few show what is wrong."""


def gate(request: Request) -> int:
    from blueline.desk.gate.fact_finder import GateQuestion

    given = request.arguments
    action = {"override": _override, "sign": _sign, "verify": _verify, "hook": _hook, "context": _context}
    if given.action is not None:
        return action[given.action](request)
    with request.desk() as desk:
        index = os.environ.get("GIT_INDEX_FILE", "")
        document = desk.gate(GateQuestion(given.commit, given.staged, index))
    draw = explained if given.explain else answered
    return request.answer(document, draw, code=DONE if document["open"] else GATE_CLOSED)


def _override(request: Request) -> int:
    given = request.arguments
    if not given.reason.strip() or not given.expires:
        raise UsageError(
            "an override needs a reason and an expiry",
            hint='blueline gate override --reason "…" --expires 2h',
        )
    must_be_a_person(os.environ, "override the gate")
    expires = until(given.expires, datetime.now(UTC))
    with request.desk() as desk:
        made = desk.gatekeeper.override(by=name_of(os.environ), reason=given.reason.strip(), expires=expires)
        document: OverrideMade = {**desk.gate(), "made": OVERRIDE.id(made.number)}
    return request.answer(document, answered)


def _commit(request: Request) -> str:
    words = request.arguments.words
    if len(words) > 1:
        raise UsageError("one commit, please", hint="see: blueline gate --help")
    return words[0] if words else "HEAD"


def _sign(request: Request) -> int:
    from blueline.desk.gate.fact_finder import GateQuestion
    from blueline.gate.statement import sign

    must_be_a_person(os.environ, "sign for the gate")
    key = os.path.abspath(os.path.expanduser(request.arguments.key))
    if not request.arguments.key:
        raise UsageError("with which key?", hint="blueline gate sign --key ~/.ssh/id_ed25519")
    with request.desk() as desk:
        document = desk.gate(GateQuestion(commit=_commit(request)))
        root = desk.root
    if not document["open"]:
        return request.answer(document, answered, code=GATE_CLOSED)
    return request.answer(sign(root, document, key, name_of(os.environ), os.environ), _signed)


def _verify(request: Request) -> int:
    from blueline.gate.statement import VerifyRequest, verified

    given = request.arguments
    if not given.key:
        raise UsageError("whose signature?", hint="blueline gate verify COMMIT --key FILE")
    keys = Path(os.getcwd(), os.path.expanduser(given.key))
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    wish = VerifyRequest(_commit(request), keys, given.people, given.base)
    document = verified(request.start, wish, now, os.environ)
    return request.answer(document, _verified)


def _hook(request: Request) -> int:
    """Started by git, before a commit, a merge or a push."""
    from blueline.gate.githooks import NAMES, is_asked, questions

    name = (*request.arguments.words, "")[0]
    if name not in NAMES:
        raise UsageError(f"there is no hook {name!r}", hint=f"they are: {', '.join(NAMES)}")
    if not is_asked(request.start, os.environ):
        return DONE  # a folder of hooks may be that of many repositories
    is_told = name == "pre-push" and "PRE_COMMIT_TO_REF" not in os.environ and sys.stdin is not None
    given = sys.stdin.read() if is_told and not sys.stdin.isatty() else ""
    screen = request.screen(sys.stderr)
    closed = 0
    with request.desk() as desk:
        for question in questions(name, given, desk, os.environ):
            found = desk.gate(question)
            closed += not found["open"]
            if not found["open"] or found["override"]:
                about = f": commit {safe(found['head'])[:12]}" if question.commit else ""
                write(joined([f"blueline: {name}{about}", *answered(found, screen)]), sys.stderr)
            if closed == MOST_CLOSED:
                break
    return FAILED if closed else DONE


def _context(request: Request) -> int:
    """Started by an agent's hook, when somebody asks for /review or /ship."""
    from blueline.gate.context import NAMES_OF_COMMANDS, context

    words = request.arguments.words
    if words[:1] not in [[name] for name in NAMES_OF_COMMANDS]:
        raise BluelineError("there is no such command", hint=f"they are: {', '.join(NAMES_OF_COMMANDS)}")
    with request.desk() as desk:
        said: ContextDocument = {"context": context(desk, words[0], " ".join(words[1:]))}
    return request.answer(said, lambda document, screen: [document["context"]])


# What is shown


def answered(document: GateDocument, screen: Screen) -> Iterator[str]:
    """The answer to `gate`."""
    if document["override"]:
        yield f"{screen.paint('open', 'warn')}: {overridden(document['override'])}"
        yield "  it passes over:"
    elif document["open"]:
        yield f"{screen.paint('open', 'good')}: reviewed, and every change is decided"
        yield from _skipped(document)
        return
    else:
        yield f"{screen.paint('closed', 'bad')}:"
    for reason in document["reasons"]:
        yield from _reason(reason, screen)


def _skipped(document: GateDocument) -> Iterator[str]:
    for loop in document["loops"]:
        if loop["state"] == "skipped":
            yield f"  loop {loop['loop']} ({loop['name']}) was skipped: {safe(loop['skip'])}"


def _reason(reason: ReasonDocument, screen: Screen) -> Iterator[str]:
    yield f"  {safe(reason['message'])}"
    if about := reason.get("about"):
        # Of one that failed, each blocker is a line of its own; the message has the first.
        if reason["code"] == "loop-failed":
            yield from (f"    {safe(one)}" for one in about[:MOST_ISSUES] if len(about) > 1)
            if len(about) > MOST_ISSUES:
                yield f"    and {len(about) - MOST_ISSUES:,} more"
        else:
            yield f"    {some(about, MOST_ABOUT)}"
    yield f"    {screen.paint('to do: ' + safe(reason['hint']), 'dim')}"


def explained(document: GateDocument, screen: Screen) -> Iterator[str]:
    """The answer to `gate --explain`: everything it rests on."""
    yield from answered(document, screen)
    yield ""
    yield f"tree    {safe(document['tree'])}"
    yield f"commit  {safe(document['head'])}"
    yield f"config  {safe(document['config'])}"
    for step in document["steps"]:
        mark = screen.paint("yes", "good") if step["met"] else screen.paint("no ", "bad")
        yield f"  {mark}  {safe(step['what'])}: {safe(step['how'])}"
    for who in document["decided"]:
        yield f"  {_decider(who)}"
    for one in document["overrides"]:
        about = f"{moment(one['at'])}  {overridden(one)}, for tree {safe(one['tree'])[:12]}"
        yield f"  {safe(one['id'])}  {about}"
    for loop in document["loops"]:
        for issue in loop["issues"][:MOST_ISSUES]:
            place = f"{issue['file']}:{issue.get('line', '')}: " if issue.get("file") else ""
            yield f"  loop {loop['loop']}  {safe(issue['severity'])}: {safe(place)}{safe(issue['message'])}"


def _signed(document: SignedDocument, screen: Screen) -> Iterator[str]:
    yield f"signed for tree {safe(document['tree'])}"
    yield hint(f"git push origin {safe(document['ref'])}", screen)


def _verified(document: VerifiedDocument, screen: Screen) -> Iterator[str]:
    yield f"{screen.paint('open', 'good')}: {safe(document['commit'])}"
    for signer in document["signers"]:
        yield f"  signed by {safe(signer['name'])} with {safe(signer['key'])}"
    if document["override"]:
        yield f"  {screen.paint(overridden(document['override']), 'warn')}"
    yield f"  by the loops of {safe(document['base'])[:12]}, its base"
    for loop in document["loops"]:
        about = safe(loop["skip"]) if loop["state"] == "skipped" else moment(loop["at"])
        yield f"  loop {loop['loop']} {safe(loop['state'])}: {about}"
    for one in document["unmet"]:
        yield f"  {screen.paint('passed over', 'warn')}: {safe(one)}"
    for who in document["decided"]:
        yield f"  {_decider(who)}"


def _decider(one: DecidedDocument) -> str:
    who = f"{safe(one['agent'])}, as {safe(one['by'])}," if one["agent"] else safe(one["by"])
    return f"{who} accepted {count(one['accepted'], 'change')} and rejected {one['rejected']:,}"
