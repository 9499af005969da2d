"""Decisions in an editor that has no plugin of ours, by the commands of its actions and buttons.

What changes a text that is open is put into that text, and counts when the person saves it. What an editor
says of an edit is not believed: its text is looked at.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from blueline.desk import Desk
from blueline.desk.screens.editor_buffers import DecisionWish
from blueline.desk.screens.editor_wishes import PlannedDecision, PlannedText
from blueline.surfaces.lsp.drawn_marks import ACCEPT, REDO, REJECT, UNDO
from blueline.surfaces.lsp.editor_project import EditorProject
from blueline.surfaces.lsp.editor_session import EditorSession
from blueline.surfaces.lsp.protocol import NO_SUCH_METHOD, WRONG_PARAMETERS, Given, Unanswerable

if TYPE_CHECKING:
    from blueline.contract.decisions import DecisionDocument

FOLLOWS_SECONDS = 5.0
"""How long an editor may take until it tells that its text is what it said."""

TAKE_BACK, LEAVE = "Take it back as well", "Leave it as it is"
MINE, ORIGINAL = "Keep what I wrote", "Go back to the original"


async def run_command(session: EditorSession, given: Given) -> object:
    """Carry out what an action or a button stands for."""
    command = given.text("command")
    arguments = given.all("arguments")
    about = arguments[0] if arguments else Given(None)
    project = session.asked(about)
    if command in (ACCEPT, REJECT):
        verdict = "accept" if command == ACCEPT else "reject"
        return await _decide(session, project, wish_of(verdict, about))
    if command in (UNDO, REDO):
        return await _turn(session, project, again=command == REDO)
    raise Unanswerable(NO_SUCH_METHOD, f"there is no command {command[:100]!r} here")


def wish_of(verdict: str, about: Given) -> DecisionWish:
    """What a request wants to be decided."""
    wish = DecisionWish(
        verdict=cast(Literal["accept", "reject"], verdict),
        selectors=tuple(about.texts("selectors")),
        everything=about.flag("everything"),
        dependents=cast(
            Literal["ask", "with", "keep"], about.choice("dependents", ("ask", "with", "keep"), "ask")
        ),
        reason=about.text("reason", ""),
        expect=about.mapping("expect"),
    )
    if not wish.selectors and not wish.everything:
        raise Unanswerable(WRONG_PARAMETERS, f"what to {verdict}? name selectors, or say everything")
    return wish


async def _decide(session: EditorSession, project: EditorProject, wish: DecisionWish) -> DecisionDocument:
    found = await _planned(session, project, wish)
    if found.document["needs"] and wish.dependents == "ask":
        chosen = await _chosen(session, found.document)
        if chosen is None:
            return found.document
        wish = replace(wish, dependents=chosen)
        found = await _planned(session, project, wish)
    if found.document["needs"]:
        session.connection.show(found.document.get("error", "something has to be chosen first"))
    for text in found.texts:
        _change(session, project, text)
    return found.document


async def _planned(session: EditorSession, project: EditorProject, wish: DecisionWish) -> PlannedDecision:
    buffers = await session.buffers(project)

    def plan(desk: Desk) -> PlannedDecision:
        return project.wishes.plan(desk, wish, buffers, os.environ)

    return await project.ask(plan)


async def _chosen(session: EditorSession, document: DecisionDocument) -> Literal["with", "keep"] | None:
    """What the person wants about that which builds on what is taken back."""
    first = document["needs"][0]
    if first.get("now") or first.get("why") not in (None, "shared", "corrected"):
        return None
    is_corrected = first.get("why") == "corrected"
    keep, back = (MINE, ORIGINAL) if is_corrected else (LEAVE, TAKE_BACK)
    answer: Any = await session.connection.request(
        "window/showMessageRequest",
        {
            "type": 2,
            "message": f"Blueline: {document.get('error', '')}",
            "actions": [{"title": keep}, {"title": back}],
        },
    )
    title = answer.get("title") if isinstance(answer, dict) else None
    return "keep" if title == keep else "with" if title == back else None


def _change(session: EditorSession, project: EditorProject, planned: PlannedText) -> None:
    """Have the editor's text become what was planned. Nobody waits for it: some editors ask the person first,
    and can do nothing else until the command is answered."""
    buffer = planned.buffer
    text = session.text(buffer.uri)
    if text is None or not planned.edits:
        return
    document = {"uri": buffer.uri, "version": buffer.version}
    edit = {"documentChanges": [{"textDocument": document, "edits": planned.edits}]}
    asked = session.connection.request("workspace/applyEdit", {"label": "Blueline", "edit": edit})

    async def follow() -> None:
        answer = await asked
        is_refused = isinstance(answer, dict) and answer.get("applied") is False
        if not await text.becomes(planned.shown, 0 if is_refused else FOLLOWS_SECONDS):
            project.wishes.forget(buffer.path)
            session.connection.show(f"the editor did not change {buffer.path}; nothing was decided there")

    session.connection.begin(follow())


async def _turn(session: EditorSession, project: EditorProject, *, again: bool) -> DecisionDocument:
    """Undo, or redo, with what stands in the editor's buffers."""
    buffers = await session.buffers(project)
    found = await project.ask(lambda desk: project.wishes.plan_turn(desk, buffers, os.environ, again=again))
    if found.document["needs"]:
        session.connection.show(found.document.get("error", "something has to be chosen first"))
    elif found.document["decision"] is None and not found.texts:
        session.connection.show(f"there is nothing to {'redo' if again else 'undo'}")
    for text in found.texts:
        _change(session, project, text)
    return found.document
