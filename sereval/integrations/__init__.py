"""Integration with other programs.

The modules make documents from spaCy's ``Doc``, pandas frames, IOB tags and texts with offsets.
They also provide a metric object, a spaCy scorer, and the conversion of documents between file
formats.
"""
