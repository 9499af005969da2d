"""A project with something to review, and the workbench that serves it."""

from tests.surfaces.web.conftest import browser, project, workbench

__all__ = ["browser", "project", "workbench"]
