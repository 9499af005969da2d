"""An agent of somebody's own."""

from __future__ import annotations

from blueline.sdk import Session
from tests.support.project import Project


def agent(project: Project, name: str = "my-agent", conversation: str | None = None) -> Session:
    return Session(project.root, name, conversation, environ=project.environ)
