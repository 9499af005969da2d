"""Runs of text, and how one operation enters them."""
