"""The floors of the package, from the ground: folders of one floor do not know each other."""

FLOORS = (
    "errors version",
    "documents measures",
    "render",
    "alignment formats labels mapping",
    "corpus projection",
    "evaluation",
    "schemes",
    "analysis templates",
    "integrations",
    "runs",
    "report",
    "cli",
    "__init__ __main__",
)

REPORTS_OF_ITSELF = {"render/paged.py": {"report"}}
"""What a module may import from above, inside functions: a result shows itself as a page."""
