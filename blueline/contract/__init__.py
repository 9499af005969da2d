"""What surfaces are shown: the shape of every document, and the one version of them all.

A module holds the documents of one thing. They are types and nothing else: reading them runs no code. The
page's types and the tables in docs/contract.md are made from them: `python -m tools.contract`.
"""

VERSION = 21
"""Of what the index keeps: its tables, its files, and documents that are shown as they are kept there.

Raised whenever the shape of any of them changes. An index of another version is made anew from the journal by
whoever opens it.
"""
