"""A small campaign on disk for the tests of the command line, and copies of bundled recordings."""

import shutil
from pathlib import Path

from paths import DATA


def grid(*words):
    """A TextGrid of words ``(start, end, text)``."""
    end = words[-1][1]
    rows = [line for a, b, text in words for line in (str(a), str(b), f'"{text}"')]
    head = ['"ooTextFile short"', '"TextGrid"', "", "0", str(end), "<exists>", "1"]
    tier = ['"IntervalTier"', '"words"', "0", str(end), str(len(words))]
    return "\n".join([f"File type = {head[0]}", *head[1:], *tier, *rows, ""])


REFERENCE = "à <loc> <name> Dol </name> </loc>\n"
HYPOTHESIS = "à <loc> Dol </loc>\n"
HEARD = "à <loc> d' or </loc>\n"
ALIGNED = grid((0, 0.2, "à"), (0.2, 0.6, "Dol"))
CTM = "show 1 0.00 0.20 à\nshow 1 0.20 0.10 d'\nshow 1 0.30 0.30 or\n"
CAMPAIGN = {
    "ref/show.ne": REFERENCE,
    "hyp/show.ne": HYPOTHESIS,
    "heard/show.ne": HEARD,
    "align/show.TextGrid": ALIGNED,
    "words.ctm": CTM,
}
THROUGH_TIME = "--align align --words words.ctm --tolerance 0.1"


def put(path, content):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    Path(path).write_bytes(data)


def put_recordings(folder, *names):
    """Copies of all files of some bundled recordings, under the same names."""
    for path in DATA.rglob("*.*"):
        if path.stem in names and path.suffix in (".ne", ".ctm", ".TextGrid"):
            place = folder / path.relative_to(DATA)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)


def everything(folder):
    """Names of all files and folders, hidden ones too, with what is in them."""
    return {p: None if p.is_dir() else p.read_bytes() for p in folder.rglob("*")}
