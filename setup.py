"""Builds sereval: pure Python, or with a compiled search if SEREVAL_COMPILE=1 is set.

mypyc compiles the modules below as they stand, so the compiled search gives the same mappings, in
less time. All else about the build is in pyproject.toml.
"""

import os

from setuptools import setup

COMPILED = ("assignment", "bounds", "clusters", "covers", "search", "statuses")
"""The modules of ``sereval.mapping`` that take the time of a search."""

if os.environ.get("SEREVAL_COMPILE") == "1":
    try:
        from mypyc.build import mypycify
    except ImportError:  # the first of two runs, which asks for what the second needs
        setup(setup_requires=["mypy[mypyc]>=1.14"])
    else:
        paths = [f"sereval/mapping/{module}.py" for module in COMPILED]
        options = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
        setup(ext_modules=mypycify([*options, *paths], group_name="sereval"))
else:
    setup()
