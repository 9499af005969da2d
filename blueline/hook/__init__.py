"""The process an agent starts for each of its events."""
