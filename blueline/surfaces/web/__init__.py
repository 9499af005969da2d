"""The workbench: a local web page, and the API behind it."""
