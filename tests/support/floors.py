"""The floors of the package, from the ground: folders of one floor do not know each other."""

FLOORS = (
    "errors version",
    "documents measures",
    "alignment formats labels mapping",
    "corpus projection",
    "evaluation",
    "integrations schemes",
    "analysis templates",
    "report",
    "cli",
    "__init__ __main__",
)

REPORTS_OF_ITSELF = {"evaluation/evaluate.py": {"report"}, "analysis/blame.py": {"report"}}
"""What a module may import from above, inside functions: an evaluation shows itself as a table,
as JSON and in a notebook when it is asked to, and a blame as JSON; the reports know them, not the
other way round."""
