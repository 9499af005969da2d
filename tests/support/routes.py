"""What each route of the workbench answers with, if it succeeds."""

from __future__ import annotations

from typing import Any

from blueline.contract.cells import CellMergedDocument, OutputsDocument
from blueline.contract.conversations import (
    ComposedDocument,
    ConversationDocument,
    ConversationNamed,
    ConversationsDocument,
    PromptedDocument,
    TalliesDocument,
    TurnDecision,
    UndoneDocument,
)
from blueline.contract.files import FileDocument, MergedDocument, MomentsDocument, MomentText
from blueline.contract.hunks import WhyDocument
from blueline.contract.log import DecisionShown, TimelineDocument
from blueline.contract.notes import NoteDocument, NotesDocument
from blueline.contract.overview import (
    DecidedScreen,
    InboxDocument,
    ModeDocument,
    OverviewDocument,
    ProjectsDocument,
)
from blueline.contract.reviews import GateScreen, ReviewPlan, RunDocument, StoppedDocument, TrustDocument
from blueline.contract.shipping import OverrideMade, ShippedDocument

ANSWERS: dict[tuple[str, str], Any] = {
    ("GET", "/api/projects"): ProjectsDocument,
    ("GET", "/api/inbox"): InboxDocument,
    ("GET", "/api/overview"): OverviewDocument,
    ("GET", "/api/file"): FileDocument,
    ("GET", "/api/moments"): MomentsDocument,
    ("GET", "/api/moment"): MomentText,
    ("GET", "/api/hunk"): WhyDocument,
    ("GET", "/api/decision"): DecisionShown,
    ("GET", "/api/timeline"): TimelineDocument,
    ("GET", "/api/notes"): NotesDocument,
    ("GET", "/api/outputs"): OutputsDocument,
    ("GET", "/api/gate"): GateScreen,
    ("GET", "/api/gate/plan"): ReviewPlan,
    ("GET", "/api/chat"): ConversationsDocument,
    ("GET", "/api/chat/conversation"): ConversationDocument,
    ("GET", "/api/chat/tally"): TalliesDocument,
    ("POST", "/api/decide"): DecidedScreen,
    ("POST", "/api/undo"): DecidedScreen,
    ("POST", "/api/redo"): DecidedScreen,
    ("POST", "/api/mode"): ModeDocument,
    ("POST", "/api/save"): MergedDocument,
    ("POST", "/api/save-cell"): CellMergedDocument,
    ("POST", "/api/notes"): NoteDocument,
    ("POST", "/api/gate/trust"): TrustDocument,
    ("POST", "/api/gate/override"): OverrideMade,
    ("POST", "/api/review"): RunDocument,
    ("POST", "/api/review/stop"): StoppedDocument,
    ("POST", "/api/ship"): ShippedDocument,
    ("POST", "/api/chat/new"): ConversationDocument,
    ("POST", "/api/chat/prompt"): PromptedDocument,
    ("POST", "/api/chat/stop"): ConversationNamed,
    ("POST", "/api/chat/answer"): ConversationNamed,
    ("POST", "/api/chat/composer"): ComposedDocument,
    ("POST", "/api/chat/close"): ConversationNamed,
    ("POST", "/api/chat/decide"): TurnDecision,
    ("POST", "/api/chat/undo"): UndoneDocument,
}
