"""Runs: from what a user asks for to the value that a report shows.

The paths or documents of both sides and the options of a run come in. A score, a comparison, a
sweep, an audit or a blame goes out. The command line and the functions of ``sereval`` that take
paths (``calls``) make their values here, so both give the same figures and refuse the same input.
"""
