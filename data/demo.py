"""The demo: what two systems score on a recogniser's words, and what the recogniser cost them.

Runs the commands that it prints, from the top of the project, then puts the four results together.
"""

import json
import sys
import tempfile
from pathlib import Path

from sereval.cli import main

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


def demo() -> None:
    """The four reports, and what they say together."""
    with tempfile.TemporaryDirectory() as folder:
        rates = {
            system: {words: score(system, words, Path(folder)) for words in WORDS}
            for system in SYSTEMS
        }
    print("\nSlot error rate (%)   manual words   recogniser's words   what the recogniser cost\n")
    for system, rate in rates.items():
        cost = rate["asr"] - rate["manual"]
        print(f"{system:<21}{rate['manual']:>13.1f}{rate['asr']:>21.1f}{cost:>+27.1f}")


if __name__ == "__main__":
    demo()
