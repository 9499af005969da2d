"""The door: opens a project, holds lock and clock, offers the verbs."""

from blueline.desk.desk import Desk

__all__ = ["Desk"]
