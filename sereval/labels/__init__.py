"""What becomes of labels before anything is scored: maps, restrictions, levels and grammars.

Documents and the choices of a user come in, a grammar by its name or from a TOML file. Documents
with other labels come out, and what a grammar finds wrong in them.
"""
