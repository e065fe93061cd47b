"""Changes of labels before scoring (maps, restrictions, levels), and grammars of labels.

In come documents, the choices of a user, and a grammar by its name or from a TOML file. Out come
documents with changed labels, and the violations of a grammar.
"""
