"""Notebooks: reviewed by the cell, written back byte for byte."""
