"""The whole flow for one system: pair, project, map, count.

References, hypotheses and :class:`~.settings.Settings` come in. A score comes out: counts by
document and label, their totals, and the signature, which names all that can change a result.
"""
