"""Changes of labels before scoring (maps, restrictions, levels), and grammars of labels.

Documents, the choices of a user, and a grammar from a TOML file come in. Documents with changed
labels come out, and the violations of the grammar.
"""
