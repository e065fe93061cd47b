"""The values and verbs of sereval."""

__version__ = "0.1.0"
