"""What a file is reviewed by: its own text, or other lines that are made of it."""
