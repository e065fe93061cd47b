"""Information extraction templates of MUC-6: reading, alignment, scoring.

The input is template files of a key and a response. The output is a score, which a report prints.

Source: Kehler, Bear and Appelt, *The Need for Accurate Alignment in Natural Language System
Evaluation*, Computational Linguistics 27(2), 2001. ``docs/reference/commands/templates.md``
has the rules.
"""
