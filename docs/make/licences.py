"""Writes docs/reference/licences.md: what the package needs to run, and under which terms.

``make licences`` runs it in an environment that has all extras. The packages are those that uv
finds for the dependencies and extras of pyproject.toml, the terms what they say of themselves.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEVELOPING = {"bench", "dev", "docs"}
SILENT = {  # what their metadata does not say, their licence files do
    "textgrid": "MIT",
    "espeakng-loader": "MIT; carries espeak-ng, GPL-3.0-or-later",
}
PAGE = """\
# Licences

sereval is under the MIT licence. What it needs to run, with all that these need in turn, and the
terms that each states. Nothing else is loaded; what tests and documentation are made with is listed
in `requirements-dev.txt`. The extra `phones` brings espeak-ng and phonemizer, which are under the
GPL: who passes on a bundle with that extra passes it on under their terms.

| package | terms |
|---|---|
{rows}
"""


def packages() -> list[str]:
    """Names of all that the package and its extras need, in order."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    wanted = [f"--extra={name}" for name in extras if name not in DEVELOPING]
    command = ["uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", *wanted]
    found = subprocess.check_output([*command, "pyproject.toml"], cwd=ROOT, text=True)
    return sorted({line.split("=")[0].strip() for line in found.splitlines() if "==" in line})


def main() -> None:
    """Write the page."""
    names = packages()
    command = [
        "pip-licenses",
        "--format=json",
        "--from=mixed",
        "--with-system",
        "--packages",
        *names,
    ]
    stated = {
        row["Name"].lower().replace("_", "-"): row["License"]
        for row in json.loads(subprocess.check_output(command, text=True))
    }
    missing = [name for name in names if name.lower().replace("_", "-") not in stated]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    terms = {name: SILENT.get(name, stated[name.lower().replace("_", "-")]) for name in names}
    unknown = [name for name, term in terms.items() if term == "UNKNOWN"]
    if unknown:
        sys.exit(f"terms unknown: {', '.join(unknown)}")
    rows = "\n".join(f"| {name} | {' '.join(term.split())} |" for name, term in terms.items())
    (ROOT / "docs" / "reference" / "licences.md").write_text(PAGE.format(rows=rows), "utf-8")


if __name__ == "__main__":
    main()
