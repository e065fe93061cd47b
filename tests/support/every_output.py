"""All that the commands write about the bundled recordings: the same bytes, wherever it is run.

``python every_output.py FOLDER [JOBS]`` writes it into a folder, for a comparison with that
of another machine, another Python or another time (``diff -r``); it needs ``sereval[plot]``.
"""

import os
import sys
from pathlib import Path

from paths import DATA

WORDS = "--align align --words asr"
ONE, TWO = "ref hyp/gazetteer/asr", "ref hyp/gazetteer/asr hyp/compromise/asr --system g --system c"

COMMANDS = {  # by the name of what is written; {} is the folder
    "score.txt": f"score {ONE} {WORDS} --tolerance 0.3 --grammar quaero",
    "score.json": f"score {ONE} {WORDS} --tolerance 0.3 --grammar quaero --format json",
    "score.csv": f"score {ONE} {WORDS} --tolerance 0.3 --format csv",
    "lne.txt": "score ref hyp/gazetteer/manual --scheme quaero-lne",
    "muc.json": "score ref hyp/gazetteer/manual --scheme muc --format json",
    "conll.txt": "score ref hyp/gazetteer/manual --scheme conll --elements outermost",
    "audit.txt": f"audit {ONE} {WORDS} --tolerance 0.3 --all",
    "audit.jsonl": f"audit {ONE} {WORDS} --tolerance 0.3 --format jsonl",
    "audit.csv": f"audit {ONE} {WORDS} --tolerance 0.3 --format csv",
    "audit.html": f"audit {ONE} {WORDS} --tolerance 0.3 --format html",
    "pages": f"audit {ONE} {WORDS} --tolerance 0.3 --format html --split 4",
    "textgrids": f"audit {ONE} {WORDS} --tolerance 0.3 --format textgrid",
    "sweep.csv": f"sweep {TWO} {WORDS} --tolerance 0,0.3 --plot {{}}/sweep.svg --format csv",
    "compare.json": f"compare {TWO} {WORDS} --tolerance 0.3 --resamples 20 --format json",
    "compare.txt": f"compare {TWO} {WORDS} --tolerance 0.3 --resamples 20",
    "elements.csv": f"compare {TWO} {WORDS} --tolerance 0.3 --resamples 20 --table elements",
    "blame.txt": f"blame ref hyp/gazetteer/manual hyp/gazetteer/asr {WORDS} --tolerance 0.3",
    "blame.json": f"blame ref hyp/gazetteer/manual hyp/gazetteer/asr {WORDS} --tolerance 0.3 "
    "--format json",
    "project.jsonl": f"project ref {WORDS} --tolerance 0.3",
    "agreement.txt": f"agreement {ONE} {WORDS} --tolerance 0.3",
    "align.txt": "align ref asr --context 2",
    "align.json": "align ref asr --align align --by time --format json",
    "align.ctm": "align ref asr --weights sclite --format ctm",
    "words.json": f"score {ONE} --measure WER,entity-wer,B-WER,U-WER --format json",
    "doctor.txt": "doctor ref hyp/gazetteer/manual",
    "stats.json": "stats ref --words asr --grammar quaero --format json",
    "treebank.txt": "score treebank/ref treebank/hyp/manual",
}
CONVERTED = {"native": "native", "brat": "brat", "columns": "columns", "textgrid": "textgrid"}
HAS_JOBS = ("score ref hyp/gazetteer/asr", "audit", "blame", "sweep", "compare", "stats")


def write(folder: Path, jobs: int = 1) -> None:
    """Write everything into a folder that is there, from the folder of the recordings."""
    from sereval.cli import main

    for name, command in COMMANDS.items():
        arguments = [*command.format(folder).split(), "-o", str(folder / name)]
        if jobs > 1 and command.startswith(HAS_JOBS):
            arguments += ["--jobs", str(jobs)]
        assert main(arguments) == 0, arguments
    for name, format in CONVERTED.items():
        source = "align" if format == "textgrid" else "ref"
        arguments = ["convert", source, f"{folder / name}/", "--to", format]
        assert main(arguments) == 0, arguments


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    os.chdir(DATA)
    write(target, int((*sys.argv, "1")[2]))
