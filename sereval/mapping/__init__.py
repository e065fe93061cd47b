"""The exact search for the mapping of least cost.

A fuzzy reference, a hypothesis on the same words and the costs come in. A :class:`~.best.Mapping`
comes out: the placement and the pairs of least total cost, which give the outcome of each slot.
"""
