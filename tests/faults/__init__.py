"""Kills, power cuts and crowds, as many as somebody has time for: `make test-faults`."""
