"""The rules: what the recorded facts mean, and what a decision would do."""
