"""The whole flow for one system: pair, project, map, count.

References, hypotheses and :class:`~.settings.Settings` come in. A score comes out: counts by
document and label, their totals, and the signature that says what could change a digit.
"""
