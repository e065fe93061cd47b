"""The floors of the package, from the ground: folders of one floor do not know each other."""

import re

from paths import ROOT

LISTED = re.search(
    r"^```floors\n(.*?)^```$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M | re.S
)
FLOORS = (
    *(line.partition("#")[0].strip() for line in LISTED[1].splitlines()),
    "__init__ __main__",
)
