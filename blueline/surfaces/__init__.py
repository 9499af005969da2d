"""Edges towards people: they ask the desk, show its documents, and decide nothing themselves."""
