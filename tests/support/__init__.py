"""Builders and stand-ins that tests share."""
