"""The demo: what two systems score on a recogniser's words, and where their errors come from.

Runs commands of sereval from the top of the project, writes what they make, and prints the result.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

from sereval.cli import main

BUILD = Path("build/demo")
SYSTEMS = ("compromise", "gazetteer")
TIMES = ["--align", "data/align", "--words", "data/asr"]
THROUGH_TIME = [*TIMES, "--tolerance", "0.3"]
SOUND = ["--audio", "data/audio"]
WORDS = {"manual": [], "asr": THROUGH_TIME}
MISHEARD = 3
"""The number of misheard names that are printed."""

HEAD = """\
Two systems find entities in nine short recordings, on the reference's words and on those that a
speech recogniser heard. compromise is a general tagger of English text; gazetteer looks names up
in lists and has some rules.

Slot error rate (%)   reference's words   recogniser's words   more"""

NEXT = """
To go on, in this shell or in an environment of your own:
  . .venv/bin/activate            sereval is a command of this shell
  uv tool install .               sereval is a command everywhere, or: pipx install .
  sereval selftest                checks the installation
  sereval score --help            the options, with examples
  docs/tutorial/recording.md      one recording, step by step
"""


def run(*arguments: str) -> str:
    """Run a command, which must succeed, and return what it prints."""
    output = io.TextIOWrapper(io.BytesIO(), "utf-8")
    messages = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
        status = main(list(arguments))
    if status:
        print(messages.getvalue(), end="", file=sys.stderr)
        sys.exit(status)
    return output.buffer.getvalue().decode("utf-8")


def report(*arguments: str) -> dict:
    """The report of a command in JSON."""
    return json.loads(run(*arguments, "--format", "json"))


def rate(system: str, words: str) -> float:
    """The slot error rate of a system in percent, as the reports show it."""
    score = report("score", "data/ref", f"data/hyp/{system}/{words}", *WORDS[words])
    return round(100 * score["counts"]["ser"], 1)


def write_files() -> None:
    """Write what there is to look at: pages, TextGrids, a chart, a comparison."""
    BUILD.mkdir(parents=True, exist_ok=True)
    systems = [f"data/hyp/{system}/asr" for system in SYSTEMS]
    for system, hypotheses in zip(SYSTEMS, systems, strict=True):
        outputs = f"data/hyp/{system}/manual", hypotheses
        page = [*SOUND, "--format", "html", "-o", str(BUILD / f"{system}.html")]
        run("blame", "data/ref", *outputs, *THROUGH_TIME, *page)
        grids = ["--format", "textgrid", "-o", str(BUILD / f"{system}.textgrids")]
        run("audit", "data/ref", hypotheses, *THROUGH_TIME, *grids)
    chart = ["--tolerance", "0:1:0.05", "--plot", str(BUILD / "sweep.svg")]
    run("sweep", "data/ref", *systems, *TIMES, *chart, "-o", str(BUILD / "sweep.txt"))
    page = [*SOUND, "--format", "html", "-o", str(BUILD / "compare.html")]
    run("compare", "--campaign", "docs/examples/campaign.toml", *page)


def print_blame(system: str) -> None:
    """Print where a system's errors come from, and the misheard names that cost most."""
    outputs = [f"data/hyp/{system}/{words}" for words in WORDS]
    found = report("blame", "data/ref", *outputs, *THROUGH_TIME)
    corners = found["corners"]
    names = ("manual", "perfect", "recognised", "interaction", "manual_without_tolerance")
    rates = {name: f"{100 * corners[name] / corners['reference']:.1f}" for name in names}
    print(f"\nThe {rates['recognised']} % of {system} on the recogniser's words (sereval blame):\n")
    strict = rates["manual_without_tolerance"]
    print(f"{rates['manual']:>6}  errors it makes even on perfect words ({strict} above,", end="")
    print(" without the tolerance of 0.3 s)")
    print(f"{rates['interaction']:>6}  errors that misheard words add")
    print(f"{rates['perfect']:>6}  elements left without a word\n")
    print("The misheard names that cost most:")
    for one in found["mishearings"][:MISHEARD]:
        said, heard = (" ".join(one[words]) for words in ("words", "heard"))
        print(f"  {said:<12} recognised as {heard}")


def demo() -> None:
    """Print the rates of both systems, the blame of one, and where to go on."""
    print(HEAD)
    for system in SYSTEMS:
        manual, asr = (rate(system, words) for words in WORDS)
        print(f"{system:<21}{manual:>18.1f}{asr:>21.1f}{asr - manual:>+7.1f}")
    print_blame(SYSTEMS[-1])
    write_files()
    print(f"\nEvery error in its place: open {BUILD / f'{SYSTEMS[-1]}.html'} in a browser.")
    print("The beginning of mandela can be heard there: a click on a word plays it.")
    print(f"TextGrids, a chart and a comparison are in {BUILD} too.")
    print(NEXT, end="")


if __name__ == "__main__":
    demo()
