"""Counts and rates: classes of slots, costs, figures and word errors.

Outcomes of slots come in. Integer counts come out, which add up over documents and labels. Rates
are divided once, from the summed counts.
"""
