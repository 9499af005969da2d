"""Reviews in editors: a language server on standard input and output."""
