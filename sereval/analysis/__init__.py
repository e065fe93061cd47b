"""What is asked of scores: why, how sure, how much the tolerance decides, what does not fit.

Evaluations, or pairs to evaluate in several ways, come in. Audits, sweeps, comparisons, agreements
and diagnoses come out, as values that a report prints.
"""
