"""The command line: one module for each family of commands, and one for each kind of text."""
