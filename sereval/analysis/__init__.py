"""Analyses of scores: audit, comparison of systems, sweep, blame, agreement, diagnosis.

The functions take evaluations, or pairs of documents that they evaluate in several ways. They
return values that a report prints.
"""
