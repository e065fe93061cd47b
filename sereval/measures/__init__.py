"""What is counted and divided: classes of slots, costs and rates.

Outcomes of slots come in. Integer counts come out, which add up over documents and labels, and
rates that are divided once, at the end.
"""
