"""Documents and scores in the forms of other programs, and sereval in their places.

spaCy's documents, frames of pandas, IOB tags and texts with offsets come in, and go out again. A
metric object, assertions for tests and conversions between formats stand here too.
"""
