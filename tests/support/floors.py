"""The floors of the package, from the ground: folders of one floor do not know each other."""

FLOORS = (
    "errors",
    "documents measures",
    "alignment formats labels mapping",
    "corpus projection",
    "evaluation",
    "integrations schemes",
    "analysis templates",
    "report",
    "cli public",
    "__init__ __main__",
)
