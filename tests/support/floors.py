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
    module: {"report"}
    for module in (
        "evaluation/totals.py",
        "render/paged.py",
        "evaluation/shown.py",
        "analysis/audit.py",
        "analysis/blame.py",
        "analysis/collate.py",
        "analysis/compare.py",
        "analysis/stability.py",
        "analysis/sweep.py",
    )
}
"""What a module may import from above, inside functions: a result draws itself as a chart or a page
when it is asked to."""
