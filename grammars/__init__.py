"""Grammars of annotation schemes: one TOML file each, its source stated in it."""
