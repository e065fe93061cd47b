"""The demo: what two systems score on a recogniser's words, and what the recogniser cost them.

Runs the commands that it prints, from the top of the project, then puts the four results together.
"""

import json
import sys
import tempfile
from pathlib import Path

from sereval.cli import main

BUILD = Path("build/demo")
SYSTEMS = ("compromise", "gazetteer")
WORDS = {
    "manual": [],
    "asr": ["--align", "data/align", "--words", "data/asr", "--tolerance", "0.3"],
}


def score(system: str, words: str, folder: Path) -> float:
    """Print a report, and return its slot error rate in percent."""
    arguments = ["score", "data/ref", f"data/hyp/{system}/{words}", *WORDS[words]]
    arguments += ["--grammar", "quaero"]
    print(f"\n$ sereval {' '.join(arguments)}\n", flush=True)
    report = folder / f"{system}.{words}.json"
    for output in ([], ["--format", "json", "--output", str(report)]):
        if status := main([*arguments, *output]):
            sys.exit(status)
    return 100 * json.loads(report.read_text("utf-8"))["ser"]


def run(*arguments: str) -> None:
    """Run a command that writes files."""
    print(f"$ sereval {' '.join(arguments)}", flush=True)
    if status := main(list(arguments)):
        sys.exit(status)


def see() -> None:
    """What there is to look at: pages, TextGrids, a chart, a comparison."""
    BUILD.mkdir(parents=True, exist_ok=True)
    print(f"\nAll that is behind these numbers goes into {BUILD}:\n")
    systems = [f"data/hyp/{system}/asr" for system in SYSTEMS]
    times = ["--align", "data/align", "--words", "data/asr"]
    for system, hypotheses in zip(SYSTEMS, systems, strict=True):
        audit = ["audit", "data/ref", hypotheses, *WORDS["asr"], "--grammar", "quaero"]
        run(*audit, "--format", "html", "-o", str(BUILD / f"{system}.html"))
        run(*audit, "--format", "textgrid", "-o", str(BUILD / f"{system}.textgrids"))
    chart = ["--tolerance", "0:1:0.05", "--plot", str(BUILD / "sweep.svg")]
    run("sweep", "data/ref", *systems, *times, *chart, "-o", str(BUILD / "sweep.txt"))
    collated = ["--collate", str(BUILD / "collated.html"), "-o", str(BUILD / "compare.txt")]
    run("compare", "--campaign", "docs/examples/campaign.toml", *collated)


def demo() -> None:
    """The four reports, and what they say together."""
    with tempfile.TemporaryDirectory() as folder:
        rates = {
            system: {words: score(system, words, Path(folder)) for words in WORDS}
            for system in SYSTEMS
        }
    see()
    print("\nSlot error rate (%)   manual words   recogniser's words   what the recogniser cost\n")
    for system, rate in rates.items():
        manual, asr = round(rate["manual"], 1), round(rate["asr"], 1)  # as the reports show them
        print(f"{system:<21}{manual:>13.1f}{asr:>21.1f}{asr - manual:>+27.1f}")
    print(f"\nNow open {BUILD / 'gazetteer.html'} in a browser.")


if __name__ == "__main__":
    demo()
