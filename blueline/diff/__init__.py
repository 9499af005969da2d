"""Two texts in, ranges out."""
