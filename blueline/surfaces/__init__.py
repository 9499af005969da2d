"""Edges towards people."""
