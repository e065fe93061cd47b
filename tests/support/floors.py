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

REPORTS_OF_ITSELF = {
    module: {"report"} for module in ("render/paged.py", "analysis/audit.py", "analysis/collate.py")
}
"""What a module may import from above, inside functions: a result shows itself when it
is asked to."""
