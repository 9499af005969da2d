"""What there is to decide, and what an answer would mean."""
