"""One evaluation, all that is written about it: every number is the same on every output."""

import json
import shutil
from functools import partial
from pathlib import Path

import outputs as read
import outputs_page as page
import outputs_systems as beside
import pytest
from outputs import ALL, CLASSES, COUNTS, EXACT, SHOWN, SLOTS, Case, Outputs
from paths import DATA

pytestmark = pytest.mark.check


# --- what is evaluated ----------------------------------------------------------------------------

SAID = "le président Jacques Chirac à Paris du Budget hier midi en Russie"
HEARD = "le président jacques chirac à paris dubidget hier midi en russie"
TIMES = (0, 0.2, 0.7, 1.1, 1.6, 1.7, 2.2, 2.5, 3, 3.4, 3.8, 4, 4.5)
LABELLED = "pers.ind:2:4 name.first:2:3 name.last:3:4 loc:5:6 func.ind:6:8 kind:6:7 name:7:8"
FOUND = "org:0:1 pers.ind:2:3 name.first:2:3 D:5:6 func.ind:6:7 kind:6:7 date:7:8 I:10:11"
MADE = {  # all classes, elements without a place, empty sides, names that look like something else
    "ref": {
        "d&1": (SAID, f"{LABELLED} time:8:10 I:11:12"),
        "<none>": ("oui", ""),
        "lost": ("Dol", "loc:0:1"),
    },
    "one": {"d&1": (HEARD, FOUND), "<none>": ("oui", "I:0:1"), "lost": ("", "")},
    "two": {"d&1": (HEARD, "loc:5:6 I:0:1"), "<none>": ("oui", ""), "lost": ("", "")},
}


def document(id, said, spans):
    """A line of native JSON, its words one after another at the times above."""
    words = said.split()
    times = [time for time in TIMES if time != 2.5 or len(words) != 11]  # two words run together
    elements = [span.split(":") for span in spans.split()]
    return json.dumps(
        {
            "id": id,
            "words": words,
            "times": [[times[k], times[k + 1]] for k in range(len(words))],
            "elements": [
                {"label": label, "start": int(start), "end": int(end)}
                for label, start, end in elements
            ],
        }
    )


@pytest.fixture
def corpus(here):
    """A folder with the corpus above, and two of the bundled recordings."""
    for name, documents in MADE.items():
        lines = [document(id, *content) for id, content in documents.items()]
        Path(f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    for id in ("librivox", "moonlanding"):
        for path in DATA.rglob(f"{id}.*"):
            here = Path(path.relative_to(DATA))
            here.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, here)


ONE = "ref.jsonl one.jsonl two.jsonl", "one"
ASR = "ref hyp/gazetteer/asr hyp/compromise/asr", "gazetteer"
MANUAL = "ref hyp/gazetteer/manual hyp/compromise/manual", "gazetteer"
COSTS = "--costs S_S=0.3,S_T=0.7,S_ST=0.95,D=1.1,I=0.25"
ASR_TIMES = "--align align --words asr"
CASES = {
    "drop": Case(*ONE, "0.1"),
    "miss": Case(*ONE, "0.1", "miss"),
    "merge": Case(*ONE, "0.1", "merge"),
    "costs": Case(*ONE, "0.1", "miss", COSTS),
    "start and end": Case(*ONE, "0.05,0.4", without="sweep"),
    "near": Case(*ASR, "0.05", "merge", ASR_TIMES, "quaero"),
    "far": Case(*ASR, "0.3", "drop", ASR_TIMES),
    "same words": Case(*MANUAL, options="--align align --words align", without="sweep"),
}

# --- what is written about it ---------------------------------------------------------------------

DOCUMENTS = ("all", "document")
LABELS = ("all", "label")
EVERY = (*DOCUMENTS, "label")
KINDS = (*EVERY, "kind")
TABLE = (*SLOTS, *SHOWN)
LISTED = (*SLOTS, "cost", "ser")


def has(kinds, *figures):
    """What a reader must find: these figures, in the rows of these kinds."""
    return dict.fromkeys(kinds, figures)


SUM = has(["all"], "ser", "cost", "Ref", "unplaceable")
READERS = {
    "score, text": (
        read.score_text,
        has(KINDS, *TABLE) | has(["all"], *TABLE, "cost", "unplaceable"),
    ),
    "score, json": (read.score_json, has(["all"], *COUNTS)),
    "score, csv": (read.score_csv, has(EVERY, *CLASSES, "Ref", "cost", "ser")),
    "audit, heads": (
        read.audit_heads,
        has(DOCUMENTS, *CLASSES, "Ref", "cost", "SER", "unplaceable"),
    ),
    "audit, entries": (read.audit_entries, has(EVERY, *LISTED)),
    "audit, jsonl": (read.audit_jsonl, has(EVERY, *COUNTS)),
    "audit, csv": (read.audit_csv, has(EVERY, *COUNTS)),
    "audit, textgrid": (read.audit_textgrid, has(DOCUMENTS, *SLOTS, "unplaceable")),
    "notebook": (page.notebook, has(["all", "label", "kind"], *TABLE, "cost")),
    "sweep, text": (beside.sweep_text, has(["all"], *SLOTS, "unplaceable", "SER", "F1")),
    "sweep, json": (beside.sweep_json, has(["all"], *COUNTS, *EXACT)),
    "sweep, csv": (beside.sweep_csv, has(["all"], *COUNTS, *EXACT)),
    "compare, text": (beside.compare_text, has(["all"], "SER", "unplaceable")),
    "compare, json": (beside.compare_json, SUM),
    "compare, csv": (beside.compare_csv, SUM),
    "collated, csv": (beside.collated_csv, has(EVERY, *SLOTS)),
    "stability, text": (beside.stability_text, has(["all"], "SER")),
    "stability, json": (beside.stability_json, has(["all"], "ser", "cost")),
    "stability, csv": (beside.stability_csv, has(["all"], "ser", "cost", "Ref")),
    "agreement, text": (
        beside.agreement_text,
        has(LABELS, "Ref", "Hyp") | has(["all"], "Ref", "Hyp", "C", "F shown"),
    ),
    "agreement, json": (
        beside.agreement_json,
        has(LABELS, "Ref", "Hyp") | has(["all"], "Ref", "Hyp", "C", "F"),
    ),
}
PAGES = {
    "head": (page.head, has(["all"], "SER", "cost", "Ref", "Hyp", "unplaceable")),
    "tables": (page.tables, has(KINDS, *TABLE, "cost")),
    "entries": (page.entries, has(EVERY, *LISTED)),
    "plain": (page.plain, has(DOCUMENTS, "S_S", "S_T", "S_ST", "D", "I", "cost")),
    "matrix": (page.matrix, has(LABELS, "Ref", "Hyp", "D", "I")),
    "cases": (page.found, has(DOCUMENTS, *CLASSES, "Ref")),
}
for part, (reader, figures) in PAGES.items():
    for files in (page.one_file, page.many_files):
        READERS[f"page, {files.__name__}, {part}"] = partial(page.read, files, reader), figures


def rows(found, kind, figures):
    """The rows of a kind with these figures; those in which there is nothing are left out."""
    of_kind = ((name, row) for (of, name), row in found.items() if of == kind)
    shown = {name: {figure: row[figure] for figure in figures} for name, row in of_kind}
    return {name: row for name, row in shown.items() if any(row.values())}


QUICK = ("miss", "start and end", "near", "same words")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in CASES],
)
def test_every_output_has_the_same_numbers(corpus, name):
    """What is read back from each output is what the JSON report says there."""
    out = Outputs(CASES[name])
    wanted = read.report(out)
    assert wanted[ALL]["Ref"] > 0
    for output, (reader, declared) in READERS.items():
        if output.partition(",")[0] == out.case.without:
            continue
        found = reader(out)
        for kind, figures in declared.items():
            assert rows(wanted, kind, figures) == rows(found, kind, figures), (output, kind)
