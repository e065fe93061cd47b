"""The version of the package, which signatures and reports name."""

__version__ = "0.1.0"
