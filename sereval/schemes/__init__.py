"""The schemes: the scorer of the definition and other scorers of the literature.

Pairs of documents, or columns of tags, and the options of a scheme come in. A
:class:`~.result.Result` comes out: the figures that the scheme's source prints.
"""
